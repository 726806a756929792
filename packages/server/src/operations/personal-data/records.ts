import { selectUnsealed } from '../../finance/books/sealed-store.ts'
import type { Reader } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import type { RetentionClass } from '../../tenants/retention/classes.ts'
import { type LegalHold, selectOpenHolds } from '../../tenants/retention/hold-store.ts'
import { daysAfter, findPeriods, type RetentionPeriod } from '../../tenants/retention/periods.ts'
import { type Person, personHash } from '../../tenants/retention/person.ts'
import type {
  FindPersonalData,
  Obligation,
  OtherObligation,
  PersonalData,
  PersonalRecord,
  PersonalRecords,
  RecordSelection,
} from '../../tenants/retention/records.ts'
import type { RetentionSettings } from '../../tenants/retention/settings.ts'

export type PersonalDataParts = {
  seals: Seals
  settings: RetentionSettings
  findPersonalData: FindPersonalData
}

export type TypeCount = { type: string; count: number }

/** Objects of a type in which something is stored about a person. Times are in ISO format. */
export type FoundRecords = TypeCount & {
  retention: RetentionClass
  oldest: string | null
  newest: string | null
  isMore: boolean
}

export const keptReasons = [
  'legal_hold',
  'in_progress',
  'refundable',
  'open_case',
  'open_recall',
  'retention_period',
  'not_chained',
  'no_period',
] as const
export type KeptReason = (typeof keptReasons)[number]

/**
 * Objects of a type that are kept, by the first reason. `until` is the latest time until which one of them is kept for
 * any reason, in ISO format; null if it is unknown.
 */
export type KeptRecords = TypeCount & { reason: KeptReason; until: string | null }

/** A reason to keep the personal data of an object. */
export type Keeping = { reason: KeptReason; until: Date | null }

export type Retention = {
  data: Required<PersonalData>
  holds: LegalHold[]
  periods: RetentionPeriod[]
  now: Date
}

export async function openRetention(
  db: Reader,
  { settings, findPersonalData }: PersonalDataParts,
  scope: Scope,
  now: Date,
): Promise<Retention> {
  const [data, holds, periods] = await Promise.all([
    findPersonalData(),
    selectOpenHolds(db, scope, now),
    findPeriods(db, settings, scope),
  ])
  return { data, holds, periods, now }
}

export type AssessedRecord = PersonalRecord & { keeping: Keeping | null }

/**
 * Returns rows with the reason why each must be kept now, or null if it may be erased.
 *
 * @param days period for which rows are kept, from their creation
 */
export async function selectAssessed(
  db: Reader,
  seals: Seals,
  scope: Scope,
  { data, holds, now }: Retention,
  records: PersonalRecords,
  which: RecordSelection,
  page: { after: string | undefined; take: number },
  days: number,
): Promise<AssessedRecord[]> {
  const rows = await records.select(db, scope, which, page, now)
  const others = await findOtherObligations(db, scope, data.obligations, records.type, rows)
  return rows.map((row) => ({
    ...row,
    keeping: firstUntilLast([
      findHold(seals, scope, holds, row.person),
      row.obligation,
      others.get(row.key),
      endOfPeriod(row, days, now),
    ]),
  }))
}

/** Returns the first reason, until the last of all reasons ends. */
function firstUntilLast(reasons: (Keeping | null | undefined)[]): Keeping | null {
  const [first, ...others] = reasons.filter((one) => one !== null && one !== undefined)
  if (!first) return null
  return { ...first, until: others.reduce((last, { until }) => later(last, until), first.until) }
}

/** Returns the later time; null if one of them is unknown. */
const later = <Time extends Date | string>(one: Time | null, other: Time | null): Time | null =>
  one && other && (one > other ? one : other)

async function findOtherObligations(
  db: Reader,
  scope: Scope,
  obligations: OtherObligation[],
  type: string,
  rows: PersonalRecord[],
): Promise<Map<string, Obligation>> {
  const found = new Map<string, Obligation>()
  const keys = rows.filter(({ isErased }) => !isErased).map(({ key }) => key)
  if (keys.length === 0) return found
  for (const { types, reason, among } of obligations)
    if (types.includes(type))
      for (const key of await among(db, scope, type, keys)) found.set(key, { reason, until: null })
  return found
}

function findHold(
  seals: Seals,
  scope: Scope,
  holds: LegalHold[],
  person: Person | null,
): Keeping | undefined {
  if (holds.length === 0) return undefined
  const hash = person && personHash(seals, scope, person)
  const hold = holds.find((one) => one.personHash === null || one.personHash === hash)
  return hold && { reason: 'legal_hold', until: hold.endsAt }
}

