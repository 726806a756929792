import type pg from 'pg'
import type { Database } from './db/database.ts'
import { codeOf } from './errors.ts'
import type { Log } from './log.ts'
import type { Readiness } from './readiness.ts'
import { repeat, type StopRepeating } from './repeat.ts'

const probeEveryMs = 5_000 // limit: time between two checks whether the database can still write to its disk
const probeRows = 60_000

/**
 * Has PostgreSQL write a temporary file, which it removes again, on the disk that its tables are on: rows of a function beyond the
 * memory that they may take. It changes nothing, leaves nothing in the log of the database, and takes no lock.
 */
const probe = `
  set local work_mem = '64kB';
  set local temp_tablespaces = '';
  select count(*) from generate_series(1, ${probeRows})` // limit: free space that a database is asked for, about 1 MiB

/** Whether the database cannot write a megabyte, for want of space. Throws whatever else keeps it from that. */
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

/** Notices a full disk of the database: reads go on then, and most of what writes fails. Then this node is not ready, and says why. */
export function watchDisk({ db, log, readiness }: DiskWatchParts): StopRepeating {
  let wasFull = false
  return repeat(probeEveryMs, log, async () => {
    // A database that is away is noticed by whoever asks whether the node is ready.
    const isFull = await isDiskFull(db.pool).catch(() => wasFull)
    if (isFull && !wasFull) log.error(trouble)
    if (!isFull && wasFull) log.info('the database has room on its disk again')
    wasFull = isFull
    readiness.note('disk', isFull ? trouble : undefined)
  })
}

type DiskWatchParts = { db: Pick<Database, 'pool'>; log: Log; readiness: Readiness }

const trouble = 'the disk of the database is full'
