import assert from 'node:assert/strict'
import { binFolder, type Lab, psql, until } from './cluster.ts'
import { install } from './files.ts'
import { killPostgres, type Machine } from './machines.ts'

const dataFolder = '/var/lib/postgresql/15/compose'

/** Runs the scripts of `deploy/compose.ha.yaml` as the image does, kills the primary, and promotes the standby. */
export async function failOverLikeCompose({ db1, db2 }: Lab): Promise<void> {
  const run = (machine: Machine, ...command: string[]) =>
    machine.run(['env', ...settings, ...command], 'postgres')
  for (const [machine, name] of [
    [db1, 'compose-primary.sh'],
    [db2, 'compose-standby.sh'],
  ] as const)
    install(machine, name, `/etc/patroni/${name}`)
  run(db1, 'initdb', '--data-checksums', '-A', 'peer')
  db1.run(['sh', '-c', `echo "listen_addresses = '*'" >> ${dataFolder}/postgresql.conf`])
  // The image prepares a database with a temporary server.
  run(db1, 'pg_ctl', 'start', '--wait', '--silent', '-l', '/dev/null')
  run(db1, 'sh', '/etc/patroni/compose-primary.sh')
  run(db1, 'pg_ctl', 'stop', '--wait', '--silent')
  const primary = db1.start('compose', ['env', ...settings, 'postgres'], { user: 'postgres' })
  const standby = db2.start('compose', ['env', ...settings, 'sh', '/etc/patroni/compose-standby.sh'], {
    user: 'postgres',
  })
  const isSynchronous = () => psql(db1, 'select sync_state from pg_stat_replication') === 'sync'
  await until('a synchronous standby', isSynchronous)
  psql(db1, 'create table payments as select 1 as id')
  killPostgres(dataFolder, db1)
  await primary.stop('SIGKILL')
  run(db2, 'pg_ctl', 'promote', '--wait', '--silent')
  // Waits for no other standby.
  psql(db2, 'insert into payments values (2)')
  assert.equal(psql(db2, 'select count(*) from payments'), '2')
  await standby.stop('SIGINT')
}

/** The environment that the image and the compose file set. */
const settings = [
  `PATH=${binFolder}:/usr/bin:/bin`,
  `PGDATA=${dataFolder}`,
  'PGHOST=/run/postgresql',
  'POSTGRES_USER=postgres',
  'POSTGRES_DB=postgres',
  'PRIMARY=10.0.0.11',
  'REPLICATION_PASSWORD=secret',
  'PGPASSWORD=secret',
]
