import { allResources, resourceOf } from '../platform/resources.ts'

/** `payment.completed`: a resource of some slice, and what happened to it. */
export type EventType = `${string}.${string}`

/** A ping goes only to the endpoint that was pinged. */
const ping = 'webhook.ping'

const named = () =>
  allResources().map(({ type, happenings = [] }) => ({
    type,
    names: happenings.map((name) => `${type}.${name}`),
  }))

/** Whether a slice says that this can happen to its resource. */
export function isDefined(type: EventType): boolean {
  const dot = type.indexOf('.')
  const { happenings } = resourceOf(type.slice(0, dot))
  return type === ping || (happenings?.includes(type.slice(dot + 1)) ?? false)
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
