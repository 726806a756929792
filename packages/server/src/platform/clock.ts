import type { Database, Reader, Tx } from './db/database.ts'
import { type Sql, sql } from './db/sql.ts'
import type { Scope } from './scope.ts'

/**
 * The clocks of the Spaces. The times of objects (created, expires, due) come from here, never directly from
 * the machine or the database, because a Space may have moved its test clock ahead. Live clocks always show the
 * wall-clock time.
 */
export type Clock = {
  now(scope: Scope): Date
  /** Rereads all clocks. Afterwards, `now` reflects every clock change that was committed before the call. */
  follow(): Promise<void>
  /** Returns how far the Space's clock is ahead of the wall-clock time, in milliseconds. */
  aheadMs(scope: Scope): number
  /** Returns the test clocks that are ahead of the wall-clock time. */
  moved(): { spaceId: string; aheadMs: number }[]
  /** Registers a callback that is called whenever a Space's clock moves. */
  onMoved(heard: () => void): void
  close(): Promise<void>
}

const channel = 'test_clocks'
/**
 * Interval at which offsets are reread. If a notification is lost, a node uses a stale clock for at most this
 * long.
 */
const refreshEveryMs = 5_000

/**
 * Opens the Spaces' clocks. The nonzero offsets from the wall-clock time, of which there are few, are kept in
 * memory. They are reread after each notification and every five seconds.
 */
export async function openClock(db: Database): Promise<Clock> {
  let offsets = new Map<string, number>()
  const listeners: (() => void)[] = []
  let begun = 0
  let newest = 0
  const follow = async () => {
    const read = ++begun
    const current = await readOffsets(db)
    // If a newer read has already finished, its result must not be replaced by older offsets.
    if (read < newest) return
    newest = read
    const isMoved = [...current].some(([spaceId, offset]) => offsets.get(spaceId) !== offset)
    offsets = current
    if (isMoved) for (const heard of listeners) heard()
  }
  await follow()
  const stop = await db.onWake(channel, () => void follow().catch(() => {}))
  const timer = setInterval(() => void follow().catch(() => {}), refreshEveryMs)
  timer.unref()
  const aheadMs = ({ spaceId, environment }: Scope) =>
    environment === 'test' ? (offsets.get(spaceId) ?? 0) : 0
  return {
    now: (scope) => new Date(Date.now() + aheadMs(scope)),
    aheadMs,
    moved: () =>
      [...offsets].filter(([, aheadMs]) => aheadMs > 0).map(([spaceId, aheadMs]) => ({ spaceId, aheadMs })),
    follow,
    onMoved: (heard) => void listeners.push(heard),
    async close() {
      clearInterval(timer)
      stop()
    },
  }
}

/** A clock that shows the wall-clock time for every Space and needs no database. */
export const realClock: Clock = {
  now: () => new Date(),
  aheadMs: () => 0,
  moved: () => [],
  follow: async () => {},
  onMoved: () => {},
  close: async () => {},
}

/**
 * Moves a Space's test clock ahead by `ms` milliseconds, at least 0. All nodes use the new time once the
 * transaction has committed.
 */
export async function advanceTestClock(tx: Tx, spaceId: string, ms: number): Promise<void> {
  await tx.run(sql`
    insert into test_clocks (space_id, environment, offset_ms)
    values (${spaceId}, 'test', ${ms})
    on conflict (space_id, environment) do update
    set offset_ms = test_clocks.offset_ms + excluded.offset_ms`)
  tx.wake(channel)
}

/** Resets a Space's test clock to the wall-clock time. This does not undo anything that has already happened. */
export async function resetTestClock(tx: Tx, spaceId: string): Promise<void> {
  // The row is kept, because `hasMoved` needs it.
  await tx.run(sql`update test_clocks set offset_ms = 0 where space_id = ${spaceId} and environment = 'test'`)
  tx.wake(channel)
}

/**
 * Returns whether a Space's clock was ever moved. If it was, an earlier write may have a later time than the
 * writes that followed it.
 */
export const hasMoved = async (db: Reader, { spaceId, environment }: Scope): Promise<boolean> =>
  (await db.one(sql`
    select 1 from test_clocks where space_id = ${spaceId} and environment = ${environment}`)) !== undefined

/** Reads a Space's current time from the database, for one-off commands that do not open the clocks. */
export async function readNow(db: Reader, { spaceId, environment }: Scope): Promise<Date> {
  return new Date(Date.now() + (environment === 'test' ? await readOffset(db, spaceId) : 0))
}

/** Reads how far a Space's test clock is ahead of the wall-clock time, in milliseconds. */
export async function readOffset(db: Reader, spaceId: string): Promise<number> {
  const row = await db.one<{ offsetMs: bigint }>(sql`
    select offset_ms from test_clocks where space_id = ${spaceId} and environment = 'test'`)
  return Number(row?.offsetMs ?? 0n)
}

async function readOffsets(db: Reader): Promise<Map<string, number>> {
  // every space: a node follows all moved clocks
  const rows = await db.query<{ spaceId: string; offsetMs: bigint }>(sql`
    select space_id, offset_ms from test_clocks where environment = 'test' and offset_ms > 0`)
  return new Map(rows.map((row) => [row.spaceId, Number(row.offsetMs)]))
}

/**
 * Returns SQL for the current time of a row, according to the clock of the Space that the row belongs to. Used
 * by checks across all Spaces. `of` is the row's name in the statement.
 */
export const spaceNow = (of: Sql): Sql => sql`
  (now() + coalesce((
    select clock.offset_ms from test_clocks clock
    where clock.space_id = ${of}.space_id and clock.environment = ${of}.environment), 0) * interval '1 millisecond')`
