import { bigints, texts, times, uuids } from '../platform/db/arrays.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { type Scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import type { Direction } from './store.ts'

export type CaseKind = 'success_after_failure' | 'failure_after_success'

export type Case = {
  id: string
  kind: CaseKind
  objectType: OwnerRef['type']
  objectId: string
  direction: Direction
  amount: bigint
  currency: string
  reference: string
  openedAt: Date
}

export type FoundCase = Case & {
  spaceId: string
  environment: Environment
  closedAt: Date | null
  /** The posting that took the money out of suspense. */
  closingReference: string | null
}

const columns = sql`space_id, environment, id, kind, object_type, object_id, direction, amount, currency,
  reference, opened_at, closed_at, closing_reference`

/** Answers the ids of those that are open now; an object has one case of a kind. In the order of what they are about. */
export async function insertCases(tx: Tx, cases: Scoped<Case>[]): Promise<Set<string>> {
  const opened = await tx.query<{ id: string }>(sql`
    insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, direction, amount, currency,
      reference, opened_at)
    select space_id, environment, id, kind, object_type, object_id, direction, amount, currency, reference, opened_at
    from unnest(${scopes(cases)}, ${uuids(cases.map((c) => c.id))}::uuid[],
      ${texts(cases.map((c) => c.kind))}::text[], ${texts(cases.map((c) => c.objectType))}::text[],
      ${uuids(cases.map((c) => c.objectId))}::uuid[],
      ${texts(cases.map((c) => c.direction))}::text[], ${bigints(cases.map((c) => c.amount))}::bigint[],
      ${texts(cases.map((c) => c.currency))}::text[], ${texts(cases.map((c) => c.reference))}::text[],
      ${times(cases.map((c) => c.openedAt))}::timestamptz[])
      as found (space_id, environment, id, kind, object_type, object_id, direction, amount, currency, reference,
        opened_at)
    order by space_id, environment, object_type, object_id, kind, id
    on conflict do nothing
    returning id`)
  return new Set(opened.map(({ id }) => id))
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

// every space: what an operator watches
export const countOpenCases = async (db: Reader, atMost: number): Promise<number> =>
  Number(
    (await db.one<{ count: bigint }>(sql`
      select count(*) from (select from ledger_cases where closed_at is null limit ${atMost}) open`))!.count,
  )
