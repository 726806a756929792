import { must } from '@pesewa/values'
import pg from 'pg'
import { BackupError } from './base-backup.ts'

const backupLock = 715_010
const sampleMs = 200

export type BackupSession = {
  begun: { stamp: string; startedAt: Date; postgresVersion: number; schemaVersion: number }
  /** Returns the current time according to the database's clock. */
  now(): Promise<Date>
  /**
   * Returns a time for the WAL position `place`: every transaction that was committed before this time precedes
   * that position.
   */
  timeBefore(place: string): Promise<Date>
}

/**
 * Runs `work` with a separate connection that reads the database's clock and ensures that only one backup runs
 * at a time.
 */
export async function withBackupSession<T>(
  connection: pg.ClientConfig,
  work: (session: BackupSession) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, keepAlive: true, connectionTimeoutMillis: 5_000 })
  // If the server dies, the running query fails; without a listener, the error would also end the process.
  client.on('error', () => {})
  await client.connect()
  let sampling: NodeJS.Timeout | undefined
  try {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as is_free', [backupLock])
    if (!rows[0].is_free)
      throw new BackupError('Another backup of this database is running. Try again when it has finished.')
    const begun = (await client.query(beginText)).rows[0]
    const samples = [await sample(client)]
    // If taking a sample fails, the next query on this connection fails, too, and reports the error.
    sampling = setInterval(
      () =>
        void sample(client).then(
          (one) => samples.push(one),
          () => {},
        ),
      sampleMs,
    )
    return await work({
      begun,
      now: async () => (await client.query('select clock_timestamp() as now')).rows[0].now,
      async timeBefore(place) {
        const values = [place, samples.map((one) => one.place)]
        const {
          rows: [{ count }],
        } = await client.query(
          'select count(*)::int as count from unnest($2::pg_lsn[]) as place where place <= $1::pg_lsn',
          values,
        )
        return must(samples[count - 1], 'clock sample before the end of the backup').at
      },
    })
  } finally {
    clearInterval(sampling)
    await client.end()
  }
}

const beginText = `
  select now() as "startedAt", to_char(now() at time zone 'utc', 'YYYYMMDD"T"HH24MISSMS"Z"') as stamp,
    current_setting('server_version_num')::int as "postgresVersion",
    (select max(version) from schema_migrations) as "schemaVersion"`

/**
 * Reads the time first and the WAL position second, so that every transaction committed before that time
 * precedes the position.
 */
async function sample(client: pg.Client): Promise<{ at: Date; place: string }> {
  const { rows } = await client.query(`
    with clock as materialized (select clock_timestamp() as at)
    select at, case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_insert_lsn() end as place
    from clock`)
  return rows[0]
}
