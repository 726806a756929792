import assert from 'node:assert/strict'
import { codeOf, fieldsOf, must } from '@pesewa/values'
import { bigints, ints, texts, times, uuids } from '../../platform/db/arrays.ts'
import { bigint, boolean, json, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { byId, isOneOf, selectEach } from '../../platform/db/lookups.ts'
import { globalName, inLockOrder, type Scoped, scoped } from '../../platform/db/scoped.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import {
  equals,
  type FilterOf,
  type Names,
  nameFilter,
  selectFiltered,
} from '../../platform/http/lists/filters.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { firstId, lastId } from '../../platform/ids.ts'
import { readObjectId } from '../../platform/resources.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'
import { hasBegunBooks } from './new-books.ts'
import { whereReference } from './reference.ts'

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

/**
 * A balance in minor units: `posted` is the sum of the account's lines, and `held` is the part of it that is
 * reserved.
 */
export type Balance = { posted: bigint; held: bigint }

/** The direction of money: in (`collection`) or out (`disbursement`). */
export type Direction = 'collection' | 'disbursement'

/** Accounts with their balances, which are changed only by `ledger_post` and by holds. */
export const ledgerAccounts = table(
  'ledger_accounts',
  ['id'],
  {
    id: uuid,
    kind: textOf<'financial' | 'clearing' | 'fees' | 'suspense' | 'funding' | 'elsewhere' | 'bank'>(),
    purpose: orNull(text),
    currency: text,
    posted: bigint,
    held: bigint,
    allowsNegative: boolean,
    /** The provider and direction of a clearing account; null for any other account. */
    providerId: orNull(text),
    direction: orNull(textOf<Direction>()),
  },
  { nextSeq: bigint },
)
const newAccounts = ledgerAccounts.without('posted', 'held')
export type LedgerAccount = Scoped<RowOf<typeof newAccounts>>

