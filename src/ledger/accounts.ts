import type { Reader, Tx } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/failures.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { wholeNumber } from '../platform/http/json.ts'
import type { Metadata } from '../platform/http/shapes.ts'
import { newId, readId, showId } from '../platform/ids.ts'
import { Faults, Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { spaceGraph } from '../spaces/ownership.ts'
import { judgeCurrency } from './account-faults.ts'
import { accountIds } from './resources.ts'
import {
  type Balance,
  type Direction,
  type FinancialAccount,
  insertFinancialAccounts,
  insertLedgerAccounts,
  type LedgerAccount,
  selectAccountsByPurpose,
  selectBalances,
  selectFinancialAccount,
  updateFinancialAccount,
} from './store.ts'
import { newUvan } from './uvan.ts'

export type { Balance, Direction, FinancialAccount } from './store.ts'

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
  const account = newAccount(scope, given, at)
  const { id, currency } = account
  await insertLedgerAccounts(tx, [
    {
      scope,
      id,
      kind: 'financial',
      purpose: null,
      currency,
      allowsNegative: false,
      providerId: null,
      direction: null,
    },
  ])
  await insertFinancialAccounts(tx, [account]).catch(refuseTakenReference)
  return account
}

const newAccount = (scope: Scope, given: NewAccount, at: Date): Scoped<FinancialAccount> => ({
  scope,
  id: newId(at),
  name: given.name,
  currency: given.currency,
  reference: given.reference || null,
  description: given.description || null,
  uvan: newUvan(),
  metadata: given.metadata ?? {},
  createdAt: at,
  updatedAt: at,
})

/** What some account is wanted for. */
type Wanted = Scoped<{ purpose: string; currency: string; at: Date }>

/** The Space's main account of a currency, if it was opened: which it is never changes. */
export const findMainAccount = (db: Reader, scope: Scope, currency: string) =>
  selectAccountsByPurpose(db, [{ scope, purpose: 'main', currency }]).then(([account]) => account?.id)

/** The Space's main account of a currency, opened when it is first needed. */
export const mainAccount = async (tx: Tx, scope: Scope, currency: string, at: Date): Promise<string> =>
  (await mainAccounts(tx, [{ scope, currency, at }]))[0]!

/** The same for many, of whatever Spaces. */
export const mainAccounts = (tx: Tx, wanted: Scoped<{ currency: string; at: Date }>[]): Promise<string[]> =>
  accountsFor(
    tx,
    wanted.map(({ scope, currency, at }) => ({ scope, purpose: 'main', currency, at })),
    async (missing) => {
      const accounts = missing.map(({ scope, currency, at }) =>
        newAccount(scope, { name: `Main ${currency}`, currency }, at),
      )
      const opened = byName(await insertLedgerAccounts(tx, accounts.map(mainOf)))
      await insertFinancialAccounts(
        tx,
        accounts.filter(({ scope, id }) => opened.has(nameIn(scope, id))),
      )
    },
  )

const mainOf = ({ scope, id, currency }: Scoped<FinancialAccount>): LedgerAccount => ({
  scope,
  id,
  kind: 'financial',
  purpose: 'main',
  currency,
  allowsNegative: false,
  providerId: null,
  direction: null,
})

/** Accounts of the service itself. They stand in the Space's own books, so that these balance by themselves. */
export type SystemPurpose = { purpose: 'fees' | 'suspense' | 'funding' } | ReturnType<typeof clearingOf>

/** What a provider moved in a direction, which it has to account for. */
export const clearingOf = (providerId: string, direction: Direction) => ({
  purpose: `clearing ${providerId} ${direction}` as const,
  providerId,
  direction,
})

/** The service's account for a purpose, opened when it is first needed. */
export const systemAccount = async (
  tx: Tx,
  scope: Scope,
  purpose: 'fees' | 'suspense' | 'funding',
  currency: string,
  at: Date,
): Promise<string> => (await systemAccounts(tx, [{ scope, purpose, currency, at }]))[0]!

/** The same for many, of whatever Spaces. */
export const systemAccounts = (tx: Tx, wanted: (Wanted & SystemPurpose)[]): Promise<string[]> =>
  accountsFor(tx, wanted, (missing) =>
    insertLedgerAccounts(
      tx,
      missing.map((one) => {
        const kind = 'providerId' in one ? 'clearing' : one.purpose
        // Clearing and funding owe what others hold, and suspense what left after a failure; fees only ever receive.
        return {
          providerId: null,
          direction: null,
          ...one,
          id: newId(one.at),
          kind,
          allowsNegative: kind !== 'fees',
        }
      }),
    ),
  )

/**
 * Of each thing that a provider has moved money for: the provider's clearing account, and the one for fees where any of
 * them has a fee.
 */
export async function settlementAccounts(
  tx: Tx,
  direction: Direction,
  settled: Scoped<{ providerId: string; currency: string; fees: unknown[]; updatedAt: Date }>[],
): Promise<{ clearing: string; fees: string | undefined }[]> {
  const placed = settled.map(({ scope, currency, updatedAt: at, providerId }) => ({
    where: { scope, currency, at },
    clearing: clearingOf(providerId, direction),
  }))
  const hasFees = settled.some(({ fees }) => fees.length > 0)
  const accounts = await systemAccounts(tx, [
    ...placed.map(({ where, clearing }) => ({ ...where, ...clearing })),
    ...(hasFees ? placed : []).map(({ where }) => ({ ...where, purpose: 'fees' as const })),
  ])
  return settled.map((_, i) => ({ clearing: accounts[i]!, fees: accounts[settled.length + i] }))
}

/** The accounts for some purposes; `open` opens those that are missing, unless somebody else does at the same time. */
async function accountsFor<One extends Wanted>(
  tx: Tx,
  wanted: One[],
  open: (missing: One[]) => Promise<unknown>,
): Promise<string[]> {
  const nameOf = ({ scope, purpose, currency }: Omit<Wanted, 'at'>) => nameIn(scope, `${purpose} ${currency}`)
  const distinct = [...new Map(wanted.map((one) => [nameOf(one), one])).values()]
  const known = new Map<string, string>()
  const look = async (some: One[]) => {
    if (some.length === 0) return
    for (const account of await selectAccountsByPurpose(tx, some)) known.set(nameOf(account), account.id)
  }
  await look(distinct)
  const missing = distinct.filter((one) => !known.has(nameOf(one)))
  if (missing.length > 0) await open(missing)
  await look(missing)
  return wanted.map((one) => known.get(nameOf(one))!)
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
  const id = readId(accountIds, shown)
  if (!id || !(await selectFinancialAccount(db, scope, id)))
    throw new Refusal('arguments_invalid', {
      details: [{ param, errors: ['names no financial account here'] }],
    })
  return id
}

export const findBalances = (db: Reader, scope: Scope, ids: string[]) => selectBalances(db, scope, ids)

/** The resource as the API shows it. */
export function presentAccount(scope: Scope, account: FinancialAccount, balance?: Balance) {
  const money = (value: bigint) => ({ currency: account.currency, value: wholeNumber(value) })
  return {
    id: showId(accountIds, account.id),
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
