import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import {
  clearable,
  failureDetail,
  group,
  idOf,
  metadata,
  nullableTime,
  object,
  optional,
  optionalEnum,
  optionalReferenceTo,
  optionalText,
  ownId,
  referenceTo,
  searchQuery,
  text,
  textOrNull,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields } from '../../tenants/spaces/shapes.ts'
import { accountIds } from '../accounts/resources.ts'
import { transferIds } from './resources.ts'
import { statuses, type TransferFailure } from './states.ts'

export const internalTransfer = object(
  {
    id: ownId(transferIds),
    status: withMeanings(Type.Enum(statuses), 'Status of the transfer.', {
      pending: 'scheduled for `executeTime`',
      processing: 'being executed',
      completed: 'the money was moved',
      failed: 'no money was moved',
    }),
    amount: withDescription(shownMoney, 'Amount to move.'),
    sourceFinancialAccount: group('Account to debit.', {
      id: withDescription(idOf(accountIds), 'Id of the account.'),
    }),
    destinationFinancialAccount: group('Account to credit.', {
      id: withDescription(idOf(accountIds), 'Id of the account.'),
    }),
    financialTransactionReference: textOrNull(
      'Reference of the transfer’s two ledger lines; null until it is completed.',
    ),
    description: textOrNull('Purpose of the transfer; null if none was given.'),
    failureDetail: failureDetail({
      fund_insufficient: 'the available balance of the source account is insufficient',
      cancelled: 'you cancelled the transfer before its scheduled time',
      unknown: 'another reason',
    } satisfies Record<TransferFailure, string>),
    executeTime: withDescription(nullableTime, 'Scheduled time; null if the transfer was immediate.'),
    ...ownedFields,
  },
  { title: 'InternalTransfer' },
)

const account = object({ id: withDescription(referenceTo(accountIds), 'Id of an account of this Space.') })

export const newInternalTransfer = object({
  amount: withDescription(money, 'Amount to move.'),
  sourceFinancialAccount: withDescription(account, 'Account to debit.'),
  destinationFinancialAccount: withDescription(
    account,
    'Account to credit, which must be a different account in the same currency.',
  ),
  description: optionalText(150, 'Internal note for your team.'),
  executeTime: optional(
    Type.String({
      format: 'date-time',
      description:
        'Time of execution, which must be in the future and at most 366 days ahead. By default, the transfer is executed immediately.',
      examples: ['2026-12-01T08:00:00Z'],
    }),
  ),
  metadata: optional(metadata),
})

export const transferFilters = object({
  status: optionalEnum(statuses, 'Only transfers with this status.'),
  sourceFinancialAccountId: optionalReferenceTo(accountIds, 'Only transfers from this account.'),
  destinationFinancialAccountId: optionalReferenceTo(accountIds, 'Only transfers to this account.'),
  financialTransactionReference: optionalText(
    64,
    'Only the transfer with this ledger reference.',
    '20261121-101500123-7k2m9x',
  ),
  q: searchQuery,
})

export const transferChange = object({
  description: withDescription(clearable(text(0, 255)), 'Internal note for your team.'),
  metadata: clearable(metadata),
})
