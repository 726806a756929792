import Type, { type Static } from 'typebox'
import { linkIds } from '../checkout/resources.ts'
import { newSession } from '../checkout/shapes.ts'
import { maxAmount } from '../countries/money.ts'
import { shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import {
  clearable,
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

export const statuses = ['active', 'inactive', 'completed', 'expired', 'cancelled'] as const
export type LinkStatus = (typeof statuses)[number]

const maxQuantity = 1_000 // limit: how often a payer may take the items of a payment link at once
const maxPaymentsOfLink = 1_000_000 // limit: payments that a payment link can be limited to
const maxSuccessText = 500 // limit: what a payment link says once it is paid

const { lineItems: items, paymentOptions, brandingOptions, name, description } = newSession.properties
export type LinkItem = Static<typeof items>[number]

const value = Type.Integer({ minimum: 1, maximum: maxAmount })
const openAmount = object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
    minimum: optional({ ...value, description: 'In minor units.', examples: [500] }),
    maximum: optional({ ...value, description: 'In minor units.', examples: [500_000] }),
  },
  { description: 'In place of `lineItems`: the payer types the amount.' },
)
const quantity = object(
  {
    minimum: optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })),
    maximum: Type.Integer({ minimum: 1, maximum: maxQuantity, examples: [10] }),
  },
  { description: 'The payer chooses how often they take all items; left out: once.' },
)
const payerReference = object(
  {
    label: nameText(1, 60, { description: 'What the payer is asked for.', examples: ['Name of the pupil'] }),
    isRequired: optional(Type.Boolean({ default: true })),
  },
  { description: 'Asks the payer for a text that becomes the `reference` of session and payment.' },
)
const successText = text(1, maxSuccessText, {
  description: 'Shown once it is paid. Not beside `successUrl`.',
  examples: ['Thank you! We have sent the tickets.'],
})
const expireTime = Type.String({
  format: 'date-time',
  description: 'From when on no payment begins; left out: never.',
  examples: ['2030-12-31T23:59:59Z'],
})
const paymentCap = Type.Integer({
  minimum: 1,
  maximum: maxPaymentsOfLink,
  description: 'How many payments it takes; left out: as many as come.',
})
const isActive = Type.Boolean({ default: true, description: 'Whether it can be paid now.' })

/** A link as a merchant asks for it. */
export const newPaymentLink = object(
  {
    name,
    description,
    lineItems: optional(items),
    openAmount: optional(openAmount),
    quantity: optional(quantity),
    payerReference: optional(payerReference),
    financialAccountId: optional(referenceTo(accountIds)),
    paymentOptions,
    brandingOptions,
    successText: optional(successText),
    successUrl: optional(webAddress()),
    active: optional(isActive),
    expireTime: optional(expireTime),
    maxPayments: optional(paymentCap),
    metadata: optional(metadata),
  },
  { title: 'NewPaymentLink' },
)
export type NewPaymentLink = Static<typeof newPaymentLink>

/** Only named fields change; null clears. */
export const paymentLinkChange = object({
  name: optional(name),
  description: clearable(description),
  lineItems: clearable(items),
  openAmount: clearable(openAmount),
  quantity: clearable(quantity),
  payerReference: clearable(payerReference),
  financialAccountId: clearable(referenceTo(accountIds)),
  paymentOptions: clearable(paymentOptions),
  brandingOptions: clearable(brandingOptions),
  successText: clearable(successText),
  successUrl: clearable(webAddress()),
  active: clearable(isActive),
  expireTime: clearable(expireTime),
  maxPayments: clearable(paymentCap),
  metadata: clearable(metadata),
})
export type PaymentLinkChange = Static<typeof paymentLinkChange>

const orNull = <T extends Type.TSchema>(schema: T, type: string) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'] })

const shownInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

export const paymentLink = object(
  {
    id: idOf(linkIds),
    status: Type.Enum(statuses),
    url: Type.String({ description: 'Share this.' }),
    qrUrl: Type.String({ description: 'The address as a QR code to print, in SVG.' }),
    name: Type.String(),
    description: nullableText,
    // Without the title of `shownMoney`, which is that of the shape without null.
    amount: orNull(object(shownMoney.properties), 'object'),
    lineItems: Type.Unsafe<LinkItem[] | null>({ type: ['array', 'null'], items: items.items }),
    openAmount: orNull(
      object({ currency: Type.String(), minimum: shownInteger, maximum: shownInteger }),
      'object',
    ),
    quantity: orNull(object({ minimum: Type.Integer(), maximum: Type.Integer() }), 'object'),
    payerReference: orNull(object({ label: Type.String(), isRequired: Type.Boolean() }), 'object'),
    financialAccountId: idOf(accountIds),
    brandingOptions: object({ primaryColor: nullableText }),
    successText: nullableText,
    successUrl: nullableText,
    active: Type.Boolean(),
    expireTime: Type.Unsafe<string | null>({ ...timestamp, type: ['string', 'null'] }),
    maxPayments: shownInteger,
    paymentCount: Type.Integer({ description: 'Payments that are completed.' }),
    paymentTotal: shownMoney,
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'PaymentLink' },
)
