import { binFolder, type Cluster, createOwnDatabase, type Lab, psql, until } from './cluster.ts'
import { install, textOf, write } from './files.ts'
import { childrenOf, killPostgres, type Machine, type Started } from './machines.ts'

export type ManualCluster = Cluster & {
  killPrimary(): Promise<void>
  /** Stops the standby's processes until the returned function is called. */
  freezeStandby(): () => void
  /** Promotes the standby, whose former primary is down. It continues without a standby. */
  promote(): void
  /** Makes the former primary the synchronous standby of the new one. */
  rebuildStandby(): Promise<void>
}

const dataFolder = '/var/lib/postgresql/15/main'
const replicationPassword = 'the password of the standby'

/** Starts a primary and a synchronous standby as the guide describes, without Patroni. */
export async function startManualCluster({ db1, db2 }: Lab): Promise<ManualCluster> {
  const servers = new Map<Machine, Started>()
  const start = async (machine: Machine) => {
    servers.set(
      machine,
      machine.start('postgres', [`${binFolder}/postgres`, '-D', dataFolder], { user: 'postgres' }),
    )
    await until(`PostgreSQL on ${machine.name}`, () => psql(machine, 'select 1') === '1')
  }
  const pidOf = (machine: Machine) =>
    Number(machine.run(['head', '-n', '1', `${dataFolder}/postmaster.pid`]).trim())

  db1.run(
    [
      `${binFolder}/initdb`,
      '-D',
      dataFolder,
      '--data-checksums',
      '--locale=C.UTF-8',
      '-E',
      'UTF8',
      '-A',
      'peer',
    ],
    'postgres',
  )
  db1.run(['mkdir', `${dataFolder}/conf.d`], 'postgres')
  install(db1, 'postgresql-manual.conf', `${dataFolder}/conf.d/pesewa.conf`)
  // As in Debian's configuration.
  db1.run(['sh', '-c', `echo "include_dir 'conf.d'" >> ${dataFolder}/postgresql.conf`])
  db1.run(['sh', '-c', `printf %s "$0" >> ${dataFolder}/pg_hba.conf`, accessRules])
  await start(db1)
  createOwnDatabase(db1)
  psql(db1, `create role replicator login replication password '${replicationPassword}'`)

  const cluster: ManualCluster = {
    primary: db1,
    standby: db2,
    async killPrimary() {
      killPostgres(dataFolder, cluster.primary)
      await servers.get(cluster.primary)!.stop('SIGKILL')
    },
    freezeStandby() {
      const pids = [pidOf(cluster.standby), ...childrenOf(pidOf(cluster.standby))]
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      return () => {
        for (const pid of pids) process.kill(pid, 'SIGCONT')
      }
    },
    promote() {
      ;[cluster.primary, cluster.standby] = [cluster.standby, cluster.primary]
      psql(cluster.primary, 'select pg_promote(false)')
    },
    async rebuildStandby() {
      const { primary, standby } = cluster
      standby.run(['rm', '-rf', dataFolder])
      standby.run(
        [
          `${binFolder}/pg_basebackup`,
          ...[
            '-D',
            dataFolder,
            '--checkpoint=fast',
            '--write-recovery-conf',
            '--create-slot',
            '--slot',
            standby.name,
          ],
          '-d',
          `host=${primary.address} user=replicator password='${replicationPassword}' application_name=${standby.name}`,
        ],
        'postgres',
      )
      await start(standby)
      psql(primary, `alter system set synchronous_standby_names = '${standby.name}'`)
      psql(primary, 'select pg_reload_conf()')
      await until(
        'a synchronous standby',
        () => psql(primary, 'select sync_state from pg_stat_replication') === 'sync',
      )
    },
    async stop() {
      for (const server of servers.values()) await server.stop('SIGINT')
    },
  }
  await cluster.rebuildStandby()
  return cluster
}

const accessRules = `
host pesewa pesewa 10.0.0.0/24 scram-sha-256
host replication replicator 10.0.0.0/24 scram-sha-256
`

/** Points HAProxy on a machine at the primary, as the guide describes. */
export function installManualProxy(machine: Machine, { primary, standby }: Cluster): void {
  const text = textOf('haproxy-manual.cfg')
    .replace('primary 10.0.0.11', `primary ${primary.address}`)
    .replace('standby 10.0.0.12', `standby ${standby.address}`)
  write(machine, '/etc/haproxy/haproxy.cfg', text)
}
