import { bigint, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import type { Direction } from './store.ts'

export type CaseKind = 'success_after_failure' | 'failure_after_success'

const cases = table(
  'ledger_cases',
  ['id'],
  {
    id: uuid,
    kind: textOf<CaseKind>(),
    objectType: text,
    objectId: uuid,
    direction: textOf<Direction>(),
    amount: bigint,
    currency: text,
    reference: text,
    openedAt: time,
  },
  { closedAt: orNull(time), closingReference: orNull(text) },
)
export type Case = RowOf<typeof cases>

export type FoundCase = Case & {
  spaceId: string
  environment: Environment
  closedAt: Date | null
  /** The posting that took the money out of suspense. */
  closingReference: string | null
}

const columns = sql`${cases.names}, closed_at, closing_reference`

/** Answers the ids of those that are open now; an object has one case of a kind. In the order of what they are about. */
export async function insertCases(tx: Tx, found: Scoped<Case>[]): Promise<Set<string>> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${cases.insert(found)}
    order by space_id, environment, object_type, object_id, kind, id
    on conflict do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}

// every space: the operator names a case by its id alone
export const lockCase = (tx: Tx, id: string) =>
  tx.one<FoundCase>(sql`select ${columns} from ledger_cases where id = ${id} for update`)

export const updateClosed = (tx: Tx, { spaceId, environment }: Scope, closed: FoundCase) =>
  tx.run(sql`
    update ledger_cases set closed_at = ${closed.closedAt}, closing_reference = ${closed.closingReference}
    where space_id = ${spaceId} and environment = ${environment} and id = ${closed.id}`)

// every space: the operator's own list goes over all of them
export const selectCases = (db: Reader, isOpenOnly: boolean, take: number) =>
  db.query<FoundCase>(sql`
    select ${columns} from ledger_cases
    ${isOpenOnly ? sql`where closed_at is null` : nothing}
    order by opened_at, id limit ${take}`)

export async function countOpenCases(db: Reader, atMost: number): Promise<number> {
  // every space: what an operator watches
  const { count } = await db.only<{ count: bigint }>(sql`
    select count(*) from (select from ledger_cases where closed_at is null limit ${atMost}) open`)
  return Number(count)
}
