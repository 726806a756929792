import Type, { type Static } from 'typebox'

/** It goes into a header. */
export const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })

/** A user of HTTP's Basic authentication: a colon ends the name. */
export const basicUser = Type.String({ pattern: '^[\\x21-\\x39\\x3b-\\x7e]{1,200}$' })

/** How fast one node may submit payouts. */
export const paceFields = {
  maxPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: calls to a rail begun in a second, by its connection
  maxAtOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: calls to a rail at once, by its connection
}

/** Of a connection of any protocol. */
export const commonFields = {
  /** Which it reaches, by their ids; the one of its own name where there are none. */
  providers: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 200, uniqueItems: true })),
  baseUrl: Type.String({ maxLength: 255 }),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })), // limit: time for a message to a rail, by its connection
  /** How fast one node may submit collections. */
  collections: Type.Optional(Type.Object(paceFields, { additionalProperties: false })),
  /** Percent of what is new to its providers; without one, what the shares of others leave. */
  share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  /** Collecting is paused while too few payments succeed. */
  automaticPause: Type.Optional(
    Type.Object(
      {
        belowPercent: Type.Integer({ minimum: 1, maximum: 100 }),
        atLeast: Type.Optional(Type.Integer({ minimum: 5, maximum: 1_000 })),
        windowMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60 })),
        forMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_440 })),
        words: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      },
      { additionalProperties: false },
    ),
  ),
  /** `closed`: it takes nothing new; what it has is still queried, and refunded. */
  status: Type.Optional(Type.Enum(['open', 'closed'])),
}

export type ConnectionFields = Readonly<Static<Type.TObject<typeof commonFields & typeof paceFields>>>

/** Fields of any protocol that say how the rail is called, and not which. */
export const commonManners = [
  'name',
  'providers',
  'timeoutMs',
  'collections',
  'maxPerSecond',
  'maxAtOnce',
  'share',
  'automaticPause',
  'status',
]

/** Credentials go there: unencrypted only to this machine itself. */
export function isRailAddress(address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.search || url.hash || address.endsWith('/')) return false
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)
}
