import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { deliveryIds, eventIds } from '../../events/resources.ts'
import { transactionIds } from '../../ledger/accounts/resources.ts'
import { paymentIds } from '../../money/payments/resources.ts'
import { refundIds } from '../../money/refunds/resources.ts'
import {
  groupOrNull,
  idOf,
  nullableText,
  nullableTime,
  object,
  timestamp,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { type Answer, answers } from '../../rails/instructions/states.ts'
import { maxEntriesPerKind } from './store.ts'

const entryKinds = [
  'event',
  'delivery',
  'sent',
  'delayed',
  'approved',
  'rejected',
  'decision',
  'line',
  'refund',
  'refunded',
  'attempt',
] as const

const entry = object(
  {
    time: withDescription(timestamp, 'When the entry happened.'),
    kind: Type.Enum([...entryKinds], {
      description:
        'event: an event about the object. delivery: the delivery of an event to a webhook, at the time of the last attempt. sent: sent to the rail. delayed: the rail is slow. approved, rejected: the decision of another member. decision: a decision with a reason. line: a ledger line. refund: a refund of a payment was requested. refunded: that refund was completed. attempt: another payment of the same checkout session.',
    }),
    eventId: withDescription(Type.Optional(idOf(eventIds)), 'event, delivery: ID of the event.'),
    eventType: withDescription(
      Type.Optional(Type.String({ examples: ['payment.completed'] })),
      'event, delivery: type of the event.',
    ),
    deliveryId: withDescription(
      Type.Optional(idOf(deliveryIds)),
      'delivery: ID of the delivery, as in `GET /v1/deliveries/{id}`.',
    ),
    webhookName: withDescription(
      Type.Optional(Type.String({ examples: ['Orders'] })),
      'delivery: name of the webhook.',
    ),
    tries: Type.Optional(Type.Integer({ description: 'delivery: number of attempts.' })),
    statusCode: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'delivery: last HTTP status from the webhook; null if there was no response.',
      }),
    ),
    userId: withDescription(
      Type.Optional(Type.String({ examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'] })),
      'approved, rejected: ID of the user who made the decision. refund: ID of the user who requested it, unless Pesewa or the operator did.',
    ),
    actor: withDescription(
      Type.Optional(Type.String({ examples: ['ama@shop.example'] })),
      'decision: the person who made it, as in the audit entry.',
    ),
    action: withDescription(
      Type.Optional(Type.String({ examples: ['case.close'] })),
      'decision: the action.',
    ),
    reason: withDescription(Type.Optional(Type.String()), 'decision: the reason.'),
    transactionId: withDescription(Type.Optional(idOf(transactionIds)), 'line: ID of the ledger line.'),
    refundId: withDescription(
      Type.Optional(idOf(refundIds)),
      'refund, refunded: ID of the refund, as in `GET /v1/refunds/{id}`.',
    ),
    paymentId: withDescription(Type.Optional(idOf(paymentIds)), 'attempt: ID of the other payment.'),
    status: withDescription(
      Type.Optional(Type.String({ examples: ['completed'] })),
      'refund, refunded, attempt: status of the refund or of the other payment.',
    ),
    amount: withDescription(Type.Optional(shownMoney), 'line, refund, refunded, attempt: amount.'),
  },
  {
    title: 'CaseFileEntry',
    description: 'The fields depend on `kind`.',
    shows: { eventId: 'evt-01kaj3v5w8e4r9tbn2m6c7d0xz', eventType: 'payment.completed' },
  },
)

export const nextSteps = ['approve', 'find_money', 'send', 'ask_rail', 'nothing'] as const
export type NextStep = (typeof nextSteps)[number]

const questionFields = {
  askedTime: withDescription(timestamp, 'When the question was asked, by the Space’s clock.'),
  answer: Type.Unsafe<Answer | null>({
    type: ['string', 'null'],
    enum: [...answers, null],
    description:
      'Answer of the provider if it did not contain the outcome. pending: no outcome yet. later: the provider will report the outcome later. unclear: no answer, or none that determines the outcome. null: not answered yet, or answered with the outcome.',
  }),
  answerTime: withDescription(nullableTime, 'When the provider answered; null if `answer` is null.'),
}
export const question = object(questionFields, { title: 'ProviderQuestion' })

export const caseFile = object(
  {
    objectId: withDescription(
      Type.String({ examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
      'ID of the payment, payout or refund.',
    ),
    status: withDescription(Type.String({ examples: ['processing'] }), 'Status of the object.'),
    next: withDescription(
      object({
        step: Type.Enum([...nextSteps], {
          description:
            'approve: another member must decide. find_money: the balance of the account is too low. send: the instruction will be sent to the rail. ask_rail: the rail will be queried for the outcome. nothing: the object has its final status.',
        }),
        time: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When the next step happens automatically, if known.',
        }),
      }),
      'Next step.',
    ),
    question: groupOrNull(
      'Last question to the provider, asked with `POST …/ask-provider`; null if there was none.',
      questionFields,
    ),
    rail: object(
      {
        state: withDescription(nullableText, 'State of the instruction.'),
        connection: withDescription(nullableText, 'Connection through which the instruction was sent.'),
        reference: withDescription(nullableText, 'The provider’s transaction ID.'),
      },
      { description: 'State at the rail; null if nothing was sent.' },
    ),
    entries: Type.Array(entry, { description: 'Entries, oldest first.' }),
    isWhole: Type.Boolean({
      description: `True if the list is complete. Only the newest ${maxEntriesPerKind} entries of each kind are shown.`,
    }),
  },
  { title: 'CaseFile' },
)
