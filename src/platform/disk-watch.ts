import type pg from 'pg'
import type { Database } from './db/database.ts'
import { codeOf } from './errors.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { repeat, type StopRepeating } from './repeat.ts'

const probeEveryMs = 5_000 // interval between checks of the database’s disk space
const probeRows = 60_000

/**
 * Makes PostgreSQL write a temporary file to the disk of its tables, by exceeding the memory of a function
 * scan. It changes nothing, writes no WAL and takes no lock.
 */
const probe = `
  set local work_mem = '64kB';
  set local temp_tablespaces = '';
  select count(*) from generate_series(1, ${probeRows})` // free disk space that a database must have, about 1 MiB

/** Returns whether the database lacks the disk space to write a megabyte. Throws on other errors. */
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
 * Watches for a full database disk: reads still work, but most writes fail. The node then reports not ready,
 * with the reason.
 */
export function watchDisk({ db, log, readiness }: DiskWatchParts): StopRepeating {
  let wasFull = false
  return repeat(probeEveryMs, log, async () => {
    // The readiness check itself detects an unavailable database.
    const isFull = await isDiskFull(db.pool).catch(() => wasFull)
    if (isFull && !wasFull) log.error(trouble)
    if (!isFull && wasFull) log.info('the database disk has free space again')
    wasFull = isFull
    readiness.note('disk', isFull ? trouble : undefined)
  })
}

type DiskWatchParts = { db: Pick<Database, 'pool'>; log: Log; readiness: Readiness }

const trouble = 'the database disk is full'
