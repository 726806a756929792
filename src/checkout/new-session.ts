import assert from 'node:assert/strict'
import { judgeAccount, judgeCurrency } from '../ledger/account-faults.ts'
import { findAccount, mainAccount } from '../ledger/accounts.ts'
import { createOrder, type Entitlement } from '../payments/orders.ts'
import { maxAmount } from '../platform/bounds.ts'
import type { Scope } from '../platform/clock.ts'
import type { Reader, Tx } from '../platform/db/database.ts'
import { parseDuration } from '../platform/duration.ts'
import type { Sound } from '../platform/http/route.ts'
import { newId, readId, showId } from '../platform/ids.ts'
import { Faults } from '../platform/refusals.ts'
import type { Connectors } from '../providers/connectors.ts'
import { checkPaymentOptions } from './payment-options.ts'
import { publishSession, type SessionParts, scheduleExpiry } from './sessions.ts'
import { defaultDuration, defaultQuantity, type NewSession } from './shapes.ts'
import { insertSession, type LineItem, type Session } from './store.ts'

/** Opens a session with its order, or refuses with every fault of the request at once. */
export async function createSession(
  tx: Tx,
  parts: SessionParts & { connectors: Connectors },
  scope: Scope,
  given: NewSession,
  at: Date,
) {
  const faults = new Faults()
  const { amount, currency, accountId } = await judgeSession(tx, parts, scope, given, faults)
  faults.refuse()
  assert(currency !== undefined, 'line items have a currency')
  const lineItems = given.lineItems.map((item) => newLineItem(item, at))
  const wanted = { name: given.name, amount, currency, entitlements: lineItems.map(entitlementOf) }
  const order = await createOrder(tx, scope, wanted, at)
  const session: Session = {
    id: newId(at),
    status: 'pending',
    name: given.name,
    description: given.description || null,
    reference: given.reference || null,
    successUrl: given.successUrl ?? null,
    cancelUrl: given.cancelUrl ?? null,
    callbackState: given.callbackState || null,
    lineItems,
    paymentOptions: given.paymentOptions ?? {},
    primaryColor: given.brandingOptions?.primaryColor ?? null,
    financialAccountId: accountId ?? (await mainAccount(tx, scope, currency, at)),
    orderId: order.id,
    orderNumber: order.number,
    amount,
    currency,
    metadata: given.metadata ?? {},
    expiresAt: new Date(at.getTime() + parseDuration(given.duration ?? defaultDuration)!),
    createdAt: at,
    updatedAt: at,
  }
  await insertSession(tx, scope, session)
  await scheduleExpiry(tx, scope, session)
  await publishSession(tx, parts, scope, session, 'created')
  return session
}

/** Adds what is wrong with as much of a session as is given; answers what it comes to, and its account if it names one. */
export async function judgeSession(
  db: Reader,
  parts: Pick<SessionParts, 'catalogue'> & { connectors: Connectors },
  scope: Scope,
  given: Sound<NewSession>,
  faults: Faults,
): Promise<{ amount: bigint; currency: string | undefined; accountId: string | undefined }> {
  const { amount, currency } = checkLineItems(given.lineItems ?? [], faults)
  checkPaymentOptions(given.paymentOptions ?? {}, parts, scope, currency, faults)
  checkUrls(scope, given, faults)
  const accountId = await checkAccount(db, scope, given.financialAccountId, currency, faults)
  return { amount, currency, accountId }
}

type SoundItems = NonNullable<Sound<NewSession>['lineItems']>

/** The sum of price × quantity in the items' one currency; what forbids a sum is added to `faults`. */
function checkLineItems(items: SoundItems, faults: Faults) {
  const currencies = items.map((item, i) =>
    judgeCurrency(faults, `lineItems[${i}].price.currency`, item?.price?.currency),
  )
  const currency = currencies.find((one) => one !== undefined)
  const references = new Set<string>()
  let amount = 0n
  items.forEach((item, i) => {
    if (currencies[i] !== undefined && currencies[i] !== currency)
      faults.add(`lineItems[${i}].price.currency`, `must be ${currency}, as in the first item`)
    if (item?.reference && references.has(item.reference))
      faults.add(`lineItems[${i}].reference`, 'must be unique in the session')
    references.add(item?.reference ?? '')
    amount += BigInt(item?.price?.value ?? 0) * BigInt(item?.quantity ?? defaultQuantity)
  })
  if (amount > BigInt(maxAmount)) faults.add('lineItems', `must not sum to more than ${maxAmount}`)
  return { amount, currency }
}

function checkUrls({ environment }: Scope, given: Sound<NewSession>, faults: Faults): void {
  if (environment !== 'live') return
  for (const name of ['successUrl', 'cancelUrl'] as const)
    if (given[name] && !/^https:/i.test(given[name])) faults.add(name, 'must begin with https:// in live')
}

async function checkAccount(
  db: Reader,
  scope: Scope,
  shown: string | undefined,
  currency: string | undefined,
  faults: Faults,
): Promise<string | undefined> {
  if (shown === undefined) return undefined
  const id = readId('financialAccount', shown)
  const account = id ? await findAccount(db, scope, id) : undefined
  judgeAccount(faults, 'financialAccountId', account?.currency, currency)
  return account?.id
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

/** What was bought can be claimed as often as it was bought, under the merchant's own word for it. */
const entitlementOf = ({ id, name, quantity, reference }: LineItem): Entitlement => ({
  key: reference ?? showId('lineItem', id),
  name,
  limit: quantity,
})
