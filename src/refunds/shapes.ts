import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { movedFailure, movedFilters, shownFees } from '../instructions/moved-shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { paymentIds } from '../payments/resources.ts'
import { approval } from '../payouts/shapes.ts'
import {
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { cardSchemes } from '../providers/connector.ts'
import { providerTypes } from '../providers/provider.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { maxNoteLength } from './late.ts'
import { refundIds } from './resources.ts'
import { pendingReasons, refundStatuses } from './states.ts'
import { bearers, refundMethods, refundReasons } from './store.ts'

export const refund = object(
  {
    id: ownId(refundIds),
    status: explained(Type.Enum(refundStatuses), 'What has become of it.', {
      pending: 'amount and fee are held; it waits, as `pendingReason` says',
      processing: 'the provider has it and alone decides its outcome',
      completed: 'the payer has the money',
      failed: 'no money has left, and the payment can be refunded as before',
      cancelled: 'you cancelled it, or it was not approved',
    }),
    pendingReason: Type.Unsafe<(typeof pendingReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...pendingReasons, null],
      description:
        'Why a pending refund has not left; null where it is about to, and of all others. `approval`: another member decides; `insufficient_balance`: the account has too little; `provider_unavailable`: the provider takes nothing now.',
    }),
    paymentId: described(idOf(paymentIds), 'The payment that goes back.'),
    orderNumber: described(
      Type.String({ examples: ['482915037264'] }),
      'The twelve digits of the order that was paid.',
    ),
    amount: described(shownMoney, 'What is given back of the payment.'),
    fees: shownFees('What the refund itself costs.'),
    bearer: explained(Type.Enum(bearers), 'Who pays the refund’s fee.', {
      merchant: 'you, on top of the amount',
      payer: 'the payer, out of the amount',
    }),
    source: described(
      object({
        financialAccountId: described(idOf(accountIds), 'The account that got the payment.'),
        transactionReference: described(
          nullableText,
          'Finds the lines of the ledger that it wrote; null before it is completed.',
        ),
      }),
      'Where the money comes from.',
    ),
    destination: described(
      object(
        {
          type: explained(Type.Enum(providerTypes), 'What kind of account it is.', {
            momo: 'a phone with mobile money',
            bank: 'a bank account',
            wallet: 'a wallet',
            card: 'a card',
          }),
          providerId: described(Type.String({ examples: ['m17'] }), 'Who holds the account.'),
          phoneNumber: Type.Optional(
            Type.String({ examples: ['+23276****56'], description: 'momo: masked.' }),
          ),
          accountNumber: Type.Optional(Type.String({ examples: ['****3344'], description: 'bank: masked.' })),
          walletId: Type.Optional(Type.String({ examples: ['****4471'], description: 'wallet: masked.' })),
          scheme: described(
            Type.Optional(
              Type.Unsafe<(typeof cardSchemes)[number] | null>({
                type: ['string', 'null'],
                enum: [...cardSchemes, null],
              }),
            ),
            'card: its network, `visa`, `mastercard` or `verve`; null where that is not known.',
          ),
          last4: described(
            Type.Optional(nullableText),
            'card: its last four digits; null where they are not known.',
          ),
          transactionReference: described(
            nullableText,
            'The provider’s own transaction; null before there is one.',
          ),
        },
        { shows: { phoneNumber: '+23276****56' } },
      ),
      'The account that paid: no other can be chosen.',
    ),
    method: explained(Type.Enum(refundMethods), 'How the money goes back.', {
      provider_refund: 'the provider refunds its own transaction',
      payout: 'it is paid out to the account that paid',
    }),
    reason: explained(Type.Enum(refundReasons), 'Why it is given back.', {
      requested_by_customer: 'the payer asked for it',
      duplicate: 'paid twice',
      fraudulent: 'somebody else paid with the account',
      wrong_amount: 'another amount was due',
      order_cancelled: 'the order was cancelled',
      late_payment: 'the money came after its payment had failed',
      other: 'something else',
    }),
    note: described(nullableText, 'Your team’s own remark; null where there is none.'),
    payerMessage: described(nullableText, 'What the payer is shown where the provider can; null: nothing.'),
    failureDetail: movedFailure,
    approval,
    createUserId: Type.Unsafe<string | null>({
      ...idOf(userIds),
      type: ['string', 'null'],
      description: 'The user who created it; null where the operator gave the money back.',
    }),
    createTime,
    updateTime,
    completeTime: described(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'When the payer had the money; null before.',
    ),
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'Refund' },
)

export const newRefund = object({
  paymentId: described(referenceTo(paymentIds), 'The payment that goes back.'),
  amount: described(optional(money), 'What is given back; left out: all that remains of the payment.'),
  reason: explained(Type.Enum(refundReasons), 'Why it is given back.', {
    requested_by_customer: 'the payer asked for it',
    duplicate: 'paid twice',
    fraudulent: 'somebody else paid with the account',
    wrong_amount: 'another amount was due',
    order_cancelled: 'the order was cancelled',
    late_payment: 'the money came after its payment had failed',
    other: 'something else',
  }),
  note: optional(text(0, maxNoteLength, { description: 'For your team; never sent to a provider.' })),
  payerMessage: optional(text(0, 100, { description: 'Shown to the payer where the provider can.' })),
  bearer: explained(optional(Type.Enum(bearers, { default: 'merchant' })), 'Who pays the refund’s fee.', {
    merchant: 'you, on top of the amount',
    payer: 'the payer, out of the amount',
  }),
  metadata: optional(metadata),
})

export const refundFilters = object({
  paymentId: described(optional(referenceTo(paymentIds)), 'Only refunds of this payment.'),
  ...movedFilters,
  status: described(optional(Type.Enum(refundStatuses)), 'Only refunds of this status.'),
})
