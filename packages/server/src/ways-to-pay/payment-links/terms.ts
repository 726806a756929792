import { maxAmount, must } from '@pesewa/values'
import { validateCurrency } from '../../ledger/accounts/currencies.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import { readId, showId } from '../../platform/ids.ts'
import type { Issues } from '../../platform/refusals.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { validateSession } from '../checkout/session-request.ts'
import type { NewPaymentLink, PaymentLinkChange } from './shapes.ts'
import type { PaymentLink } from './store.ts'

const mostOfItem = 100_000n
const anyAmount = 1

/** The terms of a new link or, if there is a link `before`, of a changed one. */
export type LinkTerms<Body = NewPaymentLink> = Scoped<{
  body: Body
  at: Date
  before?: PaymentLink | undefined
}>

/**
 * Adds the issues found in the well-formed parts of a link's terms to `issues`. Terms that would make the
 * link's sessions invalid are refused here, because a payer could do nothing about them.
 *
 * @param currencies the currencies of accounts; the keys are their global names
 */
export function validateTerms(
  parts: Providers,
  { scope, body: request, at, before }: LinkTerms<WellFormed<NewPaymentLink>>,
  currencies: Map<string, string>,
  issues: Issues,
): void {
  validateCombinations(request, issues)
  const { lineItems, openAmount, paymentOptions, successUrl, financialAccountId } = request
  const open = openAmount && validateCurrency(issues, 'openAmount.currency', openAmount.currency)
  const body = {
    paymentOptions,
    successUrl,
    financialAccountId,
    lineItems:
      lineItems?.map((item) => item && { ...item, quantity: timesQuantity(item.quantity, request) }) ??
      (open ? [{ name: 'amount', price: { currency: open, value: anyAmount } }] : []),
  }
  const { currency } = validateSession(parts, scope, body, currencies, issues)
  if (before && currency !== undefined && currency !== before.currency)
    issues.add(
      lineItems ? 'lineItems[0].price.currency' : 'openAmount.currency',
      `must stay ${before.currency}`,
    )
  if (request.expireTime !== undefined && !(new Date(request.expireTime) > at))
    issues.add('expireTime', 'must be in the future')
  if (before && request.maxPayments !== undefined) validateMaxPayments(before, request.maxPayments, issues)
}

/** Adds issues for missing fields, fields that cannot be combined, and limits that contradict each other. */
function validateCombinations(request: WellFormed<NewPaymentLink>, issues: Issues): void {
  const { lineItems, openAmount, quantity, successText, successUrl } = request
  if (lineItems && openAmount) {
    issues.add('lineItems', 'cannot be combined with openAmount')
    issues.add('openAmount', 'cannot be combined with lineItems')
  }
  if (!lineItems && !openAmount && !issues.hasIssue('lineItems') && !issues.hasIssue('openAmount')) {
    issues.add('lineItems', 'is required unless openAmount is set')
    issues.add('openAmount', 'is required unless lineItems are set')
  }
  if (quantity && openAmount) issues.add('quantity', 'can only be used with lineItems')
  if (successText && successUrl) {
    issues.add('successText', 'cannot be combined with successUrl')
    issues.add('successUrl', 'cannot be combined with successText')
  }
  if (isAbove(openAmount?.minimum, openAmount?.maximum))
    issues.add('openAmount.maximum', 'must be at least minimum')
  if (isAbove(quantity?.minimum, quantity?.maximum))
    issues.add('quantity.maximum', 'must be at least minimum')
  lineItems?.forEach((item) => {
    if (BigInt(item?.quantity ?? 1) * BigInt(quantity?.maximum ?? 1) > mostOfItem)
      issues.add('quantity.maximum', `must allow at most ${mostOfItem} units of each item`)
  })
}

const isAbove = (minimum: number | undefined, maximum: number | undefined) =>
  minimum !== undefined && maximum !== undefined && minimum > maximum

/** Returns the largest number of units that a payer can buy, so that the largest possible total is validated. */
const timesQuantity = (itemQuantity: number | undefined, { quantity }: WellFormed<NewPaymentLink>) =>
  Math.min((itemQuantity ?? 1) * (quantity?.maximum ?? 1), maxAmount)

function validateMaxPayments(
  { paidCount, reservedCount }: PaymentLink,
  maxPayments: number,
  issues: Issues,
): void {
  const taken = paidCount + reservedCount
  if (maxPayments < taken)
    issues.add('maxPayments', `must be at least ${taken}, the number of payments completed or in progress`)
}

/**
 * Returns the request that would create the link in its current state, so that a change is validated like a new
 * link.
 */
export const toRequest = (link: PaymentLink): NewPaymentLink => ({
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

/** Merges a change into a request. Null clears a field. */
export function mergeChange(
  before: NewPaymentLink,
  change: WellFormed<PaymentLinkChange>,
): WellFormed<NewPaymentLink> {
  const named = Object.entries(change).map(([field, value]) => [field, value ?? undefined])
  return { ...before, ...Object.fromEntries(named) }
}

const currencyOf = ({ openAmount, lineItems }: NewPaymentLink) =>
  must(openAmount?.currency ?? lineItems?.[0]?.price.currency, 'currency of a link')

/** Returns the main accounts that validated requests need. */
export const mainsNeeded = (requests: LinkTerms[]) =>
  requests
    .filter(({ body }) => !body.financialAccountId)
    .map(({ scope, body, at }) => ({ scope, currency: currencyOf(body), at }))

/** Returns the terms of a link for a validated request. `mains` contains the main account, if it is needed. */
export function termsOf({ scope, body: request }: LinkTerms, mains: Map<string, string>) {
  const { lineItems = null, openAmount, quantity, payerReference } = request
  const currency = currencyOf(request)
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
    financialAccountId: account || must(mains.get(globalName(scope, currency)), 'main account of a currency'),
    paymentOptions: request.paymentOptions ?? {},
    primaryColor: request.brandingOptions?.primaryColor ?? null,
    successText: request.successText ?? null,
    successUrl: request.successUrl ?? null,
    maxPayments: request.maxPayments ?? null,
    metadata: request.metadata ?? {},
    expiresAt: request.expireTime === undefined ? null : new Date(request.expireTime),
  } satisfies Partial<PaymentLink>
}

/** Returns the status of a link that has just been created or changed. */
export const statusOf = ({ active = true }: WellFormed<NewPaymentLink>) => (active ? 'active' : 'inactive')
