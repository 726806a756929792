import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import {
  clearable,
  createTime,
  flag,
  group,
  idOf,
  metadata,
  nameText,
  nullableTime,
  object,
  optional,
  optionalText,
  ownId,
  shownMetadata,
  shownText,
  text,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { ownedFields, ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { caseKinds } from './case-store.ts'
import { accountIds, caseIds, holdIds, transactionIds } from './resources.ts'

export const financialAccount = object(
  {
    id: ownId(accountIds),
    uvan: shownText('Account number of 16 digits, including a check digit.', '4571920384756103'),
    name: shownText('Name of the account.'),
    currency: shownText('ISO 4217 currency of the account.', 'SLE'),
    reference: textOrNull('Your reference for the account, unique in the Space; null if there is none.'),
    description: textOrNull('Description of the account; null if there is none.'),
    balance: optional(
      group(
        'Balance of the account. Present if requested with `withBalance` by a caller with `balances:read`.',
        {
          available: withDescription(shownMoney, 'Available balance: all booked money minus held money.'),
          held: withDescription(shownMoney, 'Money reserved for pending payouts and refunds.'),
        },
      ),
    ),
    ...ownedFields,
  },
  { title: 'FinancialAccount' },
)

export const newFinancialAccount = object({
  name: withDescription(nameText(1, 100), 'Name of the account.'),
  currency: withDescription(money.properties.currency, 'Currency of the account. It cannot be changed.'),
  reference: optionalText(64, 'Your reference for the account, unique in the Space.'),
  description: optionalText(150, 'A note for your team.'),
  metadata: optional(metadata),
})

export const accountChange = object({
  name: withDescription(optional(nameText(1, 100)), 'Name of the account.'),
  reference: withDescription(clearable(text(0, 64)), 'Your reference for the account, unique in the Space.'),
  description: withDescription(clearable(text(0, 150)), 'A note for your team.'),
  metadata: clearable(metadata),
})

export const withBalance = optional(flag('Whether to include the balance, which requires `balances:read`.'))

export const financialTransaction = object(
  {
    id: ownId(transactionIds),
    type: withMeanings(Type.Enum(['credit', 'debit']), 'Direction of the money.', {
      credit: 'into the account',
      debit: 'out of the account',
    }),
    amount: withDescription(shownMoney, 'Amount, always positive.'),
    timestamp: withDescription(timestamp, 'When the line was booked, by the Space’s clock.'),
    reference: shownText(
      'Reference shared by all lines of a posting, such as the lines of a payment and its fee.',
      '20261121-101500123-7k2m9x',
    ),
    financialAccount: group('The account of the line, with its new balance.', {
      id: withDescription(idOf(accountIds), 'ID of the account.'),
      balance: group('Balance of the account after this line.', {
        after: withDescription(shownMoney, 'Balance after the line, including held money.'),
      }),
    }),
    originatingReversal: withDescription(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          originTxnId: { type: 'string', description: 'ID of the reversed line.' },
          originTxnRef: { type: 'string', description: 'Reference of the reversed posting.' },
        },
      }),
      'The line that this line reverses; null if it is not a reversal.',
    ),
    originatingFee: withDescription(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          code: { type: 'string', description: 'Type of fee: `payment`, `payout` or `refund`.' },
        },
      }),
      'The fee, if this line is one; otherwise null.',
    ),
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'FinancialTransaction' },
)

export const caseStatuses = ['open', 'closed'] as const

/** Amounts of a case. */
export const caseMoney = {
  amount: withDescription(shownMoney, 'Amount of the payment, payout or refund.'),
  returned: withDescription(shownMoney, 'Amount that recalls have already returned to the paying account.'),
  remaining: withDescription(
    shownMoney,
    'Amount that is moved when the case is closed: `amount` minus `returned`.',
  ),
}

export const ledgerCase = object(
  {
    id: ownId(caseIds),
    kind: withMeanings(Type.Enum(caseKinds), 'Kind of contradiction.', {
      success_after_failure: 'money was moved after a failure was reported',
      failure_after_success: 'money was not moved after a success was reported',
    }),
    status: withMeanings(Type.Enum(caseStatuses), 'Case status.', {
      open: 'awaiting a decision',
      closed: 'decided by an operator',
    }),
    objectId: shownText('ID of the payment, payout or refund.', 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz'),
    ...caseMoney,
    financialTransactionReference: textOrNull(
      'Reference of the ledger lines that moved the money out of suspense; null if there are none.',
    ),
    createTime,
    closeTime: withDescription(nullableTime, 'When the case was closed; null while it is open.'),
  },
  {
    title: 'Case',
    description:
      'Money held in suspense because a rail contradicted an outcome that was already reported. An operator closes the case.',
  },
)

export const hold = object(
  {
    id: ownId(holdIds),
    amount: withDescription(shownMoney, 'Amount still reserved.'),
    expireTime: withDescription(
      nullableTime,
      'When the hold expires automatically; null if it never expires.',
    ),
    createTime,
    ownershipGraph,
  },
  {
    title: 'Hold',
    description:
      'Reserved money in an account. The first entry of `ownershipGraph` is the object for which the money is reserved, such as a payout.',
  },
)
