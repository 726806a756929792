import Type, { type Static } from 'typebox'

/** What the payer pays with: a phone's money, a bank account, a wallet, a card. */
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
    /** Which the simulator speaks for it, and a live connection may: one in `protocols/protocols.ts`. */
    protocol: Type.String(),
    /** Which other protocols reach it live, and how it is called there. */
    reachedBy: Type.Optional(
      Type.Array(Type.Object({ protocol: Type.String(), as: Type.Optional(text) }, strict), { maxItems: 20 }),
    ),
    /** Of a mobile-money provider: whose numbers its accounts are. Without it, it takes those of every network. */
    network: Type.Optional(
      Type.Object(
        {
          /**
           * As aggregators send it when a phone dials, and as `countries/numbering-plans.ts` knows it: the mobile country code
           * and the network's own, without a separator.
           */
          codes: Type.Array(Type.String({ pattern: '^[0-9]{5,6}$' }), { maxItems: 20 }),
        },
        strict,
      ),
    ),
    /** Of its tile on payment pages. */
    color: Type.Optional(color),
    /** Of a mobile-money provider: what its payers dial to find a request that no prompt showed them. */
    approvalCode: Type.Optional(
      Type.String({ pattern: '^\\*[0-9]{2,6}(?:\\*[0-9]{1,20})*#$', maxLength: 64 }),
    ),
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

/** A catalogue entry. `currencies`, `protocol`, `reachedBy`, `network`, `color` and `approvalCode` are ours and never leave in a response. */
export type Provider = Readonly<Static<typeof providerShape>>

/** How a protocol calls a provider: `ORANGE_SLE`; `undefined` where it has no name of its own for it. */
export const nameIn = (protocol: string, { reachedBy = [] }: Provider): string | undefined =>
  reachedBy.find((each) => each.protocol === protocol)?.as
