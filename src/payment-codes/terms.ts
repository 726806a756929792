import { parsePhone } from '../countries/phones.ts'
import { judgeAccount, judgeCurrency } from '../ledger/account-faults.ts'
import { type FinancialAccount, findAccount } from '../ledger/accounts.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Reader } from '../platform/db/database.ts'
import { parseDuration } from '../platform/duration.ts'
import type { Sound } from '../platform/http/route.ts'
import { readId } from '../platform/ids.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import { findSpace } from '../spaces/spaces.ts'
import { defaultDuration, type PaymentCodeChange } from './shapes.ts'
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
  | 'metadata'
  | 'expiresAt'
> & {
  /** null: the main account of the code's currency. */
  financialAccountId: string | null
}

/**
 * Reads what a request names, and no more, for a code of this mode and currency; what is null becomes what it is when
 * nothing is said. Adds what is wrong to `faults`; then the answer is of no use.
 */
export async function readTerms(
  db: Reader,
  { catalogue }: { catalogue: Catalogue },
  scope: Scope,
  { mode, currency }: { mode: PaymentCode['mode'] | undefined; currency: string },
  given: Sound<PaymentCodeChange>,
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
    terms.authorizedPhoneNumber = await readPhone(db, scope, given.authorizedPhoneNumber, faults)
  if (given.financialAccountId !== undefined)
    terms.financialAccountId = await readAccount(db, scope, given.financialAccountId, currency, faults)
  return terms
}

/** Who may pay is said by provider or by phone number, not by both. */
export function checkAuthorized(
  { authorizedProviders, authorizedPhoneNumber }: Partial<Terms>,
  faults: Faults,
): void {
  if (!authorizedProviders || !authorizedPhoneNumber) return
  if (faults.isFaulty('authorizedProviders') || faults.isFaulty('authorizedPhoneNumber')) return
  faults.add('authorizedProviders', 'cannot stand beside authorizedPhoneNumber')
  faults.add('authorizedPhoneNumber', 'cannot stand beside authorizedProviders')
}

export const expiryOf = (duration: string | null, at: Date) =>
  new Date(at.getTime() + parseDuration(duration ?? defaultDuration)!)

type SoundMoney = Sound<{ currency: string; value: number }>

function readMoney(param: string, money: SoundMoney | null | undefined, currency: string, faults: Faults) {
  if (!money) return null
  const named = judgeCurrency(faults, `${param}.currency`, money.currency)
  if (named !== undefined && named !== currency)
    faults.add(`${param}.currency`, `must be ${currency}, as the code's other amounts and its account`)
  return money.value === undefined ? null : BigInt(money.value)
}

function readTarget(
  target: Exclude<Sound<PaymentCodeChange>['recurrentPaymentTarget'], undefined>,
  mode: PaymentCode['mode'] | undefined,
  currency: string,
  faults: Faults,
): Pick<Terms, 'expectedCount' | 'expectedTotal'> {
  if (target && mode === 'one_time') faults.add('recurrentPaymentTarget', 'is for recurrent codes only')
  const total = 'recurrentPaymentTarget.expectedPaymentTotal'
  return {
    expectedCount: target?.expectedPaymentCount ?? null,
    expectedTotal: readMoney(total, target?.expectedPaymentTotal, currency, faults),
  }
}

function readProviders(
  ids: (string | undefined)[] | null,
  catalogue: Catalogue,
  currency: string,
  faults: Faults,
) {
  ids?.forEach((id, i) => {
    if (id === undefined) return
    const provider = catalogue.find(id)
    const param = `authorizedProviders[${i}]`
    if (provider?.type !== 'momo') faults.add(param, 'is not a momo provider')
    else if (!provider.currencies.includes(currency)) faults.add(param, `does not take ${currency}`)
    if (ids.indexOf(id) < i) faults.add(param, 'is named twice')
  })
  return ids?.filter((id) => id !== undefined) ?? null
}

async function readPhone(db: Reader, scope: Scope, text: string | null, faults: Faults) {
  if (text === null) return null
  const { country } = (await findSpace(db, scope.spaceId))!
  const phoneNumber = parsePhone(text, country, scope.environment)
  if (!phoneNumber) faults.add('authorizedPhoneNumber', 'is not a phone number')
  return phoneNumber ?? null
}

async function readAccount(
  db: Reader,
  scope: Scope,
  shown: string | null,
  currency: string,
  faults: Faults,
): Promise<string | null> {
  if (shown === null) return null
  const account = await accountNamed(db, scope, shown)
  judgeAccount(faults, 'financialAccountId', account?.currency, currency)
  return account?.id ?? ''
}

export async function accountNamed(
  db: Reader,
  scope: Scope,
  shown: string,
): Promise<FinancialAccount | undefined> {
  const id = readId(accountIds, shown)
  return id ? findAccount(db, scope, id) : undefined
}
