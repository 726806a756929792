import Type, { type Static } from 'typebox'
import { maxAmount } from '../countries/money.ts'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import {
  createTime,
  described,
  duration,
  explained,
  idOf,
  metadata,
  nameText,
  nullableAddress,
  nullableText,
  object,
  opaqueText,
  optional,
  ownId,
  referenceTo,
  shownAddress,
  shownMetadata,
  text,
  timestamp,
  updateTime,
  webAddress,
  webColor,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { lineItemIds, linkIds, sessionIds } from './resources.ts'

export const statuses = ['pending', 'completed', 'cancelled', 'expired'] as const
export const expireReasons = ['time', 'payment_link'] as const

const providerList = optional(Type.Array(text(1, 64), { maxItems: 50 }))
const disable = described(optional(Type.Boolean({ default: false })), 'Whether the whole kind is left out.')

/** What a session is when nothing is said. */
export const defaultDuration = '1h' // limit: how long a session can be paid when nothing is said
export const defaultQuantity = 1
const providerChoice = optional(
  object({
    disable,
    enabledProviders: described(
      providerList,
      'Only these providers of the kind, by id; left out: all that can take the amount.',
    ),
    disabledProviders: described(providerList, 'Providers of the kind that are not offered, by id.'),
  }),
)

const images = Type.Array(webAddress(), { maxItems: 3 }) // limit: images of a line item

/** A session as a merchant asks for it. */
export const newSession = object(
  {
    name: described(nameText(1, 150), 'What is paid for, as the payer reads it on the page.'),
    description: described(optional(text(0, 1000)), 'More about it, shown below the name.'),
    successUrl: described(optional(webAddress()), 'Where the payer goes once it is paid.'),
    cancelUrl: described(optional(webAddress()), 'Where the payer goes back to without paying.'),
    callbackState: described(
      optional(opaqueText(0, 255)),
      'Comes back as `callbackState`: in the session’s events, and in the address that the payer returns to.',
    ),
    reference: described(optional(text(0, 255)), 'Your own word for it, such as an order number.'),
    financialAccountId: described(
      optional(referenceTo(accountIds)),
      'The account that is credited; left out: the Space’s main account of the currency.',
    ),
    lineItems: described(
      Type.Array(
        object({
          type: described(
            optional(Type.Enum(['custom'], { default: 'custom' })),
            'What kind of line it is: `custom`, the only one, is named and priced here.',
          ),
          name: described(nameText(1, 100), 'What the payer reads on this line.'),
          price: described(money, 'The price of one unit.'),
          quantity: described(
            optional(Type.Integer({ minimum: 1, maximum: 100_000, default: defaultQuantity })),
            'How many units.',
          ),
          reference: described(
            optional(text(0, 100)),
            'Your own word for the line: the key of its entitlement on the receipt.',
          ),
          description: described(optional(text(0, 100)), 'More about it, shown below the line’s name.'),
          images: described(optional(images), 'Addresses of pictures of it.'),
        }),
        { minItems: 1, maxItems: 16 }, // limit: line items of a session
      ),
      'What is sold: the session’s amount is the sum of prices times quantities, all in one currency.',
    ),
    paymentOptions: described(
      optional(
        object({
          card: described(optional(object({ disable })), 'Cards.'),
          bank: described(providerChoice, 'Banks.'),
          momo: described(providerChoice, 'Mobile money.'),
          wallet: described(providerChoice, 'Wallets.'),
        }),
      ),
      'Which ways to pay the page offers; left out: all that can take the amount.',
    ),
    brandingOptions: described(
      optional(
        object({
          primaryColor: described(
            optional(webColor),
            'The colour of buttons and headings: `#` and 3 or 6 hexadecimal digits.',
          ),
        }),
      ),
      'How the page looks, where it is to differ from the Space’s own brand.',
    ),
    duration: described(optional(duration('5m', '7d', defaultDuration)), 'How long it can be paid.'), // limit: how long a session can be paid
    metadata: optional(metadata),
  },
  { title: 'NewCheckoutSession' },
)
export type NewSession = Static<typeof newSession>

export const session = object(
  {
    id: ownId(sessionIds),
    name: described(Type.String(), 'What is paid for, as the payer reads it.'),
    reference: described(nullableText, 'Your own word for it; null where none was sent.'),
    description: described(nullableText, 'More about it; null where none was sent.'),
    status: explained(Type.Enum(statuses), 'What has become of it.', {
      pending: 'it can be paid',
      completed: 'it was paid',
      cancelled: 'you cancelled it',
      expired: 'it can no longer be paid: see `expireReason`',
    }),
    redirectUrl: described(
      shownAddress,
      'The address of the page. Send the payer here.',
      'https://pay.example.com/pay/AAGTq3V8Zk5s1n',
    ),
    cancelUrl: described(nullableAddress, 'Where the payer goes back to without paying; null: nowhere.'),
    successUrl: described(
      nullableAddress,
      'Where the payer goes once it is paid; null: a page of ours says so.',
    ),
    amount: described(shownMoney, 'What is to be paid: the sum of all lines.'),
    orderNumber: described(
      Type.String({ examples: ['482915037264'] }),
      'Twelve digits that name the order to payer and merchant, on receipts too.',
    ),
    lineItems: described(
      object({
        data: described(
          Type.Array(
            object({
              id: described(idOf(lineItemIds), 'The id of the line.'),
              type: described(Type.Enum(['custom']), '`custom`: named and priced by you.'),
              name: described(Type.String(), 'What the payer reads on this line.'),
              price: described(money, 'The price of one unit.'),
              quantity: described(Type.Integer({ minimum: 1, maximum: maxAmount }), 'How many units.'),
              reference: described(nullableText, 'Your own word for the line; null where none was sent.'),
              description: described(nullableText, 'More about it; null where none was sent.'),
              images: described(Type.Array(shownAddress), 'Addresses of pictures of it.', [
                'https://shop.example/cloth.jpg',
              ]),
            }),
          ),
          'The lines, in the order in which they were sent.',
        ),
      }),
      'What is sold.',
    ),
    financialAccountId: described(idOf(accountIds), 'The account that is credited.'),
    brandingOptions: described(
      object({
        primaryColor: described(nullableText, 'The colour of buttons and headings; null: the Space’s own.'),
      }),
      'How the page looks, where it differs from the Space’s own brand.',
    ),
    paymentLinkId: described(
      Type.Unsafe<string | null>({ ...idOf(linkIds), type: ['string', 'null'] }),
      'The payment link that it was opened from; null where it was created by a call.',
    ),
    expireTime: described(timestamp, 'When it can no longer be paid.'),
    expireReason: explained(
      Type.Unsafe<(typeof expireReasons)[number] | null>({
        type: ['string', 'null'],
        enum: [...expireReasons, null],
      }),
      'Why it expired; null where it did not.',
      {
        time: 'its `expireTime` passed unpaid',
        payment_link:
          'its payment link took no payment of it: it had taken all that it takes, or you had paused or ended it',
      },
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'CheckoutSession' },
)
