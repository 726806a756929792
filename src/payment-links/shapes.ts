import Type, { type Static } from 'typebox'
import { linkIds } from '../checkout/resources.ts'
import { newSession } from '../checkout/shapes.ts'
import { maxAmount } from '../countries/money.ts'
import { shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import {
  clearable,
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nameText,
  nullableAddress,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownAddress,
  shownMetadata,
  text,
  timestamp,
  updateTime,
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
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'What the payer pays in.',
      examples: ['SLE'],
    }),
    minimum: optional({
      ...value,
      description: 'The least, in minor units; left out: anything.',
      examples: [500],
    }),
    maximum: optional({
      ...value,
      description: 'The most, in minor units; left out: anything.',
      examples: [500_000],
    }),
  },
  { description: 'In place of `lineItems`: the payer types the amount.' },
)
const quantity = object(
  {
    minimum: described(
      optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })),
      'The fewest that can be taken.',
    ),
    maximum: Type.Integer({
      minimum: 1,
      maximum: maxQuantity,
      description: 'The most that can be taken.',
      examples: [10],
    }),
  },
  { description: 'The payer chooses how often they take all items; left out: once.' },
)
const payerReference = object(
  {
    label: nameText(1, 60, { description: 'What the payer is asked for.', examples: ['Name of the pupil'] }),
    isRequired: described(optional(Type.Boolean({ default: true })), 'Whether nobody can pay without it.'),
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

const account = 'The account that is credited; left out: the Space’s main account of the currency.'

/** A link as a merchant asks for it. */
export const newPaymentLink = object(
  {
    name,
    description,
    lineItems: optional(items),
    openAmount: optional(openAmount),
    quantity: optional(quantity),
    payerReference: optional(payerReference),
    financialAccountId: described(optional(referenceTo(accountIds)), account),
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
  financialAccountId: described(clearable(referenceTo(accountIds)), account),
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

/** What it is, and what it can become. */
const shownStatus = explained(Type.Enum(statuses), 'What has become of it.', {
  active: 'it can be paid',
  inactive: 'you have paused it',
  completed: 'it took as many payments as it takes',
  expired: 'its time is over',
  cancelled: 'you cancelled it',
})

const orNull = <T extends Type.TSchema>(schema: T, type: string) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [type, 'null'] })

export const statusFilter = described(optional(Type.Enum(statuses)), 'Only those that this has become of.')

const shownInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })

export const paymentLink = object(
  {
    id: ownId(linkIds),
    status: shownStatus,
    url: described(
      shownAddress,
      'Share this.',
      'https://pay.example/l/AAGaqncvEcW4AAEChcD2M_oBmq5yLnHBuAABAoXA9jP7Kq0Vx3mQ2bTzYd8sRfLw1A',
    ),
    qrUrl: described(
      shownAddress,
      'The address as a QR code to print, in SVG.',
      'https://pay.example/l/AAGaqncvEcW4AAEChcD2M_oBmq5yLnHBuAABAoXA9jP7Kq0Vx3mQ2bTzYd8sRfLw1A/qr.svg',
    ),
    name: described(Type.String(), 'What the payer reads first.'),
    description: described(nullableText, 'More about it; null where nothing was said.'),
    // Without the title of `shownMoney`, which is that of the shape without null.
    amount: described(
      orNull(object(shownMoney.properties), 'object'),
      'What the items cost, taken once; null where the payer types the amount.',
    ),
    lineItems: described(
      Type.Unsafe<LinkItem[] | null>({ type: ['array', 'null'], items: items.items }),
      'What is paid for; null where the payer types the amount.',
    ),
    openAmount: described(
      orNull(
        object({
          currency: described(Type.String(), 'What the payer pays in.', 'SLE'),
          minimum: described(shownInteger, 'The least, in minor units; null: anything.'),
          maximum: described(shownInteger, 'The most, in minor units; null: anything.'),
        }),
        'object',
      ),
      'The bounds of an amount that the payer types; null where there are line items.',
    ),
    quantity: described(
      orNull(
        object({
          minimum: described(Type.Integer(), 'The fewest that can be taken.'),
          maximum: described(Type.Integer(), 'The most that can be taken.'),
        }),
        'object',
      ),
      'How often the payer can take all items; null: once.',
    ),
    payerReference: described(
      orNull(
        object({
          label: described(Type.String(), 'What the payer is asked for.'),
          isRequired: described(Type.Boolean(), 'Whether nobody can pay without it.'),
        }),
        'object',
      ),
      'What the payer is asked for; null: nothing.',
    ),
    financialAccountId: described(idOf(accountIds), 'The account that is credited.'),
    brandingOptions: described(
      object({
        primaryColor: described(nullableText, 'The colour of buttons and headings; null: the Space’s own.'),
      }),
      'How its pages look, where they differ from the Space’s own brand.',
    ),
    successText: described(nullableText, 'What the payer reads once it is paid; null: nothing of yours.'),
    successUrl: described(nullableAddress, 'Where the payer goes once it is paid; null: to a page of ours.'),
    active: described(Type.Boolean(), 'Whether a payment can begin.'),
    expireTime: described(
      Type.Unsafe<string | null>({ ...timestamp, type: ['string', 'null'] }),
      'From when on no payment begins; null: never.',
    ),
    maxPayments: described(shownInteger, 'How many payments it takes; null: as many as come.'),
    paymentCount: Type.Integer({ description: 'Payments that are completed.' }),
    paymentTotal: described(shownMoney, 'What they came to.'),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'PaymentLink' },
)
