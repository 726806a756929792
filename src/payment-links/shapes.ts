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
  nullableText,
  object,
  optional,
  referenceTo,
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
    currency: described(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['SLE'] }),
      'The currency that the payer pays in, by ISO 4217.',
    ),
    minimum: described(
      optional({ ...value, description: 'In minor units.', examples: [500] }),
      'The least that a payer can type.',
    ),
    maximum: described(
      optional({ ...value, description: 'In minor units.', examples: [500_000] }),
      'The most that a payer can type.',
    ),
  },
  { description: 'In place of `lineItems`: the payer types the amount.' },
)
const quantity = object(
  {
    minimum: described(
      optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })),
      'The least that a payer can take.',
    ),
    maximum: described(
      Type.Integer({ minimum: 1, maximum: maxQuantity, examples: [10] }),
      'The most that a payer can take.',
    ),
  },
  { description: 'The payer chooses how often they take all items; left out: once.' },
)
const payerReference = object(
  {
    label: nameText(1, 60, { description: 'What the payer is asked for.', examples: ['Name of the pupil'] }),
    isRequired: described(optional(Type.Boolean({ default: true })), 'Whether nobody pays without it.'),
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
    financialAccountId: described(
      optional(referenceTo(accountIds)),
      'The account that is credited; left out: the Space’s main account of the currency.',
    ),
    paymentOptions,
    brandingOptions,
    successText: optional(successText),
    successUrl: described(
      optional(webAddress()),
      'Where the payer goes once it is paid. Not beside `successText`.',
    ),
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
  financialAccountId: described(
    clearable(referenceTo(accountIds)),
    'The account that is credited from now on.',
  ),
  paymentOptions: clearable(paymentOptions),
  brandingOptions: clearable(brandingOptions),
  successText: clearable(successText),
  successUrl: described(
    clearable(webAddress()),
    'Where the payer goes once it is paid. Not beside `successText`.',
  ),
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
    id: described(idOf(linkIds), 'Its id, which never changes.'),
    status: explained(Type.Enum(statuses), 'What has become of it.', {
      active: 'it can be paid',
      inactive: 'you switched it off',
      completed: 'it took as many payments as it may',
      expired: 'its time is over',
      cancelled: 'you cancelled it',
    }),
    url: described(
      Type.String({ description: 'Share this.' }),
      'The address of the page.',
      'https://pay.example.com/l/7K2M9XQ4',
    ),
    qrUrl: described(
      Type.String({ description: 'The address as a QR code to print, in SVG.' }),
      'In SVG.',
      'https://pay.example.com/l/7K2M9XQ4/qr.svg',
    ),
    name: described(Type.String(), 'What is paid for, as the payer reads it.'),
    description: described(nullableText, 'More about it; null where none was sent.'),
    // Without the title of `shownMoney`, which is that of the shape without null.
    amount: described(
      orNull(object(shownMoney.properties), 'object'),
      'What all items cost once; null: the payer types the amount.',
    ),
    lineItems: described(
      Type.Unsafe<LinkItem[] | null>({ type: ['array', 'null'], items: items.items }),
      'What is sold; null: the payer types the amount.',
    ),
    openAmount: described(
      orNull(
        object({
          currency: described(Type.String(), 'The currency that the payer pays in, by ISO 4217.', 'SLE'),
          minimum: described(shownInteger, 'The least, in minor units; null: no bound.'),
          maximum: described(shownInteger, 'The most, in minor units; null: no bound.'),
        }),
        'object',
      ),
      'Between which bounds the payer types the amount; null: it has items.',
    ),
    quantity: described(
      orNull(
        object({
          minimum: described(Type.Integer(), 'The least.', 1),
          maximum: described(Type.Integer(), 'The most.', 6),
        }),
        'object',
      ),
      'How often the payer may take all items; null: once.',
    ),
    payerReference: described(
      orNull(
        object({
          label: described(Type.String(), 'The question, as the payer reads it.', 'Name of the pupil'),
          isRequired: described(Type.Boolean(), 'Whether nobody pays without it.'),
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
      'How the page looks, where it differs from the Space’s own brand.',
    ),
    successText: described(nullableText, 'Shown once it is paid; null: words of ours.'),
    successUrl: described(
      nullableText,
      'Where the payer goes once it is paid; null: a page of ours says so.',
    ),
    active: described(Type.Boolean(), 'Whether you let it be paid now.'),
    expireTime: described(
      Type.Unsafe<string | null>({ ...timestamp, type: ['string', 'null'] }),
      'From when on no payment begins; null: never.',
    ),
    maxPayments: described(shownInteger, 'How many payments it takes; null: as many as come.'),
    paymentCount: Type.Integer({ description: 'Payments that are completed.' }),
    paymentTotal: described(shownMoney, 'What those came to.'),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'PaymentLink' },
)
