import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import {
  flag,
  groupOrNull,
  idOf,
  integerOrNull,
  listOf,
  nullable,
  nullableTime,
  object,
  shownText,
  textOrNull,
  withDescription,
} from '../../platform/http/shapes/shapes.ts'
import { userIds } from '../../tenants/spaces/resources.ts'
import { maxEarlier } from './store.ts'

export const approvalDetails = object(
  {
    requester: groupOrNull('User who created it; null if it was the operator.', {
      userId: withDescription(idOf(userIds), 'Id of the user.'),
      email: shownText('Email address of the user.', 'fatu@shop.example'),
    }),
    reason: textOrNull(
      'Reason: the `note` in the metadata of a payout, the name of a batch, or the note of a refund.',
      'Rent for November',
    ),
    earlier: groupOrNull('Earlier completed payouts or refunds to the payee. Null for a batch.', {
      count: Type.Integer({ description: `Number of earlier payments, at most ${maxEarlier}.` }),
      isMore: flag('True if there may be more.'),
      lastAmount: withDescription(nullable(shownMoney), 'Amount of the last one; null if there was none.'),
      lastTime: withDescription(nullableTime, 'Time of the last one; null if there was none.'),
    }),
    newPayees: integerOrNull(
      'Number of rows whose payee has never received a completed payout. Null unless it is a batch.',
    ),
    balances: listOf('Balance of each paying account. Empty without the permission `balances:read`.', {
      financialAccountId: withDescription(
        nullable(idOf(accountIds)),
        'Account; null if it has not been opened yet.',
      ),
      available: withDescription(shownMoney, 'Available balance now.'),
      availableAfter: withDescription(
        shownMoney,
        'Available balance after the approval. It is the same if the money is held already.',
      ),
    }),
  },
  { title: 'ApprovalDetails' },
)
