import { must } from '@pesewa/values'
import { parsePhone } from '@pesewa/values/phones'
import {
  type CurrencyCache,
  findCurrencies,
  validateAccount,
  validateCurrency,
} from '../../ledger/accounts/currencies.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { Reader } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { durationMs } from '../../platform/duration.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { readId } from '../../platform/ids.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { type CountryCache, findCountries } from '../../tenants/spaces/countries.ts'
import { defaultDuration, type PaymentCodeChange } from './shapes.ts'
import type { PaymentCode } from './store.ts'

/** The terms of a code that a merchant can choose, except its mode. */
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
  /** Null for the main account in the code's currency. */
  financialAccountId: string | null
}

/** The code as it was before the request. For a new code, only its currency and, if valid, its mode are known. */
type Before = Partial<Terms> & { mode: PaymentCode['mode'] | undefined; currency: string }

/** A request for a new code or for a change. */
type Requested = Scoped<{ body: WellFormed<PaymentCodeChange> }>

/**
 * The data that validation needs: the currencies of accounts, by their global names, and the countries of Spaces, by
 * the ids of the Spaces.
 */
export type Known = { currencies: Map<string, string>; countries: Map<string, string> }
export type KnownCaches = { currencies: CurrencyCache; countries: CountryCache }

export async function findKnown(
  db: Reader,
  requests: Requested[],
  caches: Partial<KnownCaches> = {},
): Promise<Known> {
  const accounts = requests.flatMap(({ scope, body }) => {
    const id = readAccountId(body.financialAccountId)
    return id === undefined ? [] : [{ scope, id }]
  })
  return {
    currencies: await findCurrencies(db, accounts, caches.currencies),
    countries: await findCountries(db, requests, caches.countries),
  }
}

const readAccountId = (shown: string | null | undefined) => (shown ? readId(accountIds, shown) : undefined)

/** Returns the currency of an account of the Space, or `undefined` if it does not exist. */
export const currencyOf = ({ currencies }: Known, scope: Scope, shown: string) =>
  currencies.get(globalName(scope, readAccountId(shown) ?? ''))

export const countryOf = ({ countries }: Known, { spaceId }: Scope) =>
  must(countries.get(spaceId), 'country of a Space')

/**
 * Returns only the terms that the request contains; null resets a term to its default. Adds the request's
 * issues to `issues`; if there are any, the result must not be used.
 */
export function validateCodeTerms(
  known: Known,
  { catalogue }: { catalogue: Catalogue },
  before: Before,
  { scope, body: request, at }: Requested & { at: Date },
  issues: Issues,
): Partial<Terms> {
  const { mode, currency } = before
  const terms: Partial<Terms> = {}
  if (request.name !== undefined) terms.name = request.name
  if (request.enable !== undefined) terms.enabled = request.enable ?? true
  if (request.customer !== undefined) terms.customerName = request.customer?.name || null
  if (request.reference !== undefined) terms.reference = request.reference || null
  if (request.metadata !== undefined) terms.metadata = request.metadata ?? {}
  if (request.duration !== undefined) terms.expiresAt = expiryOf(request.duration, at)
  if (request.amount !== undefined) terms.amount = readMoney('amount', request.amount, currency, issues)
  if (request.recurrentPaymentTarget !== undefined)
    Object.assign(terms, readTarget(request.recurrentPaymentTarget, mode, currency, issues))
  if (request.authorizedProviders !== undefined)
    terms.authorizedProviders = readProviders(request.authorizedProviders, catalogue, currency, issues)
  if (request.authorizedPhoneNumber !== undefined)
    terms.authorizedPhoneNumber = readPhone(known, scope, request.authorizedPhoneNumber, issues)
  if (request.financialAccountId !== undefined)
    terms.financialAccountId = readAccount(known, scope, request.financialAccountId, currency, issues)
  checkAuthorized({ ...before, ...terms }, issues)
  return terms
}

/** Adds an issue if payers are restricted both by provider and by phone number. */
function checkAuthorized({ authorizedProviders, authorizedPhoneNumber }: Partial<Terms>, issues: Issues) {
  if (!authorizedProviders || !authorizedPhoneNumber) return
  if (issues.hasIssue('authorizedProviders') || issues.hasIssue('authorizedPhoneNumber')) return
  issues.add('authorizedProviders', 'cannot be combined with authorizedPhoneNumber')
  issues.add('authorizedPhoneNumber', 'cannot be combined with authorizedProviders')
}

export const expiryOf = (duration: string | null, at: Date) =>
  new Date(at.getTime() + durationMs(duration ?? defaultDuration))

type ValidMoney = WellFormed<{ currency: string; value: number }>

function readMoney(param: string, money: ValidMoney | null | undefined, currency: string, issues: Issues) {
  if (!money) return null
  const named = validateCurrency(issues, `${param}.currency`, money.currency)
  if (named !== undefined && named !== currency)
    issues.add(
      `${param}.currency`,
      `must be ${currency}, the currency of the code’s account and other amounts`,
    )
  return money.value === undefined ? null : BigInt(money.value)
}

function readTarget(
  target: Exclude<WellFormed<PaymentCodeChange>['recurrentPaymentTarget'], undefined>,
  mode: PaymentCode['mode'] | undefined,
  currency: string,
  issues: Issues,
): Pick<Terms, 'expectedCount' | 'expectedTotal'> {
  if (target && mode === 'one_time') issues.add('recurrentPaymentTarget', 'is for recurrent codes only')
  const total = 'recurrentPaymentTarget.expectedPaymentTotal'
  return {
    expectedCount: target?.expectedPaymentCount ?? null,
    expectedTotal: readMoney(total, target?.expectedPaymentTotal, currency, issues),
  }
}

function readProviders(
  ids: (string | undefined)[] | null,
  catalogue: Catalogue,
  currency: string,
  issues: Issues,
) {
  ids?.forEach((id, i) => {
    if (id === undefined) return
    const provider = catalogue.find(id)
    const param = `authorizedProviders[${i}]`
    if (provider?.type !== 'momo') issues.add(param, 'is not a momo provider')
    else if (!provider.currencies.includes(currency)) issues.add(param, `does not support ${currency}`)
    if (ids.indexOf(id) < i) issues.add(param, 'is listed twice')
  })
  return ids?.filter((id) => id !== undefined) ?? null
}

function readPhone(known: Known, scope: Scope, text: string | null, issues: Issues) {
  if (text === null) return null
  const phoneNumber = parsePhone(text, countryOf(known, scope), scope.environment)
  if (!phoneNumber) issues.add('authorizedPhoneNumber', 'is not a phone number')
  return phoneNumber ?? null
}

function readAccount(
  known: Known,
  scope: Scope,
  shown: string | null,
  currency: string,
  issues: Issues,
): string | null {
  if (shown === null) return null
  validateAccount(issues, 'financialAccountId', currencyOf(known, scope, shown), currency)
  return readAccountId(shown) ?? ''
}
