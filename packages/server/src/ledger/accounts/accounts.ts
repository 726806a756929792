import { must, only, wholeNumber } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failures.ts'
import { byGlobalName, globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { Call } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { newId, readId, showId } from '../../platform/ids.ts'
import { argumentRefusal, existing, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { accountIds } from './resources.ts'
import {
  type AccountPurpose,
  type Balance,
  type Direction,
  type FinancialAccount,
  insertFinancialAccounts,
  insertLedgerAccounts,
  type LedgerAccount,
  selectAccountsByPurpose,
  selectFinancialAccount,
  updateFinancialAccount,
} from './store.ts'
import { newUvan } from './uvan.ts'

export type NewAccount = {
  name: string
  currency: string
  reference?: string
  description?: string
  metadata?: Metadata
}

/** Builds a merchant account without writing it. */
export const buildAccount = (scope: Scope, account: NewAccount, at: Date): Scoped<FinancialAccount> => ({
  scope,
  id: newId(at),
  name: account.name,
  currency: account.currency,
  reference: account.reference || null,
  description: account.description || null,
  uvan: newUvan(),
  metadata: account.metadata ?? {},
  createdAt: at,
  updatedAt: at,
})

const withoutProvider = { providerId: null, direction: null }

/** Builds the ledger account of a merchant account. Its balance can never become negative. */
export const ledgerAccountOf = (
  { scope, id, currency }: Scoped<FinancialAccount>,
  purpose: 'main' | null,
): LedgerAccount => ({
  scope,
  id,
  kind: 'financial',
  purpose,
  currency,
  allowsNegative: false,
  ...withoutProvider,
})

/** An account for a specific purpose, which is opened when it is first needed. */
type NeededAccount = AccountPurpose & { at: Date }

/**
 * Returns the Space's main account in a currency, or `undefined` if it has not been opened yet. A Space's main
 * account never changes.
 */
export const findMainAccount = (db: Reader, scope: Scope, currency: string) =>
  selectAccountsByPurpose(db, [{ scope, purpose: 'main', currency }]).then(([account]) => account?.id)

/** Returns the Space's main account in a currency. Opens the account if it does not exist yet. */
export const mainAccount = async (tx: Tx, scope: Scope, currency: string, at: Date): Promise<string> =>
  only(await mainAccounts(tx, [{ scope, currency, at }]))

/** Returns several main accounts, which may belong to different Spaces. Opens those that do not exist yet. */
export const mainAccounts = (tx: Tx, needed: Scoped<{ currency: string; at: Date }>[]): Promise<string[]> =>
  findOrOpenAccounts(
    tx,
    needed.map(({ scope, currency, at }) => ({ scope, purpose: 'main', currency, at })),
    async (missing) => {
      const accounts = missing.map(({ scope, currency, at }) =>
        buildAccount(scope, { name: `Main ${currency}`, currency }, at),
      )
      const ledgerAccounts = accounts.map((account) => ledgerAccountOf(account, 'main'))
      const opened = byGlobalName(await insertLedgerAccounts(tx, ledgerAccounts))
      await insertFinancialAccounts(
        tx,
        accounts.filter(({ scope, id }) => opened.has(globalName(scope, id))),
      )
    },
  )

/**
 * The purpose of a system account. Each Space has its own system accounts, so the books of each Space balance
 * independently.
 */
export type SystemPurpose = { purpose: OwnPurpose } | ReturnType<typeof clearingPurpose>
type OwnPurpose = 'fees' | 'suspense' | 'funding' | 'elsewhere' | 'bank'

/** Returns the purpose of the clearing account for money that a provider moves in one direction. */
export const clearingPurpose = (providerId: string, direction: Direction) => ({
  purpose: `clearing ${providerId} ${direction}` as const,
  clearing: { providerId, direction },
})

/** Returns a system account. Opens the account if it does not exist yet. */
export const systemAccount = async (
  tx: Tx,
  scope: Scope,
  purpose: OwnPurpose,
  currency: string,
  at: Date,
): Promise<string> => only(await systemAccounts(tx, [{ scope, purpose, currency, at }]))

/** Returns several system accounts, which may belong to different Spaces. Opens those that do not exist yet. */
export const systemAccounts = (tx: Tx, needed: (NeededAccount & SystemPurpose)[]): Promise<string[]> =>
  findOrOpenAccounts(tx, needed, (missing) =>
    insertLedgerAccounts(
      tx,
      missing.map((account) => {
        const [kind, clearing] =
          'clearing' in account ? ['clearing' as const, account.clearing] : [account.purpose, withoutProvider]
        // The balance of a clearing, bank or funding account is negative while money is held for others. The
        // balance of `suspense` or `elsewhere` is negative if money left after a failure. The fees account only
        // receives money.
        return { ...account, ...clearing, id: newId(account.at), kind, allowsNegative: kind !== 'fees' }
      }),
    ),
  )

/**
 * Returns the clearing account of the provider for each object, and the fees account if any of the objects has
 * a fee.
 */
export async function providerAccounts(
  tx: Tx,
  direction: Direction,
  settled: Scoped<{ providerId: string; currency: string; fees: unknown[]; updatedAt: Date }>[],
): Promise<{ clearing: string; fees: string | undefined }[]> {
  const clearing = settled.map(({ scope, currency, updatedAt: at, providerId }) => ({
    ...{ scope, currency, at },
    ...clearingPurpose(providerId, direction),
  }))
  const fees = clearing.map(({ scope, currency, at }) => ({ scope, currency, at, purpose: 'fees' as const }))
  const hasFees = settled.some((one) => one.fees.length > 0)
  const accounts = await systemAccounts(tx, hasFees ? [...clearing, ...fees] : clearing)
  return settled.map((_, i) => ({
    clearing: must(accounts[i], 'clearing account'),
    fees: accounts[settled.length + i],
  }))
}

/**
 * Finds accounts by purpose. `open` opens those that do not exist; a concurrent transaction may have opened
 * them first.
 */
async function findOrOpenAccounts<Needed extends NeededAccount>(
  tx: Tx,
  needed: Needed[],
  open: (missing: Needed[]) => Promise<unknown>,
): Promise<string[]> {
  const nameOf = ({ scope, purpose, currency }: AccountPurpose) => globalName(scope, `${purpose} ${currency}`)
  const distinct = [...new Map(needed.map((account) => [nameOf(account), account])).values()]
  const ids = new Map<string, string>()
  const read = async (some: Needed[]) => {
    if (some.length === 0) return
    for (const account of await selectAccountsByPurpose(tx, some)) ids.set(nameOf(account), account.id)
  }
  await read(distinct)
  const missing = distinct.filter((account) => !ids.has(nameOf(account)))
  if (missing.length > 0) await open(missing)
  await read(missing)
  return needed.map((account) => must(ids.get(nameOf(account)), 'opened account'))
}

export type AccountChange = {
  name?: string
  reference?: string | null
  description?: string | null
  metadata?: Metadata | null
}

/** Changes an account. Only the fields that are present in `change` are changed. */
export async function changeAccount(tx: Tx, scope: Scope, id: string, change: AccountChange, at: Date) {
  const account = existing(await selectFinancialAccount(tx, scope, id, 'for update'))
  const changed: FinancialAccount = {
    ...account,
    ...(change.name !== undefined && { name: change.name }),
    ...(change.reference !== undefined && { reference: change.reference || null }),
    ...(change.description !== undefined && { description: change.description || null }),
    ...(change.metadata !== undefined && { metadata: change.metadata ?? {} }),
    updatedAt: at,
  }
  await updateFinancialAccount(tx, scope, changed).catch((error) => {
    throw isReferenceTaken(error) ? referenceTaken() : error
  })
  return changed
}

export const isReferenceTaken = (error: unknown) =>
  violatedConstraint(error) === 'financial_accounts_reference'

export const referenceTaken = () =>
  new Refusal('reference_in_use', {
    details: [{ param: 'reference', errors: ['is already used by another account'] }],
  })

/**
 * Returns the internal id of an account given in a query parameter. If the account does not exist in this
 * scope, refuses the request with an error about that parameter.
 */
export async function accountInQuery(
  db: Reader,
  scope: Scope,
  param: string,
  shown: string,
): Promise<string> {
  const id = readId(accountIds, shown)
  if (!id || !(await selectFinancialAccount(db, scope, id)))
    throw argumentRefusal(param, 'does not name a financial account in this Space')
  return id
}

/** Refuses a request for balances if the caller has no permission to read them. */
export function requireBalances({ may }: Pick<Call, 'may'>): void {
  if (!may('balances:read'))
    throw new Refusal('access_denied', { details: [{ param: 'permission', errors: ['balances:read'] }] })
}

/** Returns the account as it appears in the API. */
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
    ...presentOwned(scope.spaceId, account),
  }
}
