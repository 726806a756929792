import { formatMoney } from '@pesewa/values'
import type { Pesewa, WebhookEvent } from '../../../../sdk/src/index.ts'
import type { EventType } from '../../events/types.ts'

/** Returns whether an event is the one that was triggered. */
export type MatchEvent = (event: WebhookEvent) => boolean

export type Shop = {
  api: Pesewa
  /** The URL of the service. */
  url: string
  /** Prints a line of progress. */
  say(line: string): void
  /** Waits for the first event of this type that `recognise` accepts, and returns it. */
  next(type: EventType, recognise: MatchEvent): Promise<WebhookEvent>
}

/**
 * Triggers an event, either through the API as a merchant, or through a payment page or a handset as a payer.
 * Returns a function that recognizes the event.
 */
export type Trigger = (shop: Shop) => Promise<MatchEvent>

export const provider = 'm17'
export const approves = '076 123 456'
export const hasNoMoney = '076 000 001'
export const currency = 'SLE'
export const price = 15_000

export const shown = (value: number, currency: string) => formatMoney({ currency, value: BigInt(value) })

export const isAboutObject =
  ({ id }: { id: string }): MatchEvent =>
  ({ object }) =>
    object.id === id
export const isAboutOrder =
  ({ orderNumber }: { orderNumber: string }): MatchEvent =>
  ({ data }) =>
    'orderNumber' in data && data.orderNumber === orderNumber
