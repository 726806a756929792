import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { movedFilters } from '../instructions/moved-shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { paymentIds } from '../payments/resources.ts'
import { approval } from '../payouts/shapes.ts'
import {
  failureDetail,
  freeObject,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { cardSchemes, failureCodes } from '../providers/connector.ts'
import { providerTypes } from '../providers/provider.ts'
import { userIds } from '../spaces/resources.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { maxNoteLength } from './late.ts'
import { refundIds } from './resources.ts'
import { pendingReasons, refundStatuses } from './states.ts'
import { bearers, refundMethods, refundReasons } from './store.ts'

export const refund = object(
  {
    id: idOf(refundIds),
    status: Type.Enum(refundStatuses),
    pendingReason: Type.Unsafe<(typeof pendingReasons)[number] | null>({
      type: ['string', 'null'],
      enum: [...pendingReasons, null],
      description: 'Why a pending refund has not left; null where it is about to, and of all others.',
    }),
    paymentId: idOf(paymentIds),
    orderNumber: Type.String({ examples: ['482915037264'] }),
    amount: shownMoney,
    fees: Type.Array(object({ code: Type.String(), amount: shownMoney, metadata: freeObject })),
    bearer: Type.Enum(bearers),
    source: object({ financialAccountId: idOf(accountIds), transactionReference: nullableText }),
    destination: object({
      type: Type.Enum(providerTypes),
      providerId: Type.String({ examples: ['m17'] }),
      phoneNumber: Type.Optional(Type.String({ examples: ['+23276****56'], description: 'momo: masked.' })),
      accountNumber: Type.Optional(Type.String({ examples: ['****3344'], description: 'bank: masked.' })),
      walletId: Type.Optional(Type.String({ examples: ['****4471'], description: 'wallet: masked.' })),
      scheme: Type.Optional(
        Type.Unsafe<(typeof cardSchemes)[number] | null>({
          type: ['string', 'null'],
          enum: [...cardSchemes, null],
        }),
      ),
      last4: Type.Optional(nullableText),
      transactionReference: nullableText,
    }),
    method: Type.Enum(refundMethods),
    reason: Type.Enum(refundReasons),
    note: nullableText,
    payerMessage: nullableText,
    failureDetail: failureDetail(failureCodes),
    approval,
    createUserId: Type.Unsafe<string | null>({
      ...idOf(userIds),
      type: ['string', 'null'],
      description: 'The user who created it; null where the operator gave the money back.',
    }),
    createTime: timestamp,
    updateTime: timestamp,
    completeTime: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'Refund' },
)

export const newRefund = object({
  paymentId: referenceTo(paymentIds),
  amount: optional(money),
  reason: Type.Enum(refundReasons),
  note: optional(text(0, maxNoteLength, { description: 'For your team; never sent to a provider.' })),
  payerMessage: optional(text(0, 100, { description: 'Shown to the payer where the provider can.' })),
  bearer: optional(Type.Enum(bearers, { default: 'merchant' })),
  metadata: optional(metadata),
})

export const refundFilters = object({
  paymentId: optional(referenceTo(paymentIds)),
  ...movedFilters,
  status: optional(Type.Enum(refundStatuses)),
})
