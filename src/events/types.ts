import type { IdKind } from '../platform/ids.ts'

/** What can happen to each type of object. */
const happenings = {
  checkout_session: ['created', 'completed', 'cancelled', 'expired'],
  payment_code: ['created', 'processed', 'completed', 'expired', 'cancelled'],
  payment: ['created', 'processing', 'completed', 'failed'],
  payout: ['created', 'processing', 'delayed', 'completed', 'failed'],
  internal_transfer: ['created', 'completed', 'failed'],
  ussd_otp: ['created', 'verified', 'expired'],
  financial_transaction: ['created'],
  refund: ['created', 'completed', 'failed'],
  webhook: ['disabled'],
  ledger: ['chained'],
} as const

type Happenings = typeof happenings
type ObjectType = keyof Happenings
/** What an endpoint can subscribe to. */
export type SubscribableType = { [T in ObjectType]: `${T}.${Happenings[T][number]}` }[ObjectType]
/** A ping goes only to the endpoint that was pinged. */
export type EventType = SubscribableType | 'webhook.ping'

const named = Object.entries(happenings)
export const subscribableTypes: readonly string[] = named.flatMap(([object, names]) =>
  names.map((name) => `${object}.${name}`),
)
export const eventTypes: readonly string[] = [...subscribableTypes, 'webhook.ping']

/** What `events` of a webhook may hold: names, all of an object, or everything. */
export const subscriptions: readonly string[] = [
  '*',
  ...named.map(([object]) => `${object}.*`),
  ...subscribableTypes,
]

const idKinds: Record<ObjectType, IdKind> = {
  checkout_session: 'checkoutSession',
  payment_code: 'paymentCode',
  payment: 'payment',
  payout: 'payout',
  internal_transfer: 'internalTransfer',
  ussd_otp: 'ussdOtp',
  financial_transaction: 'financialTransaction',
  refund: 'refund',
  webhook: 'webhook',
  // The books of the Space itself.
  ledger: 'space',
}

/** The object that an event of this type is about: `payment.completed` is about a `payment`. */
export function objectOf(eventType: string): { type: string; idKind: IdKind } {
  const type = eventType.split('.', 1)[0] as ObjectType
  return { type, idKind: idKinds[type] }
}

/** Of which objects events tell. */
export const toldKinds: readonly IdKind[] = Object.values(idKinds)
