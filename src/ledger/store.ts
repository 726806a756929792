import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { nothing, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

export type FinancialAccount = {
  id: string
  name: string
  currency: string
  reference: string | null
  description: string | null
  uvan: string
  metadata: Metadata
  createdAt: Date
  updatedAt: Date
}

/** `posted` is the sum of the account's lines; `held` is the part of it that is reserved. Minor units. */
export type Balance = { posted: bigint; held: bigint }

export type LedgerAccount = {
  id: string
  kind: 'financial' | 'clearing' | 'fees' | 'suspense' | 'funding'
  purpose: string | null
  currency: string
  allowsNegative: boolean
}

export type Line = {
  id: string
  accountId: string
  seq: bigint
  amount: bigint
  currency: string
  balanceAfter: bigint
  reference: string
  isFinancial: boolean
  owners: OwnerRef[]
  feeCode: string | null
  reversedLineId: string | null
  reversedReference: string | null
  at: Date
}

/** Does nothing when another transaction has opened the same system account; a taken main account throws. */
export const insertLedgerAccount = (tx: Tx, { spaceId, environment }: Scope, account: LedgerAccount) =>
  tx.run(sql`
    insert into ledger_accounts (space_id, environment, id, kind, purpose, currency, allows_negative)
    values (${spaceId}, ${environment}, ${account.id}, ${account.kind}, ${account.purpose}, ${account.currency},
      ${account.allowsNegative})
    ${account.kind === 'financial' ? nothing : sql`on conflict do nothing`}`)

export const selectAccountByPurpose = async (
  db: Reader,
  { spaceId, environment }: Scope,
  purpose: string,
  currency: string,
) =>
  (
    await db.one<{ id: string }>(sql`
      select id from ledger_accounts
      where space_id = ${spaceId} and environment = ${environment}
        and purpose = ${purpose} and currency = ${currency}`)
  )?.id

export const insertFinancialAccount = (tx: Tx, { spaceId, environment }: Scope, account: FinancialAccount) =>
  tx.run(sql`
    insert into financial_accounts (space_id, environment, id, name, currency, reference, description, uvan,
      metadata, created_at, updated_at)
    values (${spaceId}, ${environment}, ${account.id}, ${account.name}, ${account.currency}, ${account.reference},
      ${account.description}, ${account.uvan}, ${account.metadata}, ${account.createdAt}, ${account.updatedAt})`)

const accountColumns = sql`id, name, currency, reference, description, uvan, metadata, created_at, updated_at`

export const selectFinancialAccount = (
  db: Reader,
  { spaceId, environment }: Scope,
  id: string,
  lock?: 'for update',
) =>
  db.one<FinancialAccount>(sql`
    select ${accountColumns} from financial_accounts
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
    ${lock ? sql`for update` : nothing}`)

export type AccountFilter = { uvan?: string; reference?: string }

export const selectFinancialAccounts = (
  db: Reader,
  { spaceId, environment }: Scope,
  filter: AccountFilter,
  page: Page,
) =>
  db.query<FinancialAccount>(sql`
    select ${accountColumns} from financial_accounts
    where space_id = ${spaceId} and environment = ${environment}
      ${filter.uvan === undefined ? nothing : sql`and uvan = ${filter.uvan}`}
      ${filter.reference === undefined ? nothing : sql`and reference = ${filter.reference}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

export const updateFinancialAccount = (tx: Tx, { spaceId, environment }: Scope, account: FinancialAccount) =>
  tx.run(sql`
    update financial_accounts set name = ${account.name}, reference = ${account.reference},
      description = ${account.description}, metadata = ${account.metadata}, updated_at = ${account.updatedAt}
    where space_id = ${spaceId} and environment = ${environment} and id = ${account.id}`)

export async function selectBalances(db: Reader, { spaceId, environment }: Scope, ids: string[]) {
  const rows = await db.query<Balance & { id: string }>(sql`
    select id, posted, held from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and id = any(${ids}::uuid[])`)
  return new Map<string, Balance>(rows.map((row) => [row.id, row]))
}

export type PostingLine = { id: string; accountId: string; amount: bigint; feeCode: string | null }

export const insertPosting = (
  tx: Tx,
  { spaceId, environment }: Scope,
  posting: { reference: string; at: Date; owners: OwnerRef[]; lines: PostingLine[] },
) =>
  tx.query<Line>(sql`
    select * from ledger_post(${spaceId}, ${environment}, ${posting.reference}, ${posting.at},
      ${JSON.stringify(posting.owners)}, ${posting.lines.map((line) => line.id)}::uuid[],
      ${posting.lines.map((line) => line.accountId)}::uuid[], ${posting.lines.map((line) => line.amount)}::bigint[],
      ${posting.lines.map((line) => line.feeCode)}::text[])`)

const lineColumns = sql`id, account_id, seq, amount, currency, balance_after, reference, is_financial, owners, fee_code,
  reversed_line_id, reversed_reference, at`

export const selectLine = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<Line>(sql`
    select ${lineColumns} from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and is_financial`)

export type LineFilter = { accountId?: string; reference?: string; type?: 'credit' | 'debit' }

export const selectLines = (db: Reader, { spaceId, environment }: Scope, filter: LineFilter, page: Page) =>
  db.query<Line>(sql`
    select ${lineColumns} from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and is_financial
      ${filter.accountId === undefined ? nothing : sql`and account_id = ${filter.accountId}`}
      ${filter.reference === undefined ? nothing : sql`and reference = ${filter.reference}`}
      ${filter.type === 'credit' ? sql`and amount > 0` : filter.type === 'debit' ? sql`and amount < 0` : nothing}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

export type Case = {
  id: string
  kind: 'success_after_failure'
  objectType: OwnerRef['type']
  objectId: string
  amount: bigint
  currency: string
  reference: string
  openedAt: Date
}

/** Answers 1, or 0 when this object has such a case already. */
export const insertCase = (tx: Tx, { spaceId, environment }: Scope, found: Case) =>
  tx.run(sql`
    insert into ledger_cases (space_id, environment, id, kind, object_type, object_id, amount, currency, reference,
      opened_at)
    values (${spaceId}, ${environment}, ${found.id}, ${found.kind}, ${found.objectType}, ${found.objectId},
      ${found.amount}, ${found.currency}, ${found.reference}, ${found.openedAt})
    on conflict do nothing`)
