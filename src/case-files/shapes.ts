import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { deliveryIds, eventIds } from '../events/resources.ts'
import { transactionIds } from '../ledger/resources.ts'
import { idOf, nullableText, object, timestamp } from '../platform/http/shapes.ts'
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
    time: timestamp,
    kind: Type.Enum([...entryKinds], {
      description:
        'event: what happened to it. delivery: an event on its way to a webhook, at the time of the last attempt. sent: it left for the rail. delayed: the rail takes long. approved, rejected: by another member. decision: by a person, with a reason. line: booked. refund: of a payment.',
    }),
    eventId: Type.Optional(idOf(eventIds)),
    eventType: Type.Optional(Type.String({ examples: ['payment.completed'] })),
    deliveryId: Type.Optional(idOf(deliveryIds)),
    webhookName: Type.Optional(Type.String({ examples: ['Orders'] })),
    tries: Type.Optional(Type.Integer({ description: 'Attempts to deliver it.' })),
    statusCode: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'What the webhook responded last; null: nothing.',
      }),
    ),
    userId: Type.Optional(Type.String({ examples: ['usr-01kaj3v5w8e4r9tbn2m6c7d0xz'] })),
    actor: Type.Optional(Type.String({ examples: ['ama@shop.example'] })),
    action: Type.Optional(Type.String({ examples: ['case.close'] })),
    reason: Type.Optional(Type.String()),
    transactionId: Type.Optional(idOf(transactionIds)),
    refundId: Type.Optional(idOf(refundIds)),
    status: Type.Optional(Type.String({ examples: ['completed'] })),
    amount: Type.Optional(shownMoney),
  },
  { title: 'CaseFileEntry', description: 'What its `kind` has.' },
)

export const nextSteps = ['approve', 'find_money', 'send', 'ask_rail', 'nothing'] as const
export type NextStep = (typeof nextSteps)[number]

export const caseFile = object(
  {
    objectId: Type.String({ examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'] }),
    status: Type.String({ examples: ['processing'] }),
    next: object({
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
    rail: object(
      { state: nullableText, connection: nullableText, reference: nullableText },
      { description: 'Where it stands with the rail; null where nothing was sent.' },
    ),
    entries: Type.Array(entry, { description: 'Oldest first.' }),
    isWhole: Type.Boolean({
      description: `Whether these are all: of a kind there are at most ${maxOfKind}, the newest.`,
    }),
  },
  { title: 'CaseFile' },
)
