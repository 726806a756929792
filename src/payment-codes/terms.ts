import { isSupportedCurrency } from '../countries/money.ts'
import { parsePhone } from '../countries/phones.ts'
import { type FinancialAccount, findAccount, mainAccount } from '../ledger/accounts.ts'
import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { parseDuration } from '../platform/duration.ts'
import { readId } from '../platform/ids.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { findSpace } from '../spaces/spaces.ts'
import type { PaymentCodeChange } from './shapes.ts'
import type { PaymentCode } from './store.ts'

/** What a merchant may say of a code, beside its mode. */
export type Terms = Pick<
  PaymentCode,
  | 'name'
  | 'amount'
  | 'enabled'
  | 'customerName'
  | 'reference'
  | 'authorizedProviders'
  | 'authorizedPhoneNumber'
  | 'expectedCount'
  | 'expectedTotal'
  | 'financialAccountId'
  | 'metadata'
  | 'expiresAt'
>

const defaultDuration = '10m'

/**
 * Reads what a request names, and no more, for a code of this mode and currency; what is null becomes what it is when
 * nothing is said. Adds what is wrong to `faults`; then the answer is of no use.
 */
export async function readTerms(
  tx: Tx,
  { catalogue }: { catalogue: Catalogue },
  scope: Scope,
  { mode, currency }: Pick<PaymentCode, 'mode' | 'currency'>,
  given: PaymentCodeChange,
  at: Date,
  faults: Faults,
): Promise<Partial<Terms>> {
  const terms: Partial<Terms> = {}
  if (given.name !== undefined) terms.name = given.name
  if (given.enable !== undefined) terms.enabled = given.enable ?? true
  if (given.customer !== undefined) terms.customerName = given.customer?.name || null
  if (given.reference !== undefined) terms.reference = given.reference || null
  if (given.metadata !== undefined) terms.metadata = given.metadata ?? {}
  if (given.duration !== undefined) terms.expiresAt = expiryOf(given.duration, at)
  if (given.amount !== undefined) terms.amount = readMoney('amount', given.amount, currency, faults)
  if (given.recurrentPaymentTarget !== undefined)
    Object.assign(terms, readTarget(given.recurrentPaymentTarget, mode, currency, faults))
  if (given.authorizedProviders !== undefined)
    terms.authorizedProviders = readProviders(given.authorizedProviders, catalogue, currency, faults)
  if (given.authorizedPhoneNumber !== undefined)
    terms.authorizedPhoneNumber = await readPhone(tx, scope, given.authorizedPhoneNumber, faults)
  if (given.financialAccountId !== undefined)
    terms.financialAccountId = await readAccount(tx, scope, given.financialAccountId, currency, at, faults)
  return terms
}

/** Who may pay is said by provider or by phone number, not by both. */
export function checkAuthorized(
  { authorizedProviders, authorizedPhoneNumber }: Partial<Terms>,
  faults: Faults,
): void {
  if (!authorizedProviders || !authorizedPhoneNumber) return
  faults.add('authorizedProviders', 'cannot stand beside authorizedPhoneNumber')
  faults.add('authorizedPhoneNumber', 'cannot stand beside authorizedProviders')
}

export const expiryOf = (duration: string | null, at: Date) =>
  new Date(at.getTime() + parseDuration(duration ?? defaultDuration)!)

type Money = { currency: string; value: number }

function readMoney(param: string, money: Money | null | undefined, currency: string, faults: Faults) {
  if (!money) return null
  if (!isSupportedCurrency(money.currency)) faults.add(`${param}.currency`, 'is not a supported currency')
  else if (money.currency !== currency)
    faults.add(`${param}.currency`, `must be ${currency}, as the code's other amounts and its account`)
  return BigInt(money.value)
}

function readTarget(
  target: Exclude<PaymentCodeChange['recurrentPaymentTarget'], undefined>,
  mode: PaymentCode['mode'],
  currency: string,
  faults: Faults,
): Pick<Terms, 'expectedCount' | 'expectedTotal'> {
  if (target && mode !== 'recurrent') faults.add('recurrentPaymentTarget', 'is for recurrent codes only')
  const total = 'recurrentPaymentTarget.expectedPaymentTotal'
  return {
    expectedCount: target?.expectedPaymentCount ?? null,
    expectedTotal: readMoney(total, target?.expectedPaymentTotal, currency, faults),
  }
}

function readProviders(ids: string[] | null, catalogue: Catalogue, currency: string, faults: Faults) {
  ids?.forEach((id, i) => {
    const provider = catalogue.find(id)
    const param = `authorizedProviders[${i}]`
    if (provider?.type !== 'momo') faults.add(param, 'is not a momo provider')
    else if (!provider.currencies.includes(currency)) faults.add(param, `does not take ${currency}`)
    if (ids.indexOf(id) < i) faults.add(param, 'is named twice')
  })
  return ids
}

async function readPhone(db: Reader, scope: Scope, text: string | null, faults: Faults) {
  if (text === null) return null
  const { country } = (await findSpace(db, scope.spaceId))!
  const phoneNumber = parsePhone(text, country, scope.environment)
  if (!phoneNumber) faults.add('authorizedPhoneNumber', 'is not a phone number')
  return phoneNumber ?? null
}

async function readAccount(
  tx: Tx,
  scope: Scope,
  shown: string | null,
  currency: string,
  at: Date,
  faults: Faults,
): Promise<string> {
  if (shown === null) return mainAccount(tx, scope, currency, at)
  const account = await accountNamed(tx, scope, shown)
  if (!account) faults.add('financialAccountId', 'names no financial account here')
  else if (account.currency !== currency)
    faults.add('financialAccountId', `is an account in ${account.currency}, not ${currency}`)
  return account?.id ?? ''
}

export async function accountNamed(
  db: Reader,
  scope: Scope,
  shown: string,
): Promise<FinancialAccount | undefined> {
  const id = readId('financialAccount', shown)
  return id ? findAccount(db, scope, id) : undefined
}
