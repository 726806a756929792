import { allResources } from '../platform/resources.ts'

/** `payment.completed`: a resource of some slice, and what happened to it. */
export type EventType = `${string}.${string}`

/** A ping goes only to the endpoint that was pinged. */
const ping = 'webhook.ping'

const named = () =>
  allResources().map(({ type, happenings = [] }) => ({
    type,
    names: happenings.map((name) => `${type}.${name}`),
  }))

/** What an endpoint can subscribe to. */
export const subscribableTypes = (): string[] => named().flatMap(({ names }) => names)
export const eventTypes = (): string[] => [...subscribableTypes(), ping]

/** What `events` of a webhook may hold: names, all of a resource, or everything. */
export const subscriptions = (): string[] => [
  '*',
  ...named().flatMap(({ type, names }) => (names.length > 0 ? [`${type}.*`] : [])),
  ...subscribableTypes(),
]
