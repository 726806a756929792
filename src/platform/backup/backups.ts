import type { Reader, Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'

// The backups that were made of this database, by whoever made them. They are the operator's affair: their times are real time.

export type BackupRecord = {
  startedAt: Date
  finishedAt: Date
  location: string
  bytes: bigint
  verifiedAt: Date
}

const recordsKept = 400 // limit: backups that are remembered

/** Records a backup that is whole, and forgets the oldest. */
export async function recordBackup(
  tx: Tx,
  { startedAt, finishedAt, location, bytes, verifiedAt }: BackupRecord,
): Promise<void> {
  await tx.run(sql`
    insert into backups (started_at, finished_at, location, bytes, verified_at)
    values (${startedAt}, ${finishedAt}, ${location}, ${bytes}, ${verifiedAt})`)
  await tx.run(sql`delete from backups where id <= (select max(id) from backups) - ${recordsKept}::bigint`)
}

/** Notes that backups were removed because newer ones had taken their place. */
export const recordPruned = (tx: Tx, locations: string[]) =>
  tx.run(sql`
    update backups set pruned_at = now()
    where location = any(${locations}::text[]) and pruned_at is null`)

/** The newest that has not been removed. */
export const lastBackup = (db: Reader) =>
  db.one<BackupRecord>(sql`
    select started_at, finished_at, location, bytes, verified_at from backups
    where pruned_at is null order by id desc limit 1`)