/** The lines of all accounts. */
export const lines = table('ledger_lines', ['id'], {
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
export const lineColumns = lines.columns

/** Returns SQL that inserts accounts without a purpose. */
export const insertingLedgerAccounts = newAccounts.insert

/**
 * Opens accounts in the order of their purposes, skipping those that another transaction has opened. Returns
 * the accounts that were opened.
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

/** Returns the accounts that exist for the given purposes. */
export const selectAccountsByPurpose = (db: Reader, purposes: AccountPurpose[]) =>
  selectEach<{ id: string; purpose: string; currency: string }>(
    db,
    byPurpose(purposes),
    sql`
      select id, purpose, currency from ledger_accounts
      where space_id = requested.space_id and environment = requested.environment
        and purpose = requested.purpose and currency = requested.currency`,
  )

const byPurpose = unnestScoped({ purpose: text, currency: text })

export const insertFinancialAccounts = (tx: Tx, accounts: Scoped<FinancialAccount>[]) =>
  tx.run(financialAccounts.insert(accounts))

/**
 * Returns SQL that inserts accounts as part of a larger statement. The statement fails if a reference is taken.
 * The rows are ordered by reference, so that two such statements cannot deadlock.
 */
export const insertingFinancialAccounts = (accounts: Scoped<FinancialAccount>[]): Sql =>
  sql`${financialAccounts.insert(accounts)} order by space_id, environment, reference, id`

/** Inserts the accounts whose references are not taken, and returns their ids. */
export async function insertReferencedAccounts(
  tx: Tx,
  accounts: Scoped<FinancialAccount>[],
): Promise<Set<string>> {
  const inserted = await tx.query<{ id: string }>(sql`
    ${insertingFinancialAccounts(accounts)}
    on conflict (space_id, environment, reference) do nothing
    returning id`)
  return new Set(inserted.map(({ id }) => id))
}

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

/** Returns the accounts with this number. Numbers are unique within a Space and environment only. */
export const selectAccountsNumbered = async (db: Reader, uvan: string): Promise<Scoped<{ id: string }>[]> =>
  (
    await db.query<Scope & { id: string }>(sql`
      -- every space: the code on a statement does not name its Space.
      select space_id, environment, id from financial_accounts where uvan = ${uvan} limit 100`)
  ).map(scoped)

export const shareAccounts = (db: Database) => shareReads(db, financialAccounts.requested)

export const selectFinancialAccounts = (
  db: Database,
  scope: Scope,
  { q, uvan, reference }: FilterOf<FinancialAccount, 'uvan' | 'reference'>,
  page: Page,
) =>
  selectFiltered(db, financialAccounts, scope, page, [
    nameFilter(q, namesOf),
    equals(sql`uvan`, sql`text`, uvan, { leadsTo: 'few' }),
    equals(sql`reference`, sql`text`, reference, { leadsTo: 'few' }),
  ])

function namesOf(q: string): Names {
  const object = readObjectId(q)
  return { few: [sql`uvan = ${q}`, sql`reference = ${q}`, ...(object ? [sql`id = ${object.id}`] : [])] }
}

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
      where space_id = requested.space_id and environment = requested.environment and id = requested.id`,
  )

export type AccountId = Scoped<{ id: string }>

/** Returns those of the accounts that belong to merchants, with their currencies. */
export const selectCurrencies = (db: Reader, ids: AccountId[]) =>
  selectEach<{ id: string; currency: string }>(
    db,
    byId(ids),
    sql`
      select id, currency from ledger_accounts
      where space_id = requested.space_id and environment = requested.environment and id = requested.id
        and kind = 'financial'`,
  )

export type PostingLine = Scoped<{
  /** The number of the line's posting within the statement, counted from 1. */
  posting: number
  id: string
  accountId: string
  amount: bigint
  /** The amount that the line releases from the account's holds. */
  release: bigint
  feeCode: string | null
  reference: string
  /** The owners (`OwnerRef[]`) as JSON. */
  owners: string
  at: Date
  reverses: Reversal | null
}>

/** A line that is reversed: its id and the reference of its posting. */
export type Reversal = { lineId: string; reference: string }

/**
 * Builds a call to `ledger_post`, either as a separate statement or at the end of a larger one. The call
 * returns whether each posting was posted. If `strict` is true, a posting that would overdraw an account makes
 * the statement fail; see `overdrawnPostings`.
 */
export function callLedgerPost(lines: PostingLine[], strict: Sql): Sql {
  const accounts = inLockOrder(lines.map(({ scope, accountId: id }) => ({ scope, id })))
  const numbers = new Map(accounts.map(({ scope, id }, i) => [globalName(scope, id), i + 1]))
  const numberOf = ({ scope, accountId }: PostingLine) =>
    must(numbers.get(globalName(scope, accountId)), 'account of a line')
  const isAnyReversing = lines.some(({ reverses }) => reverses !== null)
  return sql`ledger_post(${strict}, ${uuids(accounts.map(({ scope }) => scope.spaceId))}::uuid[],
    ${texts(accounts.map(({ scope }) => scope.environment))}::text[]::environment[],
    ${uuids(accounts.map(({ id }) => id))}::uuid[],
    ${ints(lines.map(({ posting }) => posting))}::int[], ${uuids(lines.map(({ id }) => id))}::uuid[],
    ${ints(lines.map(numberOf))}::int[],
    ${bigints(lines.map(({ amount }) => amount))}::bigint[], ${bigints(lines.map(({ release }) => release))}::bigint[],
    ${texts(lines.map(({ feeCode }) => feeCode))}::text[], ${texts(lines.map(({ reference }) => reference))}::text[],
    ${texts(lines.map(({ owners }) => owners))}::text[],
    ${times(lines.map(({ at }) => at))}::timestamptz[],
    ${isAnyReversing ? uuids(lines.map(({ reverses }) => reverses?.lineId ?? null)) : null}::uuid[],
    ${isAnyReversing ? texts(lines.map(({ reverses }) => reverses?.reference ?? null)) : null}::text[])`
}

/** The accounts that each transaction has locked, by names that are unique across all Spaces. */
const lockedAccounts = new WeakMap<Tx, Set<string>>()

/**
 * Asserts that a transaction locks all its accounts together. If it locked some accounts first and others
 * later, it could deadlock with another transaction, even though accounts that are locked together are always
 * locked in the same order. The accounts of a Space whose books this transaction begins are exempt, because no
 * other transaction can see them yet.
 */
export function assertLockedOnce(tx: Tx, accounts: AccountId[]): void {
  const shared = accounts.filter(({ scope }) => !hasBegunBooks(tx, scope.spaceId))
  const names = shared.map(({ scope, id }) => globalName(scope, id))
  const locked = lockedAccounts.get(tx)
  if (!locked) lockedAccounts.set(tx, new Set(names))
  else
    assert(
      names.every((name) => locked.has(name)),
      'a transaction must lock all its accounts together',
    )
}

/** Inserts postings. Returns, in the given order, whether each of them was posted. */
export async function insertPostings(tx: Tx, lines: PostingLine[]): Promise<boolean[]> {
  assertLockedOnce(
    tx,
    lines.map(({ scope, accountId: id }) => ({ scope, id })),
  )
  const call = callLedgerPost(lines, sql`false`)
  return (await tx.only<{ posted: boolean[] }>(sql`select ${call} as posted`)).posted
}

/**
 * Returns the numbers (counted from 0) of the postings that would have overdrawn an account, or `undefined` if
 * a strict call failed for a different reason.
 */
export const overdrawnPostings = (error: unknown): Set<number> | undefined =>
  codeOf(error) === 'PS001'
    ? new Set(
        String(fieldsOf(error).detail)
          .split(' ')
          .map((number) => Number(number) - 1),
      )
    : undefined

/** Returns whether the error means that a posting would have made a balance exceed its range, ±(2^63 − 1). */
export const isBalanceOutOfRange = (error: unknown) => codeOf(error) === '22003'

export const shareLines = (db: Database) => shareReads(db, sql`${lines.requested} and is_financial`)

export const selectLinesById = (db: Reader, scope: Scope, ids: string[]) =>
  db.query(sql`${lines.of(scope)} and ${isOneOf(sql`id`, ids)}`)

/** Returns those lines of postings that a merchant can see. */
export const selectLinesOf = (db: Reader, postings: Scoped<{ reference: string; at: Date }>[]) =>
  selectEach<Line>(
    db,
    byPosting(
      postings.map(({ at, ...posting }) => ({ ...posting, firstId: firstId(at), lastId: lastId(at) })),
    ),
    sql`
      select ${lines.columns} from ledger_lines
      where space_id = requested.space_id and environment = requested.environment
        and reference = requested.reference and id between requested.first_id and requested.last_id and is_financial`,
  )

const byPosting = unnestScoped({ reference: text, firstId: uuid, lastId: uuid })

/** Returns the owners of a posting, which must exist. */
export const selectOwners = async (db: Reader, { spaceId, environment }: Scope, reference: string) =>
  (
    await db.only<{ owners: OwnerRef[] }>(sql`
    select owners from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} ${whereReference(reference)} limit 1`)
  ).owners

/** Returns the id of the clearing account that a posting uses. There must be one. */
export const selectClearing = async (db: Reader, { spaceId, environment }: Scope, reference: string) =>
  (
    await db.only<{ id: string }>(sql`
    select id from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and kind = 'clearing' and id in (
      select account_id from ledger_lines
      where space_id = ${spaceId} and environment = ${environment} ${whereReference(reference)})`)
  ).id

/**
 * Does the same as `selectPostedLines` for postings of releases whose lines have only the time in common with the fact.
 * It reads all lines of the Space with that time.
 */
// every space: the fact has the Space
const selectLinesOfMoment = sql`array(
  select line.id from ledger_lines line
  where line.space_id = chosen.space_id and line.environment = chosen.environment
    and line.id between id_moment_start(chosen.id) and id_moment_end(chosen.id)
    and line.reference = chosen.posting and line.is_financial
  order by line.id)`

/**
 * SQL for the ids of the lines that a merchant can see, in order, of the posting of fact `chosen`. These are the
 * lines that have events. Their ids differ from that of the fact only in the last byte.
 */
// every space: the fact has the Space
export const selectPostedLines = sql`(
  select case when count(*) > 0
    then coalesce(array_agg(line.id order by line.id) filter (where line.is_financial), '{}')
    else ${selectLinesOfMoment} end
  from ledger_lines line
  where line.space_id = chosen.space_id and line.environment = chosen.environment
    and line.id between (left(chosen.id::text, 34) || '00')::uuid and (left(chosen.id::text, 34) || 'ff')::uuid
    and line.reference = chosen.posting)`
