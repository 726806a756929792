import { currenciesNamed, judgeSession } from '../checkout/new-session.ts'
import { maxAmount } from '../countries/money.ts'
import { judgeCurrency } from '../ledger/account-faults.ts'
import { mainAccount } from '../ledger/accounts.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import type { Sound } from '../platform/http/route.ts'
import { readId, showId } from '../platform/ids.ts'
import { must } from '../platform/must.ts'
import type { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { Providers } from '../providers/providers.ts'
import type { NewPaymentLink, PaymentLinkChange } from './shapes.ts'
import type { PaymentLink } from './store.ts'

const mostOfItem = 100_000n
const anyAmount = 1

/**
 * Adds what is wrong with the terms of a link, as far as the request has them. What a session made of it would be refused
 * for is refused here: the payer could do nothing about it.
 *
 * @param before the link that changes
 */
export async function judgeTerms(
  db: Reader,
  parts: Providers,
  scope: Scope,
  request: Sound<NewPaymentLink>,
  { at, before, faults }: { at: Date; before?: PaymentLink | undefined; faults: Faults },
): Promise<void> {
  judgeKind(request, faults)
  const { lineItems, openAmount, paymentOptions, successUrl, financialAccountId } = request
  const open = openAmount && judgeCurrency(faults, 'openAmount.currency', openAmount.currency)
  const body = {
    paymentOptions,
    successUrl,
    financialAccountId,
    lineItems:
      lineItems?.map((item) => item && { ...item, quantity: timesQuantity(item.quantity, request) }) ??
      (open ? [{ name: 'amount', price: { currency: open, value: anyAmount } }] : []),
  }
  const currencies = await currenciesNamed(db, [{ scope, body }])
  const { currency } = judgeSession(parts, scope, body, currencies, faults)
  if (before && currency !== undefined && currency !== before.currency)
    faults.add(
      lineItems ? 'lineItems[0].price.currency' : 'openAmount.currency',
      `must be ${before.currency}, as before`,
    )
  if (request.expireTime !== undefined && !(new Date(request.expireTime) > at))
    faults.add('expireTime', 'must be in the future')
  if (before && request.maxPayments !== undefined) judgeMaximum(before, request.maxPayments, faults)
}

/** What stands beside what. */
function judgeKind(request: Sound<NewPaymentLink>, faults: Faults): void {
  const { lineItems, openAmount, quantity, successText, successUrl } = request
  if (lineItems && openAmount) {
    faults.add('lineItems', 'cannot stand beside openAmount')
    faults.add('openAmount', 'cannot stand beside lineItems')
  }
  if (!lineItems && !openAmount && !faults.isFaulty('lineItems') && !faults.isFaulty('openAmount')) {
    faults.add('lineItems', 'must be given, or openAmount')
    faults.add('openAmount', 'must be given, or lineItems')
  }
  if (quantity && openAmount) faults.add('quantity', 'is for lineItems only')
  if (successText && successUrl) {
    faults.add('successText', 'cannot stand beside successUrl')
    faults.add('successUrl', 'cannot stand beside successText')
  }
  if (isAbove(openAmount?.minimum, openAmount?.maximum))
    faults.add('openAmount.maximum', 'must not be less than minimum')
  if (isAbove(quantity?.minimum, quantity?.maximum))
    faults.add('quantity.maximum', 'must not be less than minimum')
  lineItems?.forEach((item) => {
    if (BigInt(item?.quantity ?? 1) * BigInt(quantity?.maximum ?? 1) > mostOfItem)
      faults.add('quantity.maximum', `must leave each item at most ${mostOfItem} times`)
  })
}

const isAbove = (minimum: number | undefined, maximum: number | undefined) =>
  minimum !== undefined && maximum !== undefined && minimum > maximum

/** As often as a payer can take it, so that no sum is too large that they could come to. */
const timesQuantity = (itemQuantity: number | undefined, { quantity }: Sound<NewPaymentLink>) =>
  Math.min((itemQuantity ?? 1) * (quantity?.maximum ?? 1), maxAmount)

function judgeMaximum({ paidCount, reservedCount }: PaymentLink, maxPayments: number, faults: Faults): void {
  const taken = paidCount + reservedCount
  if (maxPayments < taken)
    faults.add('maxPayments', `must be at least ${taken}: so many are paid or under way`)
}

/** A link as a request would name it, so that a change is judged like a new one. */
export const requestOf = (link: PaymentLink): NewPaymentLink => ({
  name: link.name,
  ...(link.description !== null && { description: link.description }),
  ...(link.lineItems
    ? { lineItems: link.lineItems }
    : {
        openAmount: {
          currency: link.currency,
          ...(link.minimum !== null && { minimum: Number(link.minimum) }),
          ...(link.maximum !== null && { maximum: Number(link.maximum) }),
        },
      }),
  ...(link.quantityMaximum !== null && {
    quantity: { minimum: link.quantityMinimum ?? 1, maximum: link.quantityMaximum },
  }),
  ...(link.referenceLabel !== null && {
    payerReference: { label: link.referenceLabel, isRequired: link.isReferenceRequired },
  }),
  financialAccountId: showId(accountIds, link.financialAccountId),
  paymentOptions: link.paymentOptions,
  ...(link.primaryColor !== null && { brandingOptions: { primaryColor: link.primaryColor } }),
  ...(link.successText !== null && { successText: link.successText }),
  ...(link.successUrl !== null && { successUrl: link.successUrl }),
  active: link.status === 'active',
  ...(link.expiresAt && { expireTime: link.expiresAt.toISOString() }),
  ...(link.maxPayments !== null && { maxPayments: link.maxPayments }),
  metadata: link.metadata,
})

/** What a request is together with what it changes; null clears. */
export function changedBy(before: NewPaymentLink, change: Sound<PaymentLinkChange>): Sound<NewPaymentLink> {
  const named = Object.entries(change).map(([field, value]) => [field, value ?? undefined])
  return { ...before, ...Object.fromEntries(named) }
}

/** The terms of a judged request. */
export async function termsOf(tx: Tx, scope: Scope, request: NewPaymentLink, at: Date) {
  const { lineItems = null, openAmount, quantity, payerReference } = request
  const currency = must(openAmount?.currency ?? lineItems?.[0]?.price.currency, 'currency of a link')
  const account = request.financialAccountId && readId(accountIds, request.financialAccountId)
  const orNull = (value: number | undefined) => (value === undefined ? null : BigInt(value))
  return {
    name: request.name,
    description: request.description || null,
    lineItems,
    currency,
    minimum: orNull(openAmount?.minimum),
    maximum: orNull(openAmount?.maximum),
    quantityMinimum: quantity ? (quantity.minimum ?? 1) : null,
    quantityMaximum: quantity?.maximum ?? null,
    referenceLabel: payerReference?.label ?? null,
    isReferenceRequired: payerReference ? (payerReference.isRequired ?? true) : false,
    financialAccountId: account ?? (await mainAccount(tx, scope, currency, at)),
    paymentOptions: request.paymentOptions ?? {},
    primaryColor: request.brandingOptions?.primaryColor ?? null,
    successText: request.successText ?? null,
    successUrl: request.successUrl ?? null,
    maxPayments: request.maxPayments ?? null,
    metadata: request.metadata ?? {},
    expiresAt: request.expireTime === undefined ? null : new Date(request.expireTime),
  } satisfies Partial<PaymentLink>
}
