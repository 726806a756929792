import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { deliveryIds, eventIds } from '../events/resources.ts'
import { transactionIds } from '../ledger/resources.ts'
import { described, idOf, nullableText, object, timestamp } from '../platform/http/shapes.ts'
import { refundIds } from '../refunds/resources.ts'
import { maxOfKind } from './store.ts'

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
] as const

const entry = object(
  {
    time: described(timestamp, 'When it happened.'),
    kind: Type.Enum([...entryKinds], {
      description:
        'event: what happened to it. delivery: an event on its way to a webhook, at the time of the last attempt. sent: it left for the rail. delayed: the rail takes long. approved, rejected: by another member. decision: by a person, with a reason. line: booked. refund: of a payment.',
    }),
    eventId: described(Type.Optional(idOf(eventIds)), 'event, delivery: the event.'),
    eventType: described(
      Type.Optional(Type.String({ examples: ['payment.completed'] })),
      'event, delivery: its type.',
    ),
    deliveryId: described(
      Type.Optional(idOf(deliveryIds)),
      'delivery: as `GET /v1/deliveries/{id}` shows it.',
    ),
    webhookName: described(
      Type.Optional(Type.String({ examples: ['Orders'] })),
      'delivery: what the webhook is for.',
    ),
    tries: Type.Optional(Type.Integer({ description: 'Attempts to deliver it.' })),
    statusCode: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'What the webhook responded last; null: nothing.',
      }),
    ),
    userId: described(
      Type.Optional(Type.String({ examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'] })),
      'approved, rejected: who decided.',
    ),
    actor: described(
      Type.Optional(Type.String({ examples: ['ama@shop.example'] })),
      'decision: who decided, in the words of the audit entry.',
    ),
    action: described(
      Type.Optional(Type.String({ examples: ['case.close'] })),
      'decision: what was decided.',
    ),
    reason: described(Type.Optional(Type.String()), 'decision: why.'),
    transactionId: described(Type.Optional(idOf(transactionIds)), 'line: the line of the ledger.'),
    refundId: described(Type.Optional(idOf(refundIds)), 'refund: as `GET /v1/refunds/{id}` shows it.'),
    status: described(
      Type.Optional(Type.String({ examples: ['completed'] })),
      'refund: what has become of it.',
    ),
    amount: described(Type.Optional(shownMoney), 'line, refund: how much.'),
  },
  {
    title: 'CaseFileEntry',
    description: 'What its `kind` has.',
    shows: { eventId: 'evt-01kaj3v5w8e4r9tbn2m6c7d0xz', eventType: 'payment.completed' },
  },
)

export const nextSteps = ['approve', 'find_money', 'send', 'ask_rail', 'nothing'] as const
export type NextStep = (typeof nextSteps)[number]

export const caseFile = object(
  {
    objectId: described(
      Type.String({ examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
      'The payment, payout or refund.',
    ),
    status: described(Type.String({ examples: ['processing'] }), 'What has become of it.'),
    next: described(
      object({
        step: Type.Enum([...nextSteps], {
          description:
            'approve: another member decides. find_money: the account has too little. send: it leaves for the rail. ask_rail: the rail is asked what became of it. nothing: it has ended.',
        }),
        time: Type.Unsafe<string | null>({
          type: ['string', 'null'],
          format: 'date-time',
          description: 'When that happens by itself, where it is known.',
        }),
      }),
      'What happens next.',
    ),
    rail: object(
      {
        state: described(nullableText, 'How far its instruction is.'),
        connection: described(nullableText, 'The connection that it went through.'),
        reference: described(nullableText, 'The provider’s own transaction.'),
      },
      { description: 'Where it stands with the rail; null where nothing was sent.' },
    ),
    entries: Type.Array(entry, { description: 'Oldest first.' }),
    isWhole: Type.Boolean({
      description: `Whether these are all: of a kind there are at most ${maxOfKind}, the newest.`,
    }),
  },
  { title: 'CaseFile' },
)
