import { bigints, ints, texts, times, uuids } from '../platform/db/arrays.ts'
import { walkBounded } from '../platform/db/bounded-walk.ts'
import { bigint, boolean, json, orNull, text, textOf, time, uuid } from '../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../platform/db/database.ts'
import { inLockOrder, nameIn, type Scoped, scoped, scopes } from '../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import { codeOf } from '../platform/errors.ts'
import { fieldsOf } from '../platform/fields.ts'
import type { Listed, Page } from '../platform/http/route.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { must } from '../platform/must.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import type { OwnerRef } from '../spaces/ownership.ts'
import { ofReference } from './reference.ts'

const financialAccounts = table('financial_accounts', ['id'], {
  id: uuid,
  name: text,
  currency: text,
  reference: orNull(text),
  description: orNull(text),
  uvan: text,
  metadata: json<Metadata>(),
  createdAt: time,
  updatedAt: time,
})
export type FinancialAccount = RowOf<typeof financialAccounts>

/** `posted` is the sum of the account's lines; `held` is the part of it that is reserved. Minor units. */
export type Balance = { posted: bigint; held: bigint }

/** Whether money comes in or goes out. */
export type Direction = 'collection' | 'disbursement'

/** The balances of accounts, which `ledger_post` and holds write. */
export const ledgerAccounts = table(
  'ledger_accounts',
  ['id'],
  {
    id: uuid,
    kind: textOf<'financial' | 'clearing' | 'fees' | 'suspense' | 'funding'>(),
    purpose: orNull(text),
    currency: text,
    posted: bigint,
    held: bigint,
    allowsNegative: boolean,
    /** Of a clearing account: what it clears. */
    providerId: orNull(text),
    direction: orNull(textOf<Direction>()),
  },
  { nextSeq: bigint },
)
const newAccounts = ledgerAccounts.without('posted', 'held')
export type LedgerAccount = Scoped<RowOf<typeof newAccounts>>

const lines = table('ledger_lines', ['id'], {
  id: uuid,
  accountId: uuid,
  seq: bigint,
  amount: bigint,
  currency: text,
  balanceAfter: bigint,
  reference: text,
  isFinancial: boolean,
  owners: json<OwnerRef[]>(),
  feeCode: orNull(text),
  reversedLineId: orNull(uuid),
  reversedReference: orNull(text),
  at: time,
})
export type Line = RowOf<typeof lines>

/**
 * Opens accounts, in the order of their purposes, unless another transaction has opened one for the same purpose. Returns
 * those that were opened.
 */
export const insertLedgerAccounts = async (tx: Tx, accounts: LedgerAccount[]) =>
  (
    await tx.query<Scope & { id: string }>(sql`
      ${newAccounts.insert(accounts)}
      order by space_id, environment, purpose, currency
      on conflict (space_id, environment, purpose, currency) where purpose is not null do nothing
      returning space_id, environment, id`)
  ).map(scoped)

export type AccountPurpose = Scoped<{ purpose: string; currency: string }>

/** The accounts for some purposes: those that there are. */
export const selectAccountsByPurpose = async (db: Reader, purposes: AccountPurpose[]) =>
  (
    await db.query<Scope & { id: string; purpose: string; currency: string }>(sql`
      select account.* from unnest(${scopes(purposes)}, ${texts(purposes.map(({ purpose }) => purpose))}::text[],
        ${texts(purposes.map(({ currency }) => currency))}::text[])
        as wanted (space_id, environment, purpose, currency)
      cross join lateral (
        select space_id, environment, id, purpose, currency from ledger_accounts a
        where a.space_id = wanted.space_id and a.environment = wanted.environment and a.purpose = wanted.purpose
          and a.currency = wanted.currency
        offset 0
      ) account`)
  ).map(scoped)

export const insertFinancialAccounts = (tx: Tx, accounts: Scoped<FinancialAccount>[]) =>
  tx.run(financialAccounts.insert(accounts))

export const selectFinancialAccount = (
  db: Reader,
  { spaceId, environment }: Scope,
  id: string,
  lock?: 'for update',
) =>
  db.one(sql`
    select ${financialAccounts.columns} from financial_accounts
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
    ${lock ? sql`for update` : nothing}`)

