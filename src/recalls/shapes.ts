import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountIds } from '../ledger/resources.ts'
import { payoutIds } from '../payouts/resources.ts'
import {
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nameQuery,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  updateTime,
} from '../platform/http/shapes.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { recallIds } from './resources.ts'
import { recallReasons, recallStatuses } from './store.ts'

export const recall = object(
  {
    id: ownId(recallIds),
    status: explained(Type.Enum(recallStatuses), 'Recall status.', {
      open: 'the return was requested',
      returned: 'all or part of the money came back',
      refused: 'no money will come back',
      cancelled: 'cancelled by you, or replaced by a case about the money',
    }),
    payoutId: described(idOf(payoutIds), 'ID of the recalled payout.'),
    amount: described(shownMoney, 'Recalled amount.'),
    returned: described(shownMoney, 'Amount returned so far.'),
    reason: explained(Type.Enum(recallReasons), 'Reason for the recall.', {
      wrong_payee: 'paid to the wrong account',
      wrong_amount: 'paid the wrong amount',
      duplicate: 'paid twice',
      fraudulent: 'fraud',
      other: 'another reason',
    }),
    note: described(nullableText, 'Note for the person who handles the recall; null if there is none.'),
    source: described(
      object({
        providerId: described(Type.String({ examples: ['m17'] }), 'Provider of the payee’s account.'),
        transactionReference: described(
          nullableText,
          'The provider’s transaction of the return; null before the return.',
        ),
      }),
      'Source of the returned money.',
    ),
    destination: described(
      object({
        financialAccountId: described(idOf(accountIds), 'Account that paid the payout.'),
        transactionReference: described(
          nullableText,
          'Reference of the ledger lines of the return; null before the return.',
        ),
      }),
      'Destination of the returned money.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'Recall' },
)

export const newRecall = object({
  payoutId: described(referenceTo(payoutIds), 'ID of the completed payout to recall.'),
  amount: described(optional(money), 'Amount to recall. Defaults to everything that can still be recalled.'),
  reason: explained(Type.Enum(recallReasons), 'Reason for the recall.', {
    wrong_payee: 'paid to the wrong account',
    wrong_amount: 'paid the wrong amount',
    duplicate: 'paid twice',
    fraudulent: 'fraud',
    other: 'another reason',
  }),
  note: optional(text(0, 140, { description: 'Note for the person who handles the recall.' })),
  metadata: optional(metadata),
})

export const recallFilters = object({
  payoutId: described(optional(referenceTo(payoutIds)), 'Only recalls of this payout.'),
  status: described(optional(Type.Enum(recallStatuses)), 'Only recalls with this status.'),
  q: nameQuery,
})
