import { maxAmount } from '@pesewa/values'
import { findCurrencies, validateAccount, validateCurrency } from '../../ledger/accounts/currencies.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { newOrder } from '../../money/payments/orders.ts'
import type { Entitlement, Order } from '../../money/payments/store.ts'
import type { Reader } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { durationMs } from '../../platform/duration.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { newId, readId, showId } from '../../platform/ids.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { checkPaymentOptions } from './payment-options.ts'
import { lineItemIds } from './resources.ts'
import { defaultDuration, defaultQuantity, type NewSession } from './shapes.ts'
import type { CheckoutSession, LineItem } from './store.ts'

/** The amount, currency and account of a session, as determined from a request. */
export type SessionTerms = { amount: bigint; currency: string | undefined; accountId: string | undefined }

/** Returns the currency of each account that the requests specify. Accounts that do not exist are left out. */
export async function currenciesNamed(
  db: Reader,
  requests: Scoped<{ body: Pick<WellFormed<NewSession>, 'financialAccountId'> }>[],
): Promise<Map<string, string>> {
  const named = requests.flatMap(({ scope, body }) => {
    const id = readAccountId(body.financialAccountId)
    return id === undefined ? [] : [{ scope, id }]
  })
  return findCurrencies(db, named)
}

const readAccountId = (shown: string | undefined) =>
  shown === undefined ? undefined : readId(accountIds, shown)

/**
 * Adds to `issues` everything that is wrong with the well-formed part of a request. `currencies` maps accounts
 * to their currencies.
 */
export function validateSession(
  providers: Providers,
  scope: Scope,
  body: WellFormed<NewSession>,
  currencies: Map<string, string>,
  issues: Issues,
): SessionTerms {
  const { amount, currency } = checkLineItems(body.lineItems ?? [], issues)
  checkPaymentOptions(body.paymentOptions ?? {}, providers, scope, currency, issues)
  checkUrls(scope, body, issues)
  const accountId = readAccountId(body.financialAccountId)
  if (body.financialAccountId !== undefined)
    validateAccount(
      issues,
      'financialAccountId',
      currencies.get(globalName(scope, accountId ?? '')),
      currency,
    )
  return { amount, currency, accountId }
}

/** Builds a session and its order from a validated request, without writing them. */
export function buildSession(
  body: NewSession,
  { amount, currency, financialAccountId }: { amount: bigint; currency: string; financialAccountId: string },
  { idempotencyKey, at }: { idempotencyKey: string | null; at: Date },
): { session: CheckoutSession; order: Order } {
  const lineItems = body.lineItems.map((item) => newLineItem(item, at))
  const order = newOrder(
    { name: body.name, amount, currency, entitlements: lineItems.map(entitlementOf) },
    at,
  )
  const session: CheckoutSession = {
    id: newId(at),
    status: 'pending',
    name: body.name,
    description: body.description || null,
    reference: body.reference || null,
    successUrl: body.successUrl ?? null,
    cancelUrl: body.cancelUrl ?? null,
    callbackState: body.callbackState || null,
    lineItems,
    paymentOptions: body.paymentOptions ?? {},
    primaryColor: body.brandingOptions?.primaryColor ?? null,
    financialAccountId,
    orderId: order.id,
    paymentId: null,
    orderNumber: order.number,
    paymentLinkId: null,
    amount,
    currency,
    metadata: body.metadata ?? {},
    idempotencyKey,
    expiresAt: new Date(at.getTime() + durationMs(body.duration ?? defaultDuration)),
    createdAt: at,
    updatedAt: at,
  }
  return { session, order }
}

type SoundItems = NonNullable<WellFormed<NewSession>['lineItems']>

/**
 * Returns the sum of price × quantity over the items, which must all have the same currency. Adds an issue if
 * there is no valid sum.
 */
function checkLineItems(items: SoundItems, issues: Issues) {
  const currencies = items.map((item, i) =>
    validateCurrency(issues, `lineItems[${i}].price.currency`, item?.price?.currency),
  )
  const currency = currencies.find((one) => one !== undefined)
  const references = new Set<string>()
  let amount = 0n
  items.forEach((item, i) => {
    if (currencies[i] !== undefined && currencies[i] !== currency)
      issues.add(`lineItems[${i}].price.currency`, `must be ${currency}, the currency of the first item`)
    if (item?.reference && references.has(item.reference))
      issues.add(`lineItems[${i}].reference`, 'must be unique within the session')
    references.add(item?.reference ?? '')
    amount += BigInt(item?.price?.value ?? 0) * BigInt(item?.quantity ?? defaultQuantity)
  })
  if (amount > BigInt(maxAmount)) issues.add('lineItems', `must not total more than ${maxAmount}`)
  return { amount, currency }
}

function checkUrls({ environment }: Scope, body: WellFormed<NewSession>, issues: Issues): void {
  if (environment !== 'live') return
  for (const name of ['successUrl', 'cancelUrl'] as const)
    if (body[name] && !/^https:/i.test(body[name]))
      issues.add(name, 'must start with https:// in the live environment')
}

const newLineItem = (item: NewSession['lineItems'][number], at: Date): LineItem => ({
  id: newId(at),
  type: 'custom',
  name: item.name,
  price: item.price,
  quantity: item.quantity ?? defaultQuantity,
  reference: item.reference || null,
  description: item.description || null,
  images: item.images ?? [],
})

/**
 * Returns the payer's entitlement to an item. Each unit bought can be redeemed under the merchant's reference
 * for the item or, if there is none, under the item's id.
 */
const entitlementOf = ({ id, name, quantity, reference }: LineItem): Entitlement => ({
  key: reference ?? showId(lineItemIds, id),
  name,
  limit: quantity,
})
