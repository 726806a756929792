import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { insertEvents } from './store.ts'

export const eventTypes = [
  'checkout_session.created',
  'checkout_session.completed',
  'checkout_session.cancelled',
  'checkout_session.expired',
  'payment.created',
  'payment.processing',
  'payment.completed',
  'payment.failed',
  'financial_transaction.created',
] as const
export type EventType = (typeof eventTypes)[number]

/** Something that happened to one object. `data` is the resource exactly as GET shows it at this moment. */
export type NewEvent = {
  type: EventType
  /** The inner id. */
  objectId: string
  data: object
  callbackState?: string | null
}

/** Writes events in the transaction of the fact: there is never one without the other. */
export async function publish(tx: Tx, scope: Scope, at: Date, ...events: NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await insertEvents(
    tx,
    scope,
    at,
    events.map((event) => ({ ...event, id: newId(at), objectType: event.type.split('.', 1)[0]! })),
  )
}
