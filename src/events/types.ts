import { must } from '../platform/must.ts'
import { allResources, resourceOf } from '../platform/resources.ts'

/** The event types of every slice, as keys. Slices come later than events: `src/slices.ts` adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface SliceEvents {}

/** A ping goes only to the pinged endpoint. */
const ping = 'webhook.ping'

/** `payment.completed`: a resource of a slice, and what happened to it. */
export type EventType = keyof SliceEvents | typeof ping

const named = () =>
  allResources().map(({ type, eventTypes = {} }) => ({
    type,
    names: Object.keys(eventTypes).map((name) => `${type}.${name}`),
  }))

/** Lists the event types that an endpoint can subscribe to. */
export const subscribableTypes = (): string[] => named().flatMap(({ names }) => names)
export const eventTypes = (): string[] => [...subscribableTypes(), ping]

/** Lists the values of a webhook's `events`: types, all types of a resource, or all types. */
export const subscriptions = (): string[] => [
  '*',
  ...named().flatMap(({ type, names }) => (names.length > 0 ? [`${type}.*`] : [])),
  ...subscribableTypes(),
]

/** Describes an event type in a sentence. */
export function describeEventType(type: string): string {
  const dot = type.indexOf('.')
  const { eventTypes = {} } = resourceOf(type.slice(0, dot))
  return type === ping
    ? 'This endpoint was pinged.'
    : must(eventTypes[type.slice(dot + 1)], 'meaning of an event')
}

/** Returns the schema title of an event's data: `CheckoutSession` for `checkout_session.created`. */
export const schemaTitle = (type: string) =>
  type.slice(0, type.indexOf('.')).replace(/(^|_)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
