import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  group,
  idOf,
  metadata,
  object,
  optional,
  optionalEnum,
  optionalReferenceTo,
  ownId,
  referenceTo,
  searchQuery,
  shownText,
  text,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { payoutIds } from '../payouts/resources.ts'
import { recallIds } from './resources.ts'
import { recallReasons, recallStatuses } from './store.ts'

const reason = withMeanings(Type.Enum(recallReasons), 'Reason for the recall.', {
  wrong_payee: 'it was paid to the wrong account',
  wrong_amount: 'the wrong amount was paid',
  duplicate: 'it was paid twice',
  fraudulent: 'fraud',
  other: 'another reason',
})

export const recall = object(
  {
    id: ownId(recallIds),
    status: withMeanings(Type.Enum(recallStatuses), 'Recall status.', {
      open: 'the return was requested',
      returned: 'all or part of the money was returned',
      refused: 'no money will be returned',
      cancelled: 'cancelled by you, or replaced by a case about the money',
    }),
    payoutId: withDescription(idOf(payoutIds), 'ID of the recalled payout.'),
    amount: withDescription(shownMoney, 'Recalled amount.'),
    returned: withDescription(shownMoney, 'Amount returned so far.'),
    reason,
    note: textOrNull('Note for the person who handles the recall; null if there is none.'),
    source: group('Source of the returned money.', {
      providerId: shownText('Provider of the payee’s account.', 'm17'),
      transactionReference: textOrNull(
        'The provider’s transaction ID for the return; null before the return.',
      ),
    }),
    destination: group('Destination of the returned money.', {
      financialAccountId: withDescription(idOf(accountIds), 'Account from which the payout was paid.'),
      transactionReference: textOrNull(
        'Reference of the ledger lines for the return; null before the return.',
      ),
    }),
    ...ownedFields,
  },
  { title: 'Recall' },
)

export const newRecall = object({
  payoutId: withDescription(referenceTo(payoutIds), 'ID of the completed payout to recall.'),
  amount: withDescription(
    optional(money),
    'Amount to recall. By default, everything that can still be recalled.',
  ),
  reason,
  note: optional(text(0, 140, { description: 'Note for the person who handles the recall.' })),
  metadata: optional(metadata),
})

export const recallFilters = object({
  payoutId: optionalReferenceTo(payoutIds, 'Only recalls of this payout.'),
  status: optionalEnum(recallStatuses, 'Only recalls with this status.'),
  q: searchQuery,
})
