import { must } from '@pesewa/values'
import { allResources, resourceOf } from '../platform/resources.ts'

/**
 * The event types of all slices, as keys. Slices that come later than this one add theirs through
 * `src/slices.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface SliceEvents {}

/** A ping is sent only to the endpoint that was pinged. */
const ping = 'webhook.ping'

/** An event type, which consists of a resource and what happened to it, such as `payment.completed`. */
export type EventType = keyof SliceEvents | typeof ping

const named = () =>
  allResources().map(({ type, eventTypes = {} }) => ({
    type,
    names: Object.keys(eventTypes).map((name) => `${type}.${name}`),
  }))

/** Returns the event types that an endpoint can subscribe to. */
export const subscribableTypes = (): string[] => named().flatMap(({ names }) => names)
export const eventTypes = (): string[] => [...subscribableTypes(), ping]

/** Returns the possible values in a webhook's `events`: single types, all types of a resource, and all types. */
export const subscriptions = (): string[] => [
  '*',
  ...named().flatMap(({ type, names }) => (names.length > 0 ? [`${type}.*`] : [])),
  ...subscribableTypes(),
]

/** Returns a sentence that describes an event type. */
export function describeEventType(type: string): string {
  const dot = type.indexOf('.')
  const { eventTypes = {} } = resourceOf(type.slice(0, dot))
  return type === ping
    ? 'This endpoint was pinged.'
    : must(eventTypes[type.slice(dot + 1)], 'meaning of an event')
}

/** Returns the title of the schema of an event's data: `CheckoutSession` for `checkout_session.created`. */
export const schemaTitle = (type: string) =>
  type.slice(0, type.indexOf('.')).replace(/(^|_)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
