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
    status: explained(Type.Enum(recallStatuses), 'What has become of it.', {
      open: 'it is being asked for',
      returned: 'all or a part came back',
      refused: 'nothing comes back',
      cancelled: 'you cancelled it, or a case was opened that decides about the money',
    }),
    payoutId: described(idOf(payoutIds), 'The payout that is asked back.'),
    amount: described(shownMoney, 'What is asked back.'),
    returned: described(shownMoney, 'What came back so far.'),
    reason: explained(Type.Enum(recallReasons), 'Why it is asked back.', {
      wrong_payee: 'it went to the wrong account',
      wrong_amount: 'another amount was meant',
      duplicate: 'paid twice',
      fraudulent: 'somebody cheated',
      other: 'something else',
    }),
    note: described(nullableText, 'A remark for whoever asks; null where there is none.'),
    source: described(
      object({
        providerId: described(Type.String({ examples: ['m17'] }), 'The provider of the payee’s account.'),
        transactionReference: described(
          nullableText,
          'The provider’s own transaction of what came back; null before.',
        ),
      }),
      'Where the money comes back from.',
    ),
    destination: described(
      object({
        financialAccountId: described(idOf(accountIds), 'The account that had paid.'),
        transactionReference: described(
          nullableText,
          'Finds the lines of the ledger of what came back; null before.',
        ),
      }),
      'Where the money comes back to.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'Recall' },
)

export const newRecall = object({
  payoutId: described(referenceTo(payoutIds), 'The payout that is asked back; it is completed.'),
  amount: described(optional(money), 'What is asked back; left out: all of it.'),
  reason: explained(Type.Enum(recallReasons), 'Why it is asked back.', {
    wrong_payee: 'it went to the wrong account',
    wrong_amount: 'another amount was meant',
    duplicate: 'paid twice',
    fraudulent: 'somebody cheated',
    other: 'something else',
  }),
  note: optional(text(0, 140, { description: 'For whoever asks the provider or the payee.' })),
  metadata: optional(metadata),
})

export const recallFilters = object({
  payoutId: described(optional(referenceTo(payoutIds)), 'Only recalls of this payout.'),
  status: described(optional(Type.Enum(recallStatuses)), 'Only recalls of this status.'),
  q: nameQuery,
})
