import { codeOf } from '@pesewa/values'
import type pg from 'pg'
import type { Database } from './db/database.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { repeat, type StopRepeating } from './repeat.ts'

const probeEveryMs = 5_000 // interval between checks of the database’s disk space
const probeRows = 60_000

/**
 * The result of the function scan in this query exceeds the memory that is allowed for it, so PostgreSQL writes
 * a temporary file to the disk that holds its tables. This changes no data, writes no WAL and takes no lock.
 */
const probe = `
  set local work_mem = '64kB';
  set local temp_tablespaces = '';
  select count(*) from generate_series(1, ${probeRows})` // free disk space that the database needs, about 1 MiB

/** Returns whether the database's disk is too full to write a megabyte. Throws on any other error. */
export async function isDiskFull(pool: pg.Pool): Promise<boolean> {
  try {
    await pool.query(probe)
    return false
  } catch (error) {
    if (codeOf(error) === diskFull) return true
    throw error
  }
}

const diskFull = '53100'

/**
 * Watches for a full database disk, which still allows reads but makes most writes fail. While the disk is
 * full, the node reports that it is not ready, with the reason.
 */
export function watchDisk({ db, log, readiness }: DiskWatchParts): StopRepeating {
  let wasFull = false
  return repeat(probeEveryMs, log, async () => {
    // If the database is unavailable, the readiness check itself detects this.
    const isFull = await isDiskFull(db.pool).catch(() => wasFull)
    if (isFull && !wasFull) log.error(trouble)
    if (!isFull && wasFull) log.info('the database disk has free space again')
    wasFull = isFull
    readiness.note('disk', isFull ? trouble : undefined)
  })
}

type DiskWatchParts = { db: Pick<Database, 'pool'>; log: Log; readiness: Readiness }

const trouble = 'the database disk is full'
