import Type, { type Static } from 'typebox'

/** Types of providers: mobile money, bank, wallet and card. */
export const providerTypes = ['momo', 'bank', 'wallet', 'card'] as const
export type ProviderType = (typeof providerTypes)[number]

const text = Type.String({ minLength: 1, maxLength: 100 })
const time = Type.String({ format: 'date-time', pattern: 'Z$' })
const schemes = Type.Array(text, { maxItems: 10, uniqueItems: true })
const metadata = Type.Record(Type.String(), Type.Unknown())
export const color = Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })
const strict = { additionalProperties: false } as const

export const providerShape = Type.Object(
  {
    providerId: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,63}$' }),
    type: Type.Enum(providerTypes),
    name: text,
    country: Type.String(),
    currencies: Type.Array(Type.String(), { minItems: 1, maxItems: 10, uniqueItems: true }),
    /**
     * Name of the protocol that the simulator uses for the provider and that live connections may use.
     */
    protocol: Type.String(),
    /**
     * Other protocols through which live connections can reach the provider, each with the provider's name in
     * that protocol.
     */
    reachedBy: Type.Optional(
      Type.Array(Type.Object({ protocol: Type.String(), as: Type.Optional(text) }, strict), { maxItems: 20 }),
    ),
    /**
     * Mobile money only: the network whose numbers the provider accepts. If it is absent, the provider accepts
     * numbers on every network.
     */
    network: Type.Optional(
      Type.Object(
        {
          /**
           * Mobile country code followed by the network code, without a separator, as sent by aggregators with
           * a USSD request and as listed in `packages/values/src/numbering-plans.ts`.
           */
          codes: Type.Array(Type.String({ pattern: '^[0-9]{5,6}$' }), { maxItems: 20 }),
        },
        strict,
      ),
    ),
    /** Colour of the provider's tile on payment pages. */
    color: Type.Optional(color),
    /** Mobile money only: the code that payers dial to find a payment request if no prompt appeared. */
    approvalCode: Type.Optional(
      Type.String({ pattern: '^\\*[0-9]{2,6}(?:\\*[0-9]{1,20})*#$', maxLength: 64 }),
    ),
    /**
     * How many seconds the payer has to answer the provider's payment request, if the provider documents it. The
     * waiting page counts down.
     */
    promptSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 3_600 })),
    status: Type.Object({ active: Type.Boolean() }, strict),
    featureSet: Type.Object(
      {
        payout: Type.Object({ canPayTo: Type.Boolean(), schemes, metadata }, strict),
        payment: Type.Object({ canPayFrom: Type.Boolean(), schemes, metadata }, strict),
        kycVerification: Type.Object({ canVerifyAccount: Type.Boolean(), metadata }, strict),
      },
      strict,
    ),
    createTime: time,
    updateTime: time,
  },
  strict,
)

/**
 * An entry in the catalogue. `currencies`, `protocol`, `reachedBy`, `network`, `color`, `approvalCode` and
 * `promptSeconds` are internal and never appear in a response.
 */
export type Provider = Readonly<Static<typeof providerShape>>

/** Returns the provider's name in a protocol, such as `ORANGE_SLE`, or `undefined` if it has no name there. */
export const nameIn = (protocol: string, { reachedBy = [] }: Provider): string | undefined =>
  reachedBy.find((each) => each.protocol === protocol)?.as
