import type { Scope } from '../platform/clock.ts'
import { type Reader, type Tx, violatedConstraint } from '../platform/db/database.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, readId, showId } from '../platform/ids.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { judgeCurrency } from './account-faults.ts'
import {
  type Balance,
  type FinancialAccount,
  insertFinancialAccount,
  insertLedgerAccount,
  selectAccountByPurpose,
  selectBalances,
  selectCurrencies,
  selectFinancialAccount,
  updateFinancialAccount,
} from './store.ts'
import { newUvan } from './uvan.ts'

export type { Balance, FinancialAccount } from './store.ts'

export type NewAccount = {
  name: string
  currency: string
  reference?: string
  description?: string
  metadata?: Metadata
}

/** Opens an account of the merchant's. Its balance can never become negative. */
export async function openAccount(
  tx: Tx,
  scope: Scope,
  given: NewAccount,
  at: Date,
): Promise<FinancialAccount> {
  const faults = new Faults()
  judgeCurrency(faults, 'currency', given.currency)
  faults.refuse()
  return insertAccount(tx, scope, given, null, at)
}

/** The Space's main account of a currency, if it was opened: which it is never changes. */
export const findMainAccount = (db: Reader, scope: Scope, currency: string) =>
  selectAccountByPurpose(db, scope, 'main', currency)

/** The Space's main account of a currency, opened when it is first needed. */
export async function mainAccount(tx: Tx, scope: Scope, currency: string, at: Date): Promise<string> {
  const known = await selectAccountByPurpose(tx, scope, 'main', currency)
  if (known) return known
  const name = `Main ${currency}`
  // Two at once: the loser of the unique index finds the winner's.
  try {
    return (await tx.savepoint(() => insertAccount(tx, scope, { name, currency }, 'main', at))).id
  } catch (error) {
    if (violatedConstraint(error) !== 'ledger_accounts_purpose') throw error
    return (await selectAccountByPurpose(tx, scope, 'main', currency))!
  }
}

async function insertAccount(tx: Tx, scope: Scope, given: NewAccount, purpose: string | null, at: Date) {
  const account: FinancialAccount = {
    id: newId(at),
    name: given.name,
    currency: given.currency,
    reference: given.reference || null,
    description: given.description || null,
    uvan: newUvan(),
    metadata: given.metadata ?? {},
    createdAt: at,
    updatedAt: at,
  }
  const { id, currency } = account
  await insertLedgerAccount(tx, scope, { id, kind: 'financial', purpose, currency, allowsNegative: false })
  await insertFinancialAccount(tx, scope, account).catch(refuseTakenReference)
  return account
}

/** Accounts of the service itself. They stand in the Space's own books, so that these balance by themselves. */
export type SystemPurpose =
  | `clearing ${string} ${'collection' | 'disbursement'}`
  | 'fees'
  | 'suspense'
  | 'funding'

/** The service's account for a purpose, opened when it is first needed. */
export async function systemAccount(
  tx: Tx,
  scope: Scope,
  purpose: SystemPurpose,
  currency: string,
  at: Date,
) {
  const known = await selectAccountByPurpose(tx, scope, purpose, currency)
  if (known) return known
  const kind = purpose.split(' ', 1)[0] as 'clearing' | 'fees' | 'suspense' | 'funding'
  // Clearing and funding owe what others hold, and suspense what left after a failure; fees only ever receive.
  const allowsNegative = kind !== 'fees'
  await insertLedgerAccount(tx, scope, { id: newId(at), kind, purpose, currency, allowsNegative })
  return (await selectAccountByPurpose(tx, scope, purpose, currency))!
}

export type AccountChange = {
  name?: string
  reference?: string | null
  description?: string | null
  metadata?: Metadata | null
}

/** Changes the named fields only. */
export async function changeAccount(tx: Tx, scope: Scope, id: string, change: AccountChange, at: Date) {
  const account = await selectFinancialAccount(tx, scope, id, 'for update')
  if (!account) throw new Refusal('not_found')
  const changed: FinancialAccount = {
    ...account,
    ...(change.name !== undefined && { name: change.name }),
    ...(change.reference !== undefined && { reference: change.reference || null }),
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateFinancialAccount(tx, scope, changed).catch(refuseTakenReference)
  return changed
}

function refuseTakenReference(error: unknown): never {
  if (violatedConstraint(error) === 'financial_accounts_reference')
    throw new Refusal('reference_in_use', {
      details: [{ param: 'reference', errors: ['is taken by another account'] }],
    })
  throw error
}

export const findAccount = (db: Reader, scope: Scope, id: string) => selectFinancialAccount(db, scope, id)

/** The inner id of an account that a query names; refuses one that is not in this scope, naming the parameter. */
export async function accountInQuery(
  db: Reader,
  scope: Scope,
  param: string,
  shown: string,
): Promise<string> {
  const id = readId('financialAccount', shown)
  if (!id || !(await selectFinancialAccount(db, scope, id)))
    throw new Refusal('arguments_invalid', {
      details: [{ param, errors: ['names no financial account here'] }],
    })
  return id
}

/** The currencies of those ids that are accounts of the merchant's. */
export const findCurrencies = (db: Reader, scope: Scope, ids: string[]) => selectCurrencies(db, scope, ids)

export const findBalances = (db: Reader, scope: Scope, ids: string[]) => selectBalances(db, scope, ids)

/** The resource as the API shows it. */
export function presentAccount(scope: Scope, account: FinancialAccount, balance?: Balance) {
  const money = (value: bigint) => ({ currency: account.currency, value: wholeNumber(value) })
  return {
    id: showId('financialAccount', account.id),
    uvan: account.uvan,
    name: account.name,
    currency: account.currency,
    reference: account.reference,
    description: account.description,
    ...(balance && {
      balance: { available: money(balance.posted - balance.held), held: money(balance.held) },
    }),
    createTime: account.createdAt.toISOString(),
    updateTime: account.updatedAt.toISOString(),
    ownershipGraph: spaceGraph(scope.spaceId),
    metadata: account.metadata,
  }
}
