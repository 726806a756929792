import { maxAmount } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  clearable,
  flag,
  group,
  groupOrNull,
  idOf,
  integerOrNull,
  metadata,
  nameText,
  nullable,
  nullableAddress,
  object,
  optional,
  optionalEnum,
  optionalReferenceTo,
  ownId,
  referenceTo,
  shownAddress,
  shownText,
  text,
  textOrNull,
  timestamp,
  webAddress,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { linkIds } from '../checkout/resources.ts'
import { newSession } from '../checkout/shapes.ts'
import { statuses } from './states.ts'

const maxQuantity = 1_000 // limit: number of times that a payer may buy a payment link’s items in one payment
const maxPaymentsOfLink = 1_000_000 // limit: maximum value of a payment link’s `maxPayments`
const maxSuccessText = 500 // limit: length of a payment link’s success text

const { lineItems: items, paymentOptions, brandingOptions, name, description } = newSession.properties
export type LinkItem = Static<typeof items>[number]

const value = Type.Integer({ minimum: 1, maximum: maxAmount })
const openAmount = object(
  {
    currency: Type.String({
      pattern: '^[A-Z]{3}$',
      description: 'Currency of the payment.',
      examples: ['SLE'],
    }),
    minimum: optional({
      ...value,
      description: 'Minimum amount in minor units. By default, there is no minimum.',
      examples: [500],
    }),
    maximum: optional({
      ...value,
      description: 'Maximum amount in minor units. By default, there is no maximum.',
      examples: [500_000],
    }),
  },
  { description: 'Limits for the amount, which the payer enters. Use instead of `lineItems`.' },
)
const quantity = object(
  {
    minimum: withDescription(
      optional(Type.Integer({ minimum: 1, maximum: maxQuantity, default: 1 })),
      'Minimum quantity.',
    ),
    maximum: Type.Integer({
      minimum: 1,
      maximum: maxQuantity,
      description: 'Maximum quantity.',
      examples: [10],
    }),
  },
  { description: 'Lets the payer choose how many times to buy all items. By default, they are bought once.' },
)
const payerReference = object(
  {
    label: nameText(1, 60, { description: 'Label of the field.', examples: ['Name of the pupil'] }),
    isRequired: withDescription(
      optional(Type.Boolean({ default: true })),
      'Requires the payer to fill in the field.',
    ),
  },
  {
    description:
      'Text field for the payer. Its value becomes the `reference` of the session and the payment.',
  },
)
const successText = text(1, maxSuccessText, {
  description: 'Text shown to the payer after payment. Cannot be combined with `successUrl`.',
  examples: ['Thank you! We have sent the tickets.'],
})
const expireTime = Type.String({
  format: 'date-time',
  description: 'Time after which no payment can start. By default, the link never expires.',
  examples: ['2030-12-31T23:59:59Z'],
})
const paymentCap = Type.Integer({
  minimum: 1,
  maximum: maxPaymentsOfLink,
  description: 'Maximum number of payments. Unlimited by default.',
})
const isActive = Type.Boolean({ default: true, description: 'Set to false to pause the link.' })

const account = 'Account to credit. By default, the Space’s main account in the currency.'

/** A link as requested by a merchant. */
export const newPaymentLink = object(
  {
    name,
    description,
    lineItems: optional(items),
    openAmount: optional(openAmount),
    quantity: optional(quantity),
    payerReference: optional(payerReference),
    financialAccountId: optionalReferenceTo(accountIds, account),
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

/** A change to a link. Omitted fields stay unchanged; null clears a field. */
export const paymentLinkChange = object({
  name: optional(name),
  description: clearable(description),
  lineItems: clearable(items),
  openAmount: clearable(openAmount),
  quantity: clearable(quantity),
  payerReference: clearable(payerReference),
  financialAccountId: withDescription(clearable(referenceTo(accountIds)), account),
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

/** Describes the statuses, which are also the values of the `status` filter. */
const shownStatus = withMeanings(Type.Enum(statuses), 'Status of the link.', {
  active: 'it can be paid',
  inactive: 'you paused it',
  completed: 'it reached `maxPayments`',
  expired: 'it passed its `expireTime`',
  cancelled: 'you cancelled it',
})

export const statusFilter = optionalEnum(statuses, 'Only links with this status.')

export const paymentLink = object(
  {
    id: ownId(linkIds),
    status: shownStatus,
    url: withDescription(
      shownAddress,
      'URL of the link, short enough to type. Share it with payers.',
      'https://pay.example/l/K7Q4M2XP',
    ),
    qrUrl: withDescription(
      shownAddress,
      'QR code of the URL for printing, as an SVG.',
      'https://pay.example/l/K7Q4M2XP/qr.svg',
    ),
    posterUrl: withDescription(
      shownAddress,
      'URL of a poster of the link for printing, as an A4 page.',
      'https://pay.example/l/K7Q4M2XP/poster',
    ),
    name: shownText('Name of the purchase, shown to the payer.'),
    description: textOrNull('Description; null if none was given.'),
    // Omits the title of `shownMoney`, which belongs to the non-null shape.
    amount: withDescription(
      nullable(object(shownMoney.properties)),
      'Total of the items if they are bought once; null if the payer enters the amount.',
    ),
    lineItems: withDescription(
      Type.Unsafe<LinkItem[] | null>({ type: ['array', 'null'], items: items.items }),
      'Items to pay for; null if the payer enters the amount.',
    ),
    openAmount: groupOrNull('Limits for the amount that the payer enters; null if the link has line items.', {
      currency: withDescription(Type.String(), 'Currency of the payment.', 'SLE'),
      minimum: integerOrNull('Minimum amount in minor units; null if there is none.'),
      maximum: integerOrNull('Maximum amount in minor units; null if there is none.'),
    }),
    quantity: groupOrNull(
      'How many times the payer can buy all items; null if they can be bought only once.',
      {
        minimum: withDescription(Type.Integer(), 'Minimum quantity.'),
        maximum: withDescription(Type.Integer(), 'Maximum quantity.'),
      },
    ),
    payerReference: groupOrNull('Text field for the payer; null if the link has none.', {
      label: shownText('Label of the field.'),
      isRequired: flag('True if the payer must fill in the field.'),
    }),
    financialAccountId: withDescription(idOf(accountIds), 'Account to credit.'),
    brandingOptions: group('Branding that overrides the Space’s branding.', {
      primaryColor: textOrNull('Colour of buttons and headings; null to use the Space’s colour.'),
    }),
    successText: textOrNull('Text shown to the payer after payment; null if there is none.'),
    successUrl: withDescription(
      nullableAddress,
      'URL to which the payer is redirected after payment; null to show our own confirmation page.',
    ),
    active: flag('False if the link is paused or has ended.'),
    expireTime: withDescription(
      nullable(timestamp),
      'Time after which no payment can start; null if the link never expires.',
    ),
    maxPayments: integerOrNull('Maximum number of payments; null if unlimited.'),
    paymentCount: Type.Integer({ description: 'Number of completed payments.' }),
    paymentTotal: withDescription(shownMoney, 'Total amount of completed payments.'),
    ...ownedFields,
  },
  { title: 'PaymentLink' },
)
