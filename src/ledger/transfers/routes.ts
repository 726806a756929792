import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Call, Page, Route } from '../../platform/http/commands/route.ts'
import {
  clearable,
  createTime,
  failureDetail,
  idOf,
  metadata,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  searchQuery,
  shownMetadata,
  text,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { accountInQuery } from '../accounts/accounts.ts'
import { createCurrencyCache } from '../accounts/currencies.ts'
import { accountIds } from '../accounts/resources.ts'
import {
  createCoveredTransfers,
  createTransfers,
  type NewTransfer,
  validateTransfer,
} from './new-transfers.ts'
import { transferIds } from './resources.ts'
import { selectTransfers, shareTransfers, type TransferFailure } from './store.ts'
import { cancelTransfer, changeTransfer, presentTransfer } from './transfers.ts'

const statuses = ['pending', 'processing', 'completed', 'failed'] as const

const internalTransfer = object(
  {
    id: ownId(transferIds),
    status: withMeanings(Type.Enum(statuses), 'Status of the transfer.', {
      pending: 'scheduled for `executeTime`',
      processing: 'being executed',
      completed: 'the money was moved',
      failed: 'no money was moved',
    }),
    amount: withDescription(shownMoney, 'Amount to move.'),
    sourceFinancialAccount: withDescription(
      object({ id: withDescription(idOf(accountIds), 'Id of the account.') }),
      'Account to debit.',
    ),
    destinationFinancialAccount: withDescription(
      object({ id: withDescription(idOf(accountIds), 'Id of the account.') }),
      'Account to credit.',
    ),
    financialTransactionReference: withDescription(
      nullableText,
      'Reference of the transfer’s two ledger lines; null until it is completed.',
    ),
    description: withDescription(nullableText, 'Purpose of the transfer; null if none was given.'),
    failureDetail: failureDetail({
      fund_insufficient: 'the available balance of the source account is insufficient',
      cancelled: 'you cancelled the transfer before its scheduled time',
      unknown: 'another reason',
    } satisfies Record<TransferFailure, string>),
    executeTime: withDescription(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'Scheduled time; null if the transfer was immediate.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
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
  description: withDescription(optional(text(0, 150)), 'Internal note for your team.'),
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
type Body = Type.Static<typeof newInternalTransfer>

const transferFilters = object({
  status: withDescription(optional(Type.Enum(statuses)), 'Only transfers with this status.'),
  sourceFinancialAccountId: withDescription(
    optional(referenceTo(accountIds)),
    'Only transfers from this account.',
  ),
  destinationFinancialAccountId: withDescription(
    optional(referenceTo(accountIds)),
    'Only transfers to this account.',
  ),
  financialTransactionReference: withDescription(
    optional(text(0, 64)),
    'Only the transfer with this ledger reference.',
    '20261121-101500123-7k2m9x',
  ),
  q: searchQuery,
})

const transferChange = object({
  description: withDescription(clearable(text(0, 255)), 'Internal note for your team.'),
  metadata: clearable(metadata),
})

const requestOf = ({ scope, body, now }: Call<unknown, Body>): Scoped<NewTransfer> => ({
  scope,
  amount: body.amount,
  sourceAccount: body.sourceFinancialAccount.id,
  destinationAccount: body.destinationFinancialAccount.id,
  description: body.description,
  executeTime: body.executeTime,
  metadata: body.metadata,
  at: now,
})

export function transferRoutes({ db }: Platform): Route[] {
  const currencies = createCurrencyCache()
  const transfers = resource({
    url: '/v1/internal-transfers',
    permission: 'internal-transfers',
    idKind: transferIds,
    result: internalTransfer,
    find: shareTransfers(db),
    present: (row, { scope }) => presentTransfer(scope, row),
  })
  return [
    transfers.createEach({
      summary: 'Move money between two of your accounts',
      reasons: ['state_conflict'],
      body: newInternalTransfer,
      example: {
        amount: { currency: 'SLE', value: 1500 },
        sourceFinancialAccount: { id: 'fac-01kaj3v5w8e4r9tbn2m6c7d0xz' },
        destinationFinancialAccount: { id: 'fac-01kaj3v5w8e4r9tbn2m6c7d0y0' },
        description: 'November rent',
      },
      rules: [
        {
          about: ['amount.currency', 'sourceFinancialAccount.id', 'destinationFinancialAccount.id'],
          says: 'Source and destination must be two different accounts of the Space in the currency of `amount`.',
        },
        { about: ['executeTime'], says: '`executeTime` must be in the future and at most 366 days ahead.' },
      ],
      validate: (db, { scope, body, now }, issues) => {
        const { amount, sourceFinancialAccount, destinationFinancialAccount, executeTime } = body
        const sourceAccount = sourceFinancialAccount?.id
        const destinationAccount = destinationFinancialAccount?.id
        const transfer = { scope, amount, sourceAccount, destinationAccount, executeTime, at: now }
        return validateTransfer(db, currencies, transfer, issues)
      },
      writeEach: (tx, calls) => createTransfers(tx, currencies, calls.map(requestOf)),
      writeNew: (calls, keyed, bounds) =>
        createCoveredTransfers(db, currencies, calls.map(requestOf), keyed, bounds),
    }),
    transfers.list({
      summary: 'List internal transfers',
      query: transferFilters,
      list: (call, page) => listTransfers(db, call, page),
    }),
    transfers.read({ summary: 'Retrieve an internal transfer' }),
    transfers.change({
      summary: 'Update an internal transfer',
      body: transferChange,
      example: { description: 'November rent, corrected' },
      write: (tx, { scope, id, body, now }) => changeTransfer(tx, scope, id, body, now),
    }),
    transfers.remove({
      summary: 'Cancel a pending internal transfer',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => cancelTransfer(tx, scope, id, now),
    }),
  ]
}

async function listTransfers(
  db: Database,
  { scope, query }: Call<Type.Static<typeof transferFilters>>,
  page: Page,
) {
  const accountNamed = (param: 'sourceFinancialAccountId' | 'destinationFinancialAccountId') => {
    const text = query[param]
    return text && accountInQuery(db, scope, param, text)
  }
  const sourceAccountId = await accountNamed('sourceFinancialAccountId')
  const destinationAccountId = await accountNamed('destinationFinancialAccountId')
  const { q, status, financialTransactionReference: reference } = query
  return selectTransfers(db, scope, { q, status, sourceAccountId, destinationAccountId, reference }, page)
}
