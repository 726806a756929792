import { readFileSync } from 'node:fs'
import path from 'node:path'
import { binFolder, type Cluster, createOwnDatabase, type Lab, psql, until } from './cluster.ts'
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

/** The longest that a former primary may take to become a standby. */
const rejoinLimitMs = 120_000

const lastLinesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(-40).join('\n')

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
    untilSynchronous: async () => {
      await until(
        'a synchronous standby',
        async () => {
          // A server that was cut off shows for seconds what it knew before, so that both must agree.
          const [roles, others] = [await rolesAt(db1), await rolesAt(db2)]
          const find = (role: string) =>
            [db1, db2].find(({ name }) => roles.get(name) === role && others.get(name) === role)
          const [primary, standby] = [find('leader'), find('sync_standby')]
          if (!primary || !standby) return false
          Object.assign(cluster, { primary, standby })
          return psql(primary, 'select sync_state from pg_stat_replication') === 'sync'
        },
        rejoinLimitMs,
      ).catch((error) => {
        const logs = [db1, db2].map(
          ({ name, logs }) => `${name}:\n${lastLinesOf(path.join(logs, 'patroni.log'))}`,
        )
        throw new Error(logs.join('\n'), { cause: error })
      })
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
