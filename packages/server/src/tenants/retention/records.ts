import { uuids } from '../../platform/db/arrays.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { isEither } from '../../platform/db/encryption.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { firstId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import type { RetentionClass } from './classes.ts'
import type { Person } from './person.ts'

// Each slice declares which of its rows contain data of payers and payees. Exports, erasures and the daily
// retention job use these declarations, and know no tables of their own.

/** Why personal data is still needed. */
export const obligationReasons = ['in_progress', 'refundable', 'open_case', 'open_recall'] as const
export type ObligationReason = (typeof obligationReasons)[number]

/** An obligation for which personal data is needed until `until`, or null if the end is not known. */
export type Obligation = { reason: ObligationReason; until: Date | null }

/** A row that contains personal data. */
export type PersonalRecord = {
  /** Identifies the row within its type. Keys are in the order of creation. */
  key: string
  /** Public id of the object that contains the row. */
  id: string
  /** Time of creation, from which its retention period is counted; null if it is not known. */
  at: Date | null
  /** Null if the person is not known, or if the data has been erased. */
  person: Person | null
  isErased: boolean
  obligation: Obligation | null
  /** Everything that is stored about the person in this row, as shown in exports. */
  data: object
}

/** Selects the rows of a person, all rows created before a time, or the rows with certain keys. */
export type RecordSelection = { person: Person } | { before: Date } | { keys: string[] }

/** Rows after a key, in the order of their keys. */
export type RecordPage = { after: string | undefined; take: number }

/** The rows of a slice that contain personal data of one type. */
export type PersonalRecords = {
  /** The type of the objects, such as `payment`. */
  type: string
  retention: RetentionClass
  select(
    db: Reader,
    scope: Scope,
    which: RecordSelection,
    page: RecordPage,
    now: Date,
  ): Promise<PersonalRecord[]>
  /** Erases the personal values of rows. The books must stay provable, so changes of sealed rows are marked. */
  erase(tx: Tx, scope: Scope, keys: string[]): Promise<void>
}

/** A reason of a later slice to keep the personal data of another slice's objects. */
export type OtherObligation = {
  types: string[]
  reason: ObligationReason
  /** Returns the keys of those objects that are still needed. */
  among(db: Reader, scope: Scope, type: string, keys: string[]): Promise<Set<string>>
}

/** What a slice declares about personal data. */
export type PersonalData = { records?: PersonalRecords[]; obligations?: OtherObligation[] }

export type FindPersonalData = () => Promise<Required<PersonalData>>

/** Returns conditions, an order and a limit for rows whose key is their `id`. */
export const inRecordPage = (
  which: RecordSelection,
  { after, take }: RecordPage,
  ofPerson: (person: Person) => Sql,
): Sql => sql`
  and ${
    'before' in which
      ? sql`id < ${firstId(which.before)}`
      : 'keys' in which
        ? sql`id = any(${uuids(which.keys)}::uuid[])`
        : sql`(${ofPerson(which.person)})`
  }
  ${after === undefined ? nothing : sql`and id > ${after}`}
  order by id limit ${take}`

/**
 * Returns the condition for rows with an account of a person. `isPhone` is the condition of the index for phone
 * numbers, which do not depend on the provider.
 */
export const hasAccount = (scope: Scope, account: Sql, isPhone: Sql, person: Person): Sql =>
  person.phoneNumber === undefined
    ? sql`provider_id = ${person.providerId} and ${account} = ${isEither(scope, person.account)} and not ${isPhone}`
    : sql`${account} = ${isEither(scope, person.phoneNumber)} and ${isPhone}`

/** Returns a set of keys that a query found. */
export const keySet = (rows: { key: string }[]): Set<string> => new Set(rows.map(({ key }) => key))
