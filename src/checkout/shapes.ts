import Type, { type Static } from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import {
  duration,
  freeObject,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
  webAddress,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { lineItemIds, linkIds, sessionIds } from './resources.ts'

export const statuses = ['pending', 'completed', 'cancelled', 'expired'] as const

const providerList = optional(Type.Array(text(1, 64), { maxItems: 50 }))
const disable = optional(Type.Boolean({ default: false }))

/** What a session is when nothing is said. */
export const defaultDuration = '1h' // limit: how long a session can be paid when nothing is said
export const defaultQuantity = 1
const providerChoice = optional(
  object({ disable, enabledProviders: providerList, disabledProviders: providerList }),
)

/** A session as a merchant asks for it. */
export const newSession = object(
  {
    name: nameText(1, 150),
    description: optional(text(0, 1000)),
    successUrl: optional(webAddress()),
    cancelUrl: optional(webAddress()),
    callbackState: optional(text(0, 255)),
    reference: optional(text(0, 255)),
    financialAccountId: optional(referenceTo(accountIds)),
    lineItems: Type.Array(
      object({
        type: optional(Type.Enum(['custom'], { default: 'custom' })),
        name: nameText(1, 100),
        price: money,
        quantity: optional(Type.Integer({ minimum: 1, maximum: 100_000, default: defaultQuantity })),
        reference: optional(text(0, 100)),
        description: optional(text(0, 100)),
        images: optional(Type.Array(webAddress(), { maxItems: 3 })), // limit: images of a line item
      }),
      { minItems: 1, maxItems: 16 }, // limit: line items of a session
    ),
    paymentOptions: optional(
      object({
        card: optional(object({ disable })),
        bank: providerChoice,
        momo: providerChoice,
        wallet: providerChoice,
      }),
    ),
    brandingOptions: optional(
      object({ primaryColor: optional(Type.String({ pattern: '^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$' })) }),
    ),
    duration: optional(duration('5m', '7d', defaultDuration)), // limit: how long a session can be paid
    metadata: optional(metadata),
  },
  { title: 'NewCheckoutSession' },
)
export type NewSession = Static<typeof newSession>

export const session = object(
  {
    id: idOf(sessionIds),
    name: Type.String(),
    reference: nullableText,
    description: nullableText,
    status: Type.Enum(statuses),
    redirectUrl: Type.String({ description: 'Send the payer here.' }),
    cancelUrl: nullableText,
    successUrl: nullableText,
    amount: shownMoney,
    orderNumber: Type.String({ examples: ['482915037264'] }),
    lineItems: object({
      data: Type.Array(
        object({
          id: idOf(lineItemIds),
          type: Type.Enum(['custom']),
          name: Type.String(),
          price: money,
          quantity: Type.Integer({ minimum: 1, maximum: maxAmount }),
          reference: nullableText,
          description: nullableText,
          images: Type.Array(Type.String()),
        }),
      ),
    }),
    financialAccountId: idOf(accountIds),
    brandingOptions: object({ primaryColor: nullableText }),
    paymentLinkId: Type.Unsafe<string | null>({
      ...idOf(linkIds),
      type: ['string', 'null'],
      description: 'The payment link that it was opened from.',
    }),
    expireTime: timestamp,
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'CheckoutSession' },
)
