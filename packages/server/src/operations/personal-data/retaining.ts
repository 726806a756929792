import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { daysAfter } from '../../tenants/retention/periods.ts'
import type { PersonalRecords, RecordSelection } from '../../tenants/retention/records.ts'
import { lockSettings } from '../../tenants/spaces/store.ts'
import {
  deleteExceptions,
  hasMarks,
  insertExceptions,
  lockProgress,
  selectExceptions,
  writeProgress,
} from './progress-store.ts'
import {
  type AssessedRecord,
  openRetention,
  type PersonalDataParts,
  periodOf,
  type Retention,
  selectAssessed,
  selectSealed,
} from './records.ts'

const maxMarks = 2_000 // changes of a Space that wait to be chained before the daily job pauses
const pauseMs = 250
const chunk = 200 // objects that one transaction of the daily job reads

/**
 * Erases personal data whose retention period has ended in a Space and environment. Each type is handled in the order
 * of creation, and objects that must be kept for another reason are remembered, so that each day reads only what has
 * become due since. Ends early when the node is `stopping`; the next day continues.
 */
export async function eraseExpired(
  db: Database,
  parts: PersonalDataParts,
  scope: Scope,
  now: Date,
  stopping: AbortSignal,
): Promise<void> {
  for (const records of (await parts.findPersonalData()).records) {
    for (let after: string | undefined = ''; after !== undefined && !stopping.aborted; ) {
      const from: string = after
      after = await db.transaction((tx) => retryExceptions(tx, parts, scope, records, from, now))
    }
    for (let isMore = true; isMore && !stopping.aborted; ) {
      await chainCatchesUp(db, scope, stopping)
      isMore = await db.transaction((tx) => eraseNextExpired(tx, parts, scope, records, now))
    }
  }
}

const isWholeSpaceHeld = ({ holds }: Retention) => holds.some(({ personHash }) => personHash === null)

/** Waits while many changes of the Space are waiting to be chained, so that the chain keeps up. */
async function chainCatchesUp(db: Database, scope: Scope, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await hasMarks(db, scope, maxMarks))) await sleep(pauseMs)
}

/** Erases the oldest objects that have not been handled yet, and returns whether there may be more. */
async function eraseNextExpired(
  tx: Tx,
  parts: PersonalDataParts,
  scope: Scope,
  records: PersonalRecords,
  now: Date,
): Promise<boolean> {
  const after = await lockProgress(tx, scope, records.type)
  const which = (days: number) => ({ before: daysAfter(now, -days) })
  const rows = await assess(tx, parts, scope, records, which, after, now)
  const last = rows?.at(-1)
  if (!rows || !last) return false
  const due = rows.filter(({ isErased }) => !isErased)
  const { free, kept } = await sort(tx, scope, records, due)
  if (free.length > 0) await records.erase(tx, scope, free)
  if (kept.length > 0) await insertExceptions(tx, scope, records.type, kept)
  await writeProgress(tx, scope, records.type, last.key)
  return rows.length === chunk
}

/** Tries objects that had to be kept, after a key. Returns the last key, or `undefined` if there are no more. */
async function retryExceptions(
  tx: Tx,
  parts: PersonalDataParts,
  scope: Scope,
  records: PersonalRecords,
  after: string,
  now: Date,
): Promise<string | undefined> {
  const keys = (await selectExceptions(tx, scope, records.type, after, chunk)).map(({ key }) => key)
  if (keys.length === 0) return undefined
  const rows = await assess(tx, parts, scope, records, () => ({ keys }), undefined, now)
  if (!rows) return undefined
  const { free, kept } = await sort(
    tx,
    scope,
    records,
    rows.filter(({ isErased }) => !isErased),
  )
  if (free.length > 0) await records.erase(tx, scope, free)
  await deleteExceptions(
    tx,
    scope,
    records.type,
    keys.filter((key) => !kept.includes(key)),
  )
  return keys.length === chunk ? keys.at(-1) : undefined
}

/** Divides rows into those that may be erased now and those that must be kept. */
async function sort(tx: Tx, scope: Scope, records: PersonalRecords, rows: AssessedRecord[]) {
  const keys = rows.map(({ key }) => key)
  const open = rows.filter(({ keeping }) => !keeping).map(({ key }) => key)
  const free = await selectSealed(tx, scope, records, open)
  return { free: [...free], kept: keys.filter((key) => !free.has(key)) }
}

/**
 * Reads rows, with the reasons why they are kept, while nobody can place a legal hold. Returns `undefined` if the data of
 * everybody is held.
 */
async function assess(
  tx: Tx,
  parts: PersonalDataParts,
  scope: Scope,
  records: PersonalRecords,
  which: (days: number) => RecordSelection,
  after: string | undefined,
  now: Date,
): Promise<AssessedRecord[] | undefined> {
  await lockSettings(tx, scope.spaceId)
  const retention = await openRetention(tx, parts, scope, now)
  if (isWholeSpaceHeld(retention)) return undefined
  const { days } = periodOf(retention, records)
  const page = { after, take: chunk }
  return selectAssessed(tx, parts.seals, scope, retention, records, which(days), page, days)
}