export const shareAccounts = (db: Database) =>
  shareReads(
    db,
    sql`
      select ${financialAccounts.columns} from financial_accounts
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

export type AccountFilter = { uvan?: string; reference?: string }

export const selectFinancialAccounts = (
  db: Reader,
  { spaceId, environment }: Scope,
  filter: AccountFilter,
  page: Page,
) =>
  db.query(sql`
    select ${financialAccounts.columns} from financial_accounts
    where space_id = ${spaceId} and environment = ${environment}
      ${filter.uvan === undefined ? nothing : sql`and uvan = ${filter.uvan}`}
      ${filter.reference === undefined ? nothing : sql`and reference = ${filter.reference}`}
      ${page.after === undefined ? nothing : sql`and id < ${page.after}`}
    order by id desc limit ${page.take}`)

const update = financialAccounts.update('name', 'reference', 'description', 'metadata', 'updatedAt')

export const updateFinancialAccount = (tx: Tx, scope: Scope, account: FinancialAccount) =>
  tx.run(update([{ ...account, scope }]))

export async function selectBalances(db: Reader, { spaceId, environment }: Scope, ids: string[]) {
  const rows = await db.query<Balance & { id: string }>(sql`
    select id, posted, held from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and id = any(${ids}::uuid[])`)
  return new Map<string, Balance>(rows.map((row) => [row.id, row]))
}

export const shareBalances = (db: Database) =>
  shareReads<Balance>(
    db,
    sql`
      select posted, held from ledger_accounts
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id`,
  )

export type AccountId = Scoped<{ id: string }>

/** Those that are accounts of the merchant's, with their currencies. One by one along the primary key (`offset 0`). */
export const selectCurrencies = async (db: Reader, accounts: AccountId[]) =>
  (
    await db.query<Scope & { id: string; currency: string }>(sql`
      select account.space_id, account.environment, account.id, account.currency
      from unnest(${scopes(accounts)}, ${uuids(accounts.map(({ id }) => id))}::uuid[]) as wanted (space_id, environment, id)
      cross join lateral (
        select * from ledger_accounts a
        where a.space_id = wanted.space_id and a.environment = wanted.environment and a.id = wanted.id offset 0
      ) account
      where account.kind = 'financial'`)
  ).map(scoped)

export type PostingLine = Scoped<{
  /** 1, 2, 3, …: which posting of the statement the line belongs to. */
  posting: number
  id: string
  accountId: string
  amount: bigint
  /** How much of the account's holds becomes free with the line. */
  release: bigint
  feeCode: string | null
  reference: string
  /** JSON of `OwnerRef[]`. */
  owners: string
  at: Date
}>

/**
 * The call of `ledger_post`, for a statement of its own or the end of a larger one: returns for each posting whether it was
 * posted. `strict`: a posting that would overdraw fails the statement; see `overdrawnBy`.
 */
export function callLedgerPost(lines: PostingLine[], strict: Sql): Sql {
  const accounts = inLockOrder(lines.map(({ scope, accountId: id }) => ({ scope, id })))
  const numbers = new Map(accounts.map(({ scope, id }, i) => [nameIn(scope, id), i + 1]))
  const numberOf = ({ scope, accountId }: PostingLine) =>
    must(numbers.get(nameIn(scope, accountId)), 'account of a line')
  return sql`ledger_post(${strict}, ${scopes(accounts)}, ${uuids(accounts.map(({ id }) => id))}::uuid[],
    ${ints(lines.map(({ posting }) => posting))}::int[], ${uuids(lines.map(({ id }) => id))}::uuid[],
    ${ints(lines.map(numberOf))}::int[],
    ${bigints(lines.map(({ amount }) => amount))}::bigint[], ${bigints(lines.map(({ release }) => release))}::bigint[],
    ${texts(lines.map(({ feeCode }) => feeCode))}::text[], ${texts(lines.map(({ reference }) => reference))}::text[],
    ${texts(lines.map(({ owners }) => owners))}::text[],
    ${times(lines.map(({ at }) => at))}::timestamptz[])`
}

/** Whether each of the postings, in their order, was posted. */
export async function insertPostings(tx: Tx, lines: PostingLine[]): Promise<boolean[]> {
  const call = callLedgerPost(lines, sql`false`)
  return (await tx.only<{ posted: boolean[] }>(sql`select ${call} as posted`)).posted
}

/** Which postings (0, 1, 2, …) would have overdrawn an account, where a strict call failed for that. */
export const overdrawnBy = (error: unknown): Set<number> | undefined =>
  codeOf(error) === 'PS001'
    ? new Set(
        String(fieldsOf(error).detail)
          .split(' ')
          .map((number) => Number(number) - 1),
      )
    : undefined

/** A posting would bring an account beyond ±(2^63 − 1), the range of its balance. */
export const isBeyondCount = (error: unknown) => codeOf(error) === '22003'

export const shareLines = (db: Database) =>
  shareReads(
    db,
    sql`
      select ${lines.columns} from ledger_lines
      where space_id = wanted.space_id and environment = wanted.environment and id = wanted.id and is_financial`,
  )

export const selectLinesById = (db: Reader, { spaceId, environment }: Scope, ids: string[]) =>
  db.query(sql`
    select ${lines.columns} from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)

/** The owners of a posting. */
export const selectOwners = async (db: Reader, { spaceId, environment }: Scope, reference: string) =>
  (
    await db.only<{ owners: OwnerRef[] }>(sql`
    select owners from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} ${ofReference(reference)} limit 1`)
  ).owners

export type LineFilter = { accountId?: string; reference?: string; type?: 'credit' | 'debit' }

/** Newest first. Of one account in the order of its balances, which is also that of their index. */
export async function selectLines(
  db: Database,
  { spaceId, environment }: Scope,
  filter: LineFilter,
  page: Page,
): Promise<Listed<Line>> {
  const { accountId, reference, type } = filter
  const inAccount = accountId !== undefined && reference === undefined
  const order = inAccount ? sql`seq` : sql`id`
  const after = inAccount
    ? sql`and seq < (
        select seq from ledger_lines
        where space_id = ${spaceId} and environment = ${environment} and id = ${page.after})`
    : sql`and id < ${page.after}`
  const all = sql`
    select ${lines.columns} from ledger_lines
    where space_id = ${spaceId} and environment = ${environment}
      ${accountId === undefined ? nothing : sql`and account_id = ${accountId}`}
      ${reference === undefined ? nothing : ofReference(reference)}
      ${page.after === undefined ? nothing : after}`
  const shown =
    type === undefined
      ? sql`is_financial`
      : sql`is_financial and ${type === 'credit' ? sql`amount > 0` : sql`amount < 0`}`
  // No index has the sign: every posting would pay for it. A reference leads to a few lines.
  if (type !== undefined && reference === undefined)
    return walkBounded(db, { ordered: all, column: order, fit: shown, take: page.take })
  return db.query(sql`${all} and ${shown} order by ${order} desc limit ${page.take}`)
}
