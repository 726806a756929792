import { must } from '../platform/must.ts'
import { allResources, resourceOf } from '../platform/resources.ts'

/** The event types of every slice, as keys. Slices come later than events: `src/slices.ts` adds them. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface SliceEvents {}

/** A ping goes only to the endpoint that was pinged. */
const ping = 'webhook.ping'

/** `payment.completed`: a resource of a slice, and what happened to it. */
export type EventType = keyof SliceEvents | typeof ping

const named = () =>
  allResources().map(({ type, happenings = {} }) => ({
    type,
    names: Object.keys(happenings).map((name) => `${type}.${name}`),
  }))

/** What an endpoint can subscribe to. */
export const subscribableTypes = (): string[] => named().flatMap(({ names }) => names)
export const eventTypes = (): string[] => [...subscribableTypes(), ping]

/** What `events` of a webhook may hold: types, all of a resource, or everything. */
export const subscriptions = (): string[] => [
  '*',
  ...named().flatMap(({ type, names }) => (names.length > 0 ? [`${type}.*`] : [])),
  ...subscribableTypes(),
]

/** What has happened when an event of this type is sent, as a sentence. */
export function meaningOf(type: string): string {
  const dot = type.indexOf('.')
  const { happenings = {} } = resourceOf(type.slice(0, dot))
  return type === ping
    ? 'Somebody pinged this endpoint.'
    : must(happenings[type.slice(dot + 1)], 'meaning of an event')
}

/** The title of the shape of its data: `checkout_session.created` shows a `CheckoutSession`. */
export const titleOf = (type: string) =>
  type.slice(0, type.indexOf('.')).replace(/(^|_)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