function endOfPeriod({ at }: PersonalRecord, days: number, now: Date): Keeping | null {
  const until = at && daysAfter(at, days)
  return until && days > 0 && until > now ? { reason: 'retention_period', until } : null
}

const atOnce = 500
const maxCounted = 10_000 // limit: objects of a type that the summary of a person counts

/** Yields a person's rows, type by type, with the reasons why they are kept. */
export async function* walkPerson(
  db: Reader,
  seals: Seals,
  scope: Scope,
  retention: Retention,
  person: Person,
  daysOf: (period: RetentionPeriod) => number,
  maxOfType = Number.POSITIVE_INFINITY,
) {
  for (const records of retention.data.records) {
    const period = periodOf(retention, records)
    let after: string | undefined
    for (let count = 0; count < maxOfType; count += atOnce) {
      const page = { after, take: atOnce }
      const rows = await selectAssessed(
        db,
        seals,
        scope,
        retention,
        records,
        { person },
        page,
        daysOf(period),
      )
      if (rows.length > 0) yield { records, period, rows }
      if (rows.length < atOnce) break
      after = rows.at(-1)?.key
    }
  }
}

export const periodOf = ({ periods }: Retention, { retention }: PersonalRecords): RetentionPeriod => {
  const period = periods.find((one) => one.class === retention)
  if (!period) throw new Error(`no period is defined for ${retention}`)
  return period
}

/** Returns which rows may be erased: those whose object matches its seal, so that the change can be sealed. */
export async function selectSealed(
  db: Reader,
  scope: Scope,
  { type }: PersonalRecords,
  keys: string[],
): Promise<Set<string>> {
  const objectOf = (key: string) => key.split(':', 1)[0] ?? key
  const ids = [...new Set(keys.map(objectOf))]
  const unsealed = ids.length > 0 ? await selectUnsealed(db, scope, type, ids) : new Set<string>()
  return new Set(keys.filter((key) => !unsealed.has(objectOf(key))))
}

export type PersonSummary = { found: FoundRecords[]; erasable: TypeCount[]; kept: KeptRecords[] }

/**
 * TypeCounts a person's rows, and how many of them could be erased now. At most ten thousand rows of each type are
 * counted.
 */
export async function summarize(
  db: Reader,
  seals: Seals,
  scope: Scope,
  retention: Retention,
  person: Person,
): Promise<PersonSummary> {
  const found = new Map<string, FoundRecords>()
  const erasable = new TypeCounts()
  const kept = new KeptCounts()
  for await (const { records, rows } of walkPerson(
    db,
    seals,
    scope,
    retention,
    person,
    minimumOf,
    maxCounted,
  )) {
    const { type, retention: ofClass } = records
    const before = found.get(type)
    const count = (before?.count ?? 0) + rows.length
    const times = rows.map(({ at }) => at?.toISOString() ?? null)
    found.set(type, {
      type,
      retention: ofClass,
      count,
      oldest: before?.oldest ?? times[0] ?? null,
      newest: times.at(-1) ?? null,
      isMore: count >= maxCounted,
    })
    for (const { keeping, isErased } of rows)
      if (keeping) kept.add(type, keeping)
      else if (!isErased) erasable.add(type)
  }
  return { found: [...found.values()], erasable: erasable.list(), kept: kept.list() }
}

/** Erasures keep data only for as long as the operator requires, even if the Space keeps other data for longer. */
export const minimumOf = ({ minimumDays }: RetentionPeriod): number => minimumDays

/** TypeCounts objects by type. */
export class TypeCounts {
  readonly #counts: Map<string, number>
  constructor(start: TypeCount[] = []) {
    this.#counts = new Map(start.map(({ type, count }) => [type, count]))
  }
  add(type: string, count = 1): void {
    if (count > 0) this.#counts.set(type, (this.#counts.get(type) ?? 0) + count)
  }
  list(): TypeCount[] {
    return [...this.#counts].map(([type, count]) => ({ type, count }))
  }
}

/** TypeCounts kept objects by type and reason, with the latest time until which one is kept. */
export class KeptCounts {
  readonly #kept: Map<string, KeptRecords>
  constructor(start: KeptRecords[] = []) {
    this.#kept = new Map(start.map((one) => [`${one.type} ${one.reason}`, one]))
  }
  add(type: string, { reason, until }: Keeping): void {
    const name = `${type} ${reason}`
    const before = this.#kept.get(name)
    const text = until?.toISOString() ?? null
    this.#kept.set(name, {
      type,
      reason,
      count: (before?.count ?? 0) + 1,
      until: before ? later(before.until, text) : text,
    })
  }
  list(): KeptRecords[] {
    return [...this.#kept.values()]
  }
}
