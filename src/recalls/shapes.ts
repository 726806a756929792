import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { payoutIds } from '../payouts/resources.ts'
import {
  freeObject,
  idOf,
  metadata,
  nameQuery,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { recallIds } from './resources.ts'
import { recallReasons, recallStatuses } from './store.ts'

export const recall = object(
  {
    id: idOf(recallIds),
    status: Type.Enum(recallStatuses),
    payoutId: idOf(payoutIds),
    amount: shownMoney,
    returned: shownMoney,
    reason: Type.Enum(recallReasons),
    note: nullableText,
    source: object({ providerId: Type.String({ examples: ['m17'] }), transactionReference: nullableText }),
    destination: object({ financialAccountId: idOf(accountIds), transactionReference: nullableText }),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'Recall' },
)

export const newRecall = object({
  payoutId: referenceTo(payoutIds),
  amount: optional(money),
  reason: Type.Enum(recallReasons),
  note: optional(text(0, 140, { description: 'For whoever asks the provider or the payee.' })),
  metadata: optional(metadata),
})

export const recallFilters = object({
  payoutId: optional(referenceTo(payoutIds)),
  status: optional(Type.Enum(recallStatuses)),
  q: nameQuery,
})
