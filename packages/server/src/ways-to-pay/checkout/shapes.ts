import { maxAmount } from '@pesewa/values'
import Type, { type Static } from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  duration,
  group,
  idOf,
  listOf,
  metadata,
  nameText,
  nullable,
  nullableAddress,
  object,
  opaqueText,
  optional,
  optionalReferenceTo,
  optionalText,
  ownId,
  shownAddress,
  shownText,
  text,
  textOrNull,
  timestamp,
  webAddress,
  webColor,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { lineItemIds, linkIds, sessionIds } from './resources.ts'
import { statuses } from './states.ts'

export const expireReasons = ['time', 'payment_link'] as const

const providerList = optional(Type.Array(text(1, 64), { maxItems: 50 }))
const disable = withDescription(
  optional(Type.Boolean({ default: false })),
  'Hides this payment method entirely.',
)

/** Default lifetime of a session, as a duration. */
export const defaultDuration = '1h' // limit: default lifetime of a session
export const defaultQuantity = 1
const providerChoice = optional(
  object({
    disable,
    enabledProviders: withDescription(
      providerList,
      'Ids of the only providers that are offered. Defaults to every provider that supports the amount’s currency.',
    ),
    disabledProviders: withDescription(providerList, 'Ids of providers that are not offered.'),
  }),
)

const images = Type.Array(webAddress(), { maxItems: 3 }) // limit: images per line item

/** The body of a merchant's request to create a session. */
export const newSession = object(
  {
    name: withDescription(nameText(1, 150), 'Name of the purchase, shown to the payer.'),
    description: optionalText(1000, 'Description, shown below the name.'),
    successUrl: withDescription(optional(webAddress()), 'URL to which the payer is sent after payment.'),
    cancelUrl: withDescription(
      optional(webAddress()),
      'URL to which the payer is sent when leaving without paying.',
    ),
    callbackState: withDescription(
      optional(opaqueText(0, 255)),
      'Your own state, returned as `callbackState` in the session’s events and in the URL to which the payer returns.',
    ),
    reference: optionalText(255, 'Your own reference, such as an order number.'),
    financialAccountId: optionalReferenceTo(
      accountIds,
      'Account to credit. Defaults to the Space’s main account in the currency.',
    ),
    lineItems: withDescription(
      Type.Array(
        object({
          type: withDescription(
            optional(Type.Enum(['custom'], { default: 'custom' })),
            'Type of the line item. Always `custom`: named and priced in the request.',
          ),
          name: withDescription(nameText(1, 100), 'Name of the line item, shown to the payer.'),
          price: withDescription(money, 'Price of one unit.'),
          quantity: withDescription(
            optional(Type.Integer({ minimum: 1, maximum: 100_000, default: defaultQuantity })),
            'Number of units.',
          ),
          reference: optionalText(
            100,
            'Your own reference for the line item. It becomes the key of its entitlement on the receipt.',
          ),
          description: optionalText(100, 'Description, shown below the line item’s name.'),
          images: withDescription(optional(images), 'URLs of images of the item.'),
        }),
        { minItems: 1, maxItems: 16 }, // limit: line items of a session
      ),
      'Items to pay for. The session’s amount is the sum of price × quantity, all in one currency.',
    ),
    paymentOptions: optional(
      group('Payment methods to offer. Defaults to all that support the amount’s currency.', {
        card: optional(group('Cards.', { disable })),
        bank: withDescription(providerChoice, 'Banks.'),
        momo: withDescription(providerChoice, 'Mobile money.'),
        wallet: withDescription(providerChoice, 'Wallets.'),
      }),
    ),
    brandingOptions: optional(
      group('Branding that overrides the Space’s.', {
        primaryColor: withDescription(
          optional(webColor),
          'Colour of buttons and headings: `#` and 3 or 6 hexadecimal digits.',
        ),
      }),
    ),
    duration: withDescription(
      optional(duration('5m', '7d', defaultDuration)), // limit: lifetime of a session
      'Time until the session expires.',
    ),
    metadata: optional(metadata),
  },
  { title: 'NewCheckoutSession' },
)
export type NewSession = Static<typeof newSession>

export const session = object(
  {
    id: ownId(sessionIds),
    name: shownText('Name of the purchase, shown to the payer.'),
    reference: textOrNull('Your own reference, or null.'),
    description: textOrNull('Description, or null.'),
    status: withMeanings(Type.Enum(statuses), 'Status of the session.', {
      pending: 'can be paid',
      completed: 'paid',
      cancelled: 'cancelled by you',
      expired: 'can no longer be paid; see `expireReason`',
    }),
    redirectUrl: withDescription(
      shownAddress,
      'URL of the payment page. Send the payer here.',
      'https://pay.example.com/pay/AAGTq3V8Zk5s1n',
    ),
    cancelUrl: withDescription(nullableAddress, 'URL for payers who leave without paying, or null.'),
    successUrl: withDescription(
      nullableAddress,
      'URL to which the payer is sent after payment; null for our own confirmation page.',
    ),
    amount: withDescription(shownMoney, 'Amount to pay, the sum of all line items.'),
    orderNumber: shownText('Twelve-digit order number, shown to the payer and on receipts.', '482915037264'),
    lineItems: group('Items to pay for.', {
      data: listOf('Line items, in the order sent.', {
        id: withDescription(idOf(lineItemIds), 'Id of the line item.'),
        type: withDescription(Type.Enum(['custom']), 'Always `custom`: named and priced by you.'),
        name: shownText('Name of the line item, shown to the payer.'),
        price: withDescription(money, 'Price of one unit.'),
        quantity: withDescription(Type.Integer({ minimum: 1, maximum: maxAmount }), 'Number of units.'),
        reference: textOrNull('Your own reference for the line item, or null.'),
        description: textOrNull('Description, or null.'),
        images: withDescription(Type.Array(shownAddress), 'URLs of images of the item.', [
          'https://shop.example/cloth.jpg',
        ]),
      }),
    }),
    financialAccountId: withDescription(idOf(accountIds), 'Account that is credited.'),
    brandingOptions: group('Branding that overrides the Space’s.', {
      primaryColor: textOrNull('Colour of buttons and headings; null for the Space’s own colour.'),
    }),
    paymentLinkId: withDescription(
      nullable(idOf(linkIds)),
      'Payment link that opened the session; null if it was created through the API.',
    ),
    expireTime: withDescription(timestamp, 'Time after which the session can no longer be paid.'),
    expireReason: withMeanings(
      Type.Unsafe<(typeof expireReasons)[number] | null>({
        type: ['string', 'null'],
        enum: [...expireReasons, null],
      }),
      'Reason why the session expired, or null.',
      {
        time: '`expireTime` passed without a payment',
        payment_link:
          'the payment link did not accept the payment because it had reached `maxPayments` or you had paused or ended it',
      },
    ),
    ...ownedFields,
  },
  { title: 'CheckoutSession' },
)
