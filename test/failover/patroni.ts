import { binFolder, type Cluster, createOwnDatabase, type Lab, until } from './cluster.ts'
import { environmentOf, install } from './files.ts'
import { killPostgres, type Machine, type Started } from './machines.ts'

export type PatroniCluster = Cluster & {
  /** Kills Patroni and PostgreSQL on the primary. */
  killPrimary(): Promise<void>
  /** Makes the standby the primary with Patroni's command, while both servers work. */
  switchOver(): void
  /** Starts Patroni again where it was killed. */
  restart(machine: Machine): void
  /** Waits until a server is the primary and the other a synchronous standby. */
  untilSynchronous(): Promise<void>
  /** Returns when PostgreSQL on a machine was told to become the primary, as returned by `performance.now()`. */
  promotedAt(machine: Machine, since: number): number | undefined
}

const dataFolder = '/var/lib/postgresql/15/pesewa'

/** Starts etcd on three machines, and Patroni with PostgreSQL on two of them, with the guide's files. */
export async function startPatroniCluster({ db1, db2, app1 }: Lab): Promise<PatroniCluster> {
  const voters = [db1, db2, app1].map((machine) =>
    machine.start('etcd', ['etcd'], {
      user: 'etcd',
      env: { ETCD_DATA_DIR: '/var/lib/etcd/default', ...environmentOf('etcd.env', machine) },
    }),
  )
  const patronis = new Map<Machine, Started>()
  const start = (machine: Machine) =>
    void patronis.set(
      machine,
      machine.start('patroni', ['patroni', '/etc/patroni/config.yml'], {
        user: 'postgres',
        env: environmentOf('patroni.env', machine),
      }),
    )
  for (const machine of [db1, db2]) install(machine, 'patroni.yml', '/etc/patroni/config.yml')
  start(db1)
  await until('Patroni creates the primary', async () => (await rolesAt(db1)).get('db1') === 'leader')
  start(db2)

  const cluster: PatroniCluster = {
    primary: db1,
    standby: db2,
    async killPrimary() {
      await patronis.get(cluster.primary)!.stop('SIGKILL')
      killPostgres(dataFolder, cluster.primary)
    },
    switchOver() {
      const { primary, standby } = cluster
      const command = ['patronictl', '-c', '/etc/patroni/config.yml', 'switchover', '--force']
      // Does not block the clients, which are in this process.
      primary.start('switchover', [...command, '--leader', primary.name, '--candidate', standby.name], {
        env: environmentOf('patroni.env', primary),
      })
    },
    restart: start,
    async untilSynchronous() {
      await until(
        'a synchronous standby',
        async () => {
          for (const machine of [db1, db2]) {
            const roles = await rolesAt(machine)
            const leader = [db1, db2].find(({ name }) => roles.get(name) === 'leader')
            const standby = [db1, db2].find(({ name }) => roles.get(name) === 'sync_standby')
            if (!leader || !standby) continue
            cluster.primary = leader
            cluster.standby = standby
            return true
          }
          return false
        },
        90_000,
      )
    },
    promotedAt: (machine, since) => patronis.get(machine)!.printedAt('received promote request', since),
    async stop() {
      for (const [machine, patroni] of patronis) {
        await patroni.stop('SIGKILL')
        try {
          machine.run([`${binFolder}/pg_ctl`, 'stop', '-m', 'immediate', '-D', dataFolder], 'postgres')
        } catch {
          // It was not running.
        }
      }
      for (const voter of voters) await voter.stop('SIGKILL')
    },
  }
  await until('Patroni creates the standby', async () => (await rolesAt(db1)).get('db2') === 'sync_standby')
  createOwnDatabase(db1)
  return cluster
}

/** Asks Patroni on a machine for the roles of all servers that run. */
async function rolesAt({ address }: Machine): Promise<Map<string, string>> {
  const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
  const { members } = (await answer.json()) as { members: { name: string; role: string; state: string }[] }
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return new Map(running.map(({ name, role }) => [name, role]))
}
