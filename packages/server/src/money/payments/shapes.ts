import { cardSchemes, type Guidance, providerTypes } from '@pesewa/connector-kit'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  createTime,
  flag,
  freeObject,
  group,
  idOf,
  listOf,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  shownText,
  text,
  textOrNull,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { shownFees, transactionFailure } from '../../rails/instructions/transaction-shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { receiptStatuses } from './receipts.ts'
import { paymentIds } from './resources.ts'

/** Like the other card fields, null until the card has been charged. */
export const cardScheme = Type.Unsafe<(typeof cardSchemes)[number] | null>({
  type: ['string', 'null'],
  enum: [...cardSchemes, null],
})

/** The payer's account, in the field for its type. */
export const maskedAccount = {
  phoneNumber: Type.Optional(shownText('Masked phone number, for `momo`.', '+23276****56')),
  accountNumber: Type.Optional(shownText('Masked account number, for `bank`.', '****3344')),
  walletId: Type.Optional(shownText('Masked wallet id, for `wallet`.', '****4471')),
}

const instructions = Type.Unsafe<Guidance | null>({
  type: ['object', 'null'],
  description:
    'Instructions from the provider to the payer, as plain text that you must escape; null if there are none.',
  properties: {
    texts: {
      type: 'object',
      description: 'Texts by language (ISO 639 code): at most ten, each with at most 500 characters.',
      additionalProperties: { type: 'string' },
      examples: [{ en: 'Dial *144# and choose 4 to approve.' }],
    },
    dialString: { type: ['string', 'null'], description: 'String to dial.', examples: ['*144*4#'] },
    asksForCode: {
      type: 'boolean',
      enum: [true],
      description: 'True if the payer receives a code to submit through `submit-code`; absent otherwise.',
    },
  },
  required: ['texts', 'dialString'],
  additionalProperties: false,
})

export const payment = object(
  {
    id: ownId(paymentIds),
    status: withMeanings(
      Type.Enum(['pending', 'processing', 'completed', 'failed']),
      'Status of the payment.',
      {
        pending: 'about to be sent to the provider',
        processing: 'sent to the provider; its outcome is not known yet and may take a while',
        completed: 'the money is in the account',
        failed: 'not paid',
      },
    ),
    amount: withDescription(
      shownMoney,
      'Amount that the payer pays. It is credited in full; fees are separate ledger lines.',
    ),
    channel: withDescription(
      object(
        {
          type: withMeanings(Type.Enum(providerTypes), 'Type of the payer’s account.', {
            momo: 'mobile money',
            bank: 'bank account',
            wallet: 'wallet',
            card: 'card',
          }),
          provider: shownText('Id of the provider that holds the payer’s account.', 'm17'),
          reference: textOrNull('Provider’s transaction id; null if there is none yet.'),
          ...maskedAccount,
          scheme: withDescription(
            Type.Optional(cardScheme),
            'Card network, for `card`: `visa`, `mastercard` or `verve`; null until the card has paid.',
          ),
          last4: withDescription(
            Type.Optional(nullableText),
            'Last four digits, for `card`; null until the card has paid.',
          ),
          fingerprint: textOrNull(
            'Identifies the payer within your Space without revealing the account; null if the payer is unknown.',
          ),
          metadata: withDescription(freeObject, 'Additional details; usually empty.'),
        },
        { shows: { phoneNumber: '+23276****56' } },
      ),
      'Payment method.',
    ),
    name: withDescription(Type.String(), 'Name of the purchase, as shown to the payer.', 'Order 42'),
    reference: textOrNull('Your own reference from the session or payment code; null if it has none.'),
    orderNumber: shownText(
      'Twelve-digit order number, shared by all attempts to pay the order.',
      '482915037264',
    ),
    financialAccountId: withDescription(idOf(accountIds), 'Account to credit.'),
    financialTransactionReference: textOrNull(
      'Reference of the payment’s ledger lines; null until it is completed.',
    ),
    fees: shownFees('Fees charged to you; empty until the payment is completed.'),
    refund: group('Refunds of the payment.', {
      status: withMeanings(Type.Enum(['none', 'partial', 'full']), 'Refund status.', {
        none: 'not refunded',
        partial: 'partially refunded',
        full: 'fully refunded',
      }),
      refunded: withDescription(shownMoney, 'Amount refunded to the payer.'),
      refundable: withDescription(shownMoney, 'Amount that can still be refunded.'),
    }),
    failureDetail: transactionFailure,
    instructions,
    ...ownedFields,
  },
  { title: 'Payment' },
)

/** These limits equal the maximum number of line items in a session and their maximum quantity. */
const maxEntitlements = 16 // limit: entitlements in one redemption
const maxUnits = 100_000 // limit: units of one entitlement per redemption

export const receipt = object(
  {
    status: withMeanings(Type.Enum(receiptStatuses), 'Redemption status.', {
      not_redeemed: 'no units redeemed',
      partially_redeemed: 'some units redeemed',
      fully_redeemed: 'all units redeemed',
    }),
    orderName: withDescription(Type.String(), 'Name of the order, as the payer sees it.', 'Concert'),
    orderNumber: shownText('Twelve-digit order number.', '482915037264'),
    orderAmount: withDescription(shownMoney, 'Amount paid.'),
    entitlements: listOf('Entitlements of the payer, one for each line item.', {
      key: Type.String({ description: 'Reference of the line item, or its id.', examples: ['seat'] }),
      name: withDescription(Type.String(), 'Name of the line item.', 'Seat'),
      limit: Type.Integer({ description: 'Units paid for.' }),
      current: Type.Integer({ description: 'Units redeemed so far.' }),
      remaining: withDescription(Type.Integer(), 'Units that can still be redeemed.'),
      exhausted: flag('True if no units remain.'),
    }),
    createTime,
    updateTime,
    metadata: withDescription(freeObject, 'Your metadata from the latest redemption.'),
  },
  { title: 'Receipt' },
)

export const redemption = object({
  redeemAll: optional(
    Type.Boolean({ description: 'Set to true to redeem all remaining units.', default: false }),
  ),
  entitlements: withDescription(
    optional(
      Type.Array(
        object({
          key: withDescription(text(1, 100), 'Key of the entitlement: the line item’s reference, or its id.'),
          units: withDescription(
            optional(Type.Integer({ minimum: 1, maximum: maxUnits, default: 1 })),
            'Units to redeem.',
          ),
        }),
        { minItems: 1, maxItems: maxEntitlements },
      ),
    ),
    'Entitlements to redeem, each of which may be listed once.',
  ),
  metadata: withDescription(
    optional(metadata),
    'Replaces the receipt’s metadata. If omitted, the metadata stays unchanged.',
  ),
})
