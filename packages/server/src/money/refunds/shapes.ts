import { providerTypes } from '@pesewa/connector-kit'
import { keysOf } from '@pesewa/values'
import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  createTime,
  group,
  idOf,
  metadata,
  nullable,
  nullableText,
  nullableTime,
  object,
  optional,
  optionalEnum,
  optionalReferenceTo,
  ownId,
  referenceTo,
  shownMetadata,
  shownText,
  text,
  textOrNull,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import {
  shownFees,
  transactionFailure,
  transactionFilterShapes,
} from '../../rails/instructions/transaction-shapes.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { approval } from '../approvals/shapes.ts'
import { paymentIds } from '../payments/resources.ts'
import { cardScheme, maskedAccount } from '../payments/shapes.ts'
import { maxNoteLength } from './late-payments.ts'
import { refundIds } from './resources.ts'
import { pendingReasons, refundStatuses } from './states.ts'
import { bearers, refundMethods, refundReasons } from './store.ts'

const reasonMeanings = {
  requested_by_customer: 'the payer requested it',
  duplicate: 'the payer paid twice',
  fraudulent: 'someone other than the account holder paid',
  wrong_amount: 'the amount was wrong',
  order_cancelled: 'the order was cancelled',
  late_payment: 'the money arrived after its payment had failed',
  other: 'another reason',
} as const
const reasonText = 'Reason for the refund.'
const reason = withMeanings(Type.Enum(keysOf(reasonMeanings)), reasonText, reasonMeanings)
const shownReason = withMeanings(Type.Enum(refundReasons), reasonText, {
  ...reasonMeanings,
  paid_twice: 'the order had already been paid with another payment; Pesewa itself created the refund',
})

export const refund = object(
  {
    id: ownId(refundIds),
    status: withMeanings(Type.Enum(refundStatuses), 'Status of the refund.', {
      pending: 'the amount and the fee are held; see `pendingReason`',
      processing: 'sent to the provider, which alone determines the outcome',
      completed: 'the payer has received the money',
      failed: 'no money has left the account; the payment can be refunded again',
      cancelled: 'cancelled by you, or not approved',
    }),
    pendingReason: Type.Unsafe<(typeof pendingReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...pendingReasons, null],
      description:
        'Why a pending refund has not been sent; null if it is about to be sent or is no longer pending. `approval`: another member must approve it; `insufficient_balance`: the account’s balance is insufficient; `provider_unavailable`: the provider is not available.',
    }),
    paymentId: withDescription(idOf(paymentIds), 'Payment that is being refunded.'),
    orderNumber: shownText('Twelve-digit order number of the payment.', '482915037264'),
    amount: withDescription(shownMoney, 'Amount to refund.'),
    fees: shownFees('Fees for the refund itself.'),
    bearer: withMeanings(Type.Enum(bearers), 'Who bears the refund’s fee.', {
      merchant: 'you, in addition to the amount',
      payer: 'the payer, by deduction from the amount',
    }),
    source: group('Account to debit.', {
      financialAccountId: withDescription(idOf(accountIds), 'Account that received the payment.'),
      transactionReference: textOrNull('Reference of the refund’s ledger lines; null until it is completed.'),
    }),
    destination: withDescription(
      object(
        {
          type: withMeanings(Type.Enum(providerTypes), 'Type of the payer’s account.', {
            momo: 'mobile money',
            bank: 'bank account',
            wallet: 'a wallet',
            card: 'a card',
          }),
          providerId: shownText('Id of the provider that holds the account.', 'm17'),
          ...maskedAccount,
          scheme: withDescription(
            Type.Optional(cardScheme),
            'Card network, for `card`: `visa`, `mastercard` or `verve`; null if unknown.',
          ),
          last4: withDescription(
            Type.Optional(nullableText),
            'Last four digits, for `card`; null if unknown.',
          ),
          transactionReference: textOrNull('Provider’s transaction id; null if there is none yet.'),
        },
        { shows: { phoneNumber: '+23276****56' } },
      ),
      'Account that paid. Refunds cannot be sent to any other account.',
    ),
    method: withMeanings(Type.Enum(refundMethods), 'How the money is returned.', {
      provider_refund: 'the provider refunds its own transaction',
      payout: 'a payout is sent to the account that paid',
    }),
    reason: shownReason,
    note: textOrNull('Internal note for your team; null if there is none.'),
    payerMessage: textOrNull(
      'Message shown to the payer, if the provider supports messages; null if there is none.',
    ),
    failureDetail: transactionFailure,
    approval,
    createUserId: withDescription(
      nullable(idOf(userIds)),
      'User who created the refund; null if the operator did.',
    ),
    createTime,
    updateTime,
    completeTime: withDescription(
      nullableTime,
      'Time at which the payer received the money; null until then.',
    ),
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'Refund' },
)

export const newRefund = object({
  paymentId: withDescription(referenceTo(paymentIds), 'Payment to refund.'),
  amount: withDescription(
    optional(money),
    'Amount to refund. By default, everything that can still be refunded.',
  ),
  reason,
  note: optional(
    text(0, maxNoteLength, { description: 'Internal note for your team. It is never sent to a provider.' }),
  ),
  payerMessage: optional(
    text(0, 100, { description: 'Message to the payer. It is shown if the provider supports messages.' }),
  ),
  bearer: withMeanings(optional(Type.Enum(bearers, { default: 'merchant' })), 'Who bears the refund’s fee.', {
    merchant: 'you, in addition to the amount',
    payer: 'the payer, by deduction from the amount',
  }),
  metadata: optional(metadata),
})

export const refundFilters = object({
  paymentId: optionalReferenceTo(paymentIds, 'Only refunds of this payment.'),
  ...transactionFilterShapes,
  status: optionalEnum(refundStatuses, 'Only refunds with this status.'),
})
