import type { Reader, Tx } from '../platform/db/database.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import type { Environment, Scope } from '../platform/scope.ts'
import type { Case } from './store.ts'

export type FoundCase = Case & {
  spaceId: string
  environment: Environment
  closedAt: Date | null
  /** The posting that took the money out of suspense. */
  closingReference: string | null
}

const columns = sql`space_id, environment, id, kind, object_type, object_id, amount, currency, reference, opened_at,
  closed_at, closing_reference`

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
