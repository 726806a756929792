import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountInQuery } from '../ledger/accounts.ts'
import { createCurrencyCache } from '../ledger/currencies.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Database } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { resource } from '../platform/http/resource.ts'
import type { Call, Page, Route } from '../platform/http/route.ts'
import {
  clearable,
  createTime,
  described,
  explained,
  failureDetail,
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
import type { Platform } from '../platform/platform.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { createCoveredTransfers, createTransfers, judgeTransfer, type NewTransfer } from './new-transfers.ts'
import { transferIds } from './resources.ts'
import { selectTransfers, shareTransfers, type TransferFailure } from './store.ts'
import { cancelTransfer, changeTransfer, presentTransfer } from './transfers.ts'

const statuses = ['pending', 'processing', 'completed', 'failed'] as const

const internalTransfer = object(
  {
    id: ownId(transferIds),
    status: explained(Type.Enum(statuses), 'What has become of it.', {
      pending: 'it waits for its time',
      processing: 'it is being done',
      completed: 'the money was moved',
      failed: 'it was not',
    }),
    amount: described(shownMoney, 'What is moved.'),
    sourceFinancialAccount: described(
      object({ id: described(idOf(accountIds), 'The id of the account.') }),
      'The account that is debited.',
    ),
    destinationFinancialAccount: described(
      object({ id: described(idOf(accountIds), 'The id of the account.') }),
      'The account that is credited.',
    ),
    financialTransactionReference: described(
      nullableText,
      'Finds the two lines of the ledger; null before it is completed.',
    ),
    description: described(nullableText, 'What it is for; null where nobody says.'),
    failureDetail: failureDetail({
      fund_insufficient: 'the source had too little available',
      cancelled: 'you cancelled it before its time',
      unknown: 'something else',
    } satisfies Record<TransferFailure, string>),
    executeTime: described(
      Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
      'When it is due; null where it was done at once.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'InternalTransfer' },
)

const account = object({ id: described(referenceTo(accountIds), 'The id of an account of this Space.') })

export const newInternalTransfer = object({
  amount: described(money, 'What is moved.'),
  sourceFinancialAccount: described(account, 'The account that is debited.'),
  destinationFinancialAccount: described(
    account,
    'The account that is credited: another one, of the same currency.',
  ),
  description: described(optional(text(0, 150)), 'A remark for your team.'),
  executeTime: optional(
    Type.String({
      format: 'date-time',
      description: 'When it is due, in the future, at most 366 days ahead; left out: at once.',
      examples: ['2026-12-01T08:00:00Z'],
    }),
  ),
  metadata: optional(metadata),
})
type Body = Type.Static<typeof newInternalTransfer>

const transferFilters = object({
  status: described(optional(Type.Enum(statuses)), 'Only transfers of this status.'),
  sourceFinancialAccountId: described(optional(referenceTo(accountIds)), 'Only transfers from this account.'),
  destinationFinancialAccountId: described(
    optional(referenceTo(accountIds)),
    'Only transfers to this account.',
  ),
  financialTransactionReference: described(
    optional(text(0, 64)),
    'Only the transfer that wrote this posting of the ledger.',
    '20261121-101500123-7k2m9x',
  ),
  q: nameQuery,
})

const transferChange = object({
  description: described(clearable(text(0, 255)), 'A remark for your team.'),
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
        description: 'Rent of November',
      },
      rules: [
        {
          about: ['amount.currency', 'sourceFinancialAccount.id', 'destinationFinancialAccount.id'],
          says: 'Source and destination are two different accounts of the Space, both in the currency of `amount`.',
        },
        { about: ['executeTime'], says: '`executeTime` is in the future, at most 366 days ahead.' },
      ],
      judge: (db, { scope, body, now }, faults) => {
        const { amount, sourceFinancialAccount, destinationFinancialAccount, executeTime } = body
        const sourceAccount = sourceFinancialAccount?.id
        const destinationAccount = destinationFinancialAccount?.id
        const transfer = { scope, amount, sourceAccount, destinationAccount, executeTime, at: now }
        return judgeTransfer(db, currencies, transfer, faults)
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
      summary: 'Change an internal transfer',
      body: transferChange,
      example: { description: 'Rent of November, corrected' },
      write: (tx, { scope, id, body, now }) => changeTransfer(tx, scope, id, body, now),
    }),
    transfers.remove({
      summary: 'Cancel an internal transfer that waits',
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
