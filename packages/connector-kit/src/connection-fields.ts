import Type, { type Static } from 'typebox'

/** A secret that is sent in a header. */
export const secret = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })

/** A username for HTTP Basic authentication, which cannot contain a colon. */
export const basicUser = Type.String({ pattern: '^[\\x21-\\x39\\x3b-\\x7e]{1,200}$' })

/** Returns the `Authorization` header for HTTP Basic authentication. */
export const basicAuthorization = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** The rate at which one node may submit payouts. */
export const paceFields = {
  maxPerSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: calls to a rail started per second, per connection
  maxAtOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })), // limit: concurrent calls to a rail, per connection
}

/** Fields that the connections of all protocols have in common. */
export const commonFields = {
  /**
   * Ids of the providers that the connection reaches. By default, it reaches the provider whose id is the
   * connection's name.
   */
  providers: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 200, uniqueItems: true })),
  baseUrl: Type.String({ maxLength: 255 }),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 60_000 })), // limit: time for a message to a rail, set by its connection
  /** The rate at which one node may submit collections. */
  collections: Type.Optional(Type.Object(paceFields, { additionalProperties: false })),
  /**
   * Percentage of its providers' new instructions that are sent through this connection. If absent, the
   * connection takes the remainder.
   */
  share: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  /** When to pause collections automatically because too few payments succeed. */
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
  /** A `closed` connection takes no new instructions, but existing ones can still be queried and refunded. */
  status: Type.Optional(Type.Enum(['open', 'closed'])),
}

export type ConnectionFields = Readonly<Static<Type.TObject<typeof commonFields & typeof paceFields>>>

/** The common fields that affect how the rail is called, but not which rail or account is used. */
export const commonCallFields = [
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

/**
 * Returns whether a URL may be used to call a rail. Credentials are sent to it, so unencrypted HTTP is allowed
 * only to this machine.
 */
export function isRailAddress(address: string): boolean {
  const url = URL.parse(address)
  if (!url || url.username || url.password || url.search || url.hash || address.endsWith('/')) return false
  const isLocal = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)
}
