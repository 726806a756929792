import type { Reader, Tx } from './database.ts'
import { sql } from './sql.ts'

// Records of the backups made of this database by any program. Backups are the operator's concern, so their
// times are wall-clock times rather than times on a Space's clock.

export type BackupRecord = {
  startedAt: Date
  finishedAt: Date
  location: string
  bytes: bigint
  verifiedAt: Date
}

const recordsKept = 400

/** Records a complete backup and deletes all but the newest `recordsKept` records. */
export async function recordBackup(
  tx: Tx,
  { startedAt, finishedAt, location, bytes, verifiedAt }: BackupRecord,
): Promise<void> {
  await tx.run(sql`
    insert into backups (started_at, finished_at, location, bytes, verified_at)
    values (${startedAt}, ${finishedAt}, ${location}, ${bytes}, ${verifiedAt})`)
  await tx.run(sql`delete from backups where id <= (select max(id) from backups) - ${recordsKept}::bigint`)
}

/** Marks backups as removed because newer ones replaced them. */
export const recordPruned = (tx: Tx, locations: string[]) =>
  tx.run(sql`
    update backups set pruned_at = now()
    where location = any(${locations}::text[]) and pruned_at is null`)

/** Returns the newest backup that has not been removed. */
export const lastBackup = (db: Reader) =>
  db.one<BackupRecord>(sql`
    select started_at, finished_at, location, bytes, verified_at from backups
    where pruned_at is null order by id desc limit 1`)
