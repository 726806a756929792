import { must } from '../platform/must.ts'
import { allResources, resourceOf } from '../platform/resources.ts'

/** `payment.completed`: a resource of some slice, and what happened to it. */
export type EventType = `${string}.${string}`

/** A ping goes only to the endpoint that was pinged. */
const ping = 'webhook.ping'

const named = () =>
  allResources().map(({ type, happenings = {} }) => ({
    type,
    names: Object.keys(happenings).map((name) => `${type}.${name}`),
  }))

/** Whether a slice says that this can happen to its resource. */
export function isDefined(type: EventType): boolean {
  const dot = type.indexOf('.')
  const { happenings } = resourceOf(type.slice(0, dot))
  return type === ping || Object.hasOwn(happenings ?? {}, type.slice(dot + 1))
}

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
