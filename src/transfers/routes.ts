import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { accountInQuery } from '../ledger/accounts.ts'
import { createCurrencyCache } from '../ledger/currencies.ts'
import { accountIds } from '../ledger/resources.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { type Call, change, groupCommand, list, type Route, read, remove } from '../platform/http/route.ts'
import {
  clearable,
  failureDetail,
  freeObject,
  idOf,
  idText,
  metadata,
  nullableText,
  object,
  optional,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { createCoveredTransfers, createTransfers, judgeTransfer, type NewTransfer } from './new-transfers.ts'
import { transferIds } from './resources.ts'
import { selectTransfers, shareTransfers, transferFailures } from './store.ts'
import { cancelTransfer, changeTransfer, presentTransfer } from './transfers.ts'

const statuses = ['pending', 'processing', 'completed', 'failed'] as const

const internalTransfer = object(
  {
    id: idOf(transferIds),
    status: Type.Enum(statuses),
    amount: shownMoney,
    sourceFinancialAccount: object({ id: idOf(accountIds) }),
    destinationFinancialAccount: object({ id: idOf(accountIds) }),
    financialTransactionReference: nullableText,
    description: nullableText,
    failureDetail: failureDetail(transferFailures),
    executeTime: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'InternalTransfer' },
)

const account = object({ id: idText })

export const newInternalTransfer = object({
  amount: money,
  sourceFinancialAccount: account,
  destinationFinancialAccount: account,
  description: optional(text(0, 150)),
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

const transferChange = object({
  description: clearable(text(0, 255)),
  metadata: clearable(metadata),
})

const wantedBy = ({ scope, body, now }: Call<unknown, Body>): Scoped<NewTransfer> => ({
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
  const known = createCurrencyCache()
  const find = shareTransfers(db)
  return [
    groupCommand({
      url: '/v1/internal-transfers',
      summary: 'Move money between two of your accounts',
      permission: 'internal-transfers:write',
      body: newInternalTransfer,
      result: internalTransfer,
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
        const [sourceAccount, destinationAccount] = [
          sourceFinancialAccount?.id,
          destinationFinancialAccount?.id,
        ]
        const wanted = { scope, amount, sourceAccount, destinationAccount, executeTime, at: now }
        return judgeTransfer(db, known, wanted, faults)
      },
      writeEach: async (tx, calls) => {
        const outcomes = await createTransfers(tx, known, calls.map(wantedBy))
        return outcomes.map((outcome) =>
          'answer' in outcome ? { answer: presentTransfer(outcome.answer.scope, outcome.answer) } : outcome,
        )
      },
      writeNew: (calls, keyed, bounds) =>
        createCoveredTransfers(db, known, calls.map(wantedBy), keyed, bounds),
    }),
    list({
      url: '/v1/internal-transfers',
      summary: 'List internal transfers',
      permission: 'internal-transfers:read',
      query: object({
        status: optional(Type.Enum(statuses)),
        sourceFinancialAccountId: optional(idText),
        destinationFinancialAccountId: optional(idText),
        financialTransactionReference: optional(text(0, 64)),
      }),
      result: internalTransfer,
      list: async ({ scope, query }, page) => {
        const { sourceFinancialAccountId: source, destinationFinancialAccountId: destination } = query
        return selectTransfers(
          db,
          scope,
          {
            ...(query.status && { status: query.status }),
            ...(source && {
              sourceAccountId: await accountInQuery(db, scope, 'sourceFinancialAccountId', source),
            }),
            ...(destination && {
              destinationAccountId: await accountInQuery(
                db,
                scope,
                'destinationFinancialAccountId',
                destination,
              ),
            }),
            ...(query.financialTransactionReference && { reference: query.financialTransactionReference }),
          },
          page,
        )
      },
      position: ({ id }) => id,
      present: (transfer, { scope }) => presentTransfer(scope, transfer),
    }),
    read({
      url: '/v1/internal-transfers/:id',
      summary: 'Retrieve an internal transfer',
      permission: 'internal-transfers:read',
      idKind: transferIds,
      result: internalTransfer,
      read: async ({ scope, id }) => {
        const transfer = await find(scope, id)
        if (!transfer) throw new Refusal('not_found')
        return presentTransfer(scope, transfer)
      },
    }),
    change({
      url: '/v1/internal-transfers/:id',
      summary: 'Change an internal transfer',
      permission: 'internal-transfers:write',
      idKind: transferIds,
      body: transferChange,
      result: internalTransfer,
      example: { description: 'Rent of November, corrected' },
      write: async (tx, { scope, id, body, now }) =>
        presentTransfer(scope, await changeTransfer(tx, scope, id, body, now)),
    }),
    remove({
      url: '/v1/internal-transfers/:id',
      summary: 'Cancel an internal transfer that waits',
      permission: 'internal-transfers:write',
      idKind: transferIds,
      write: (tx, { scope, id, now }) => cancelTransfer(tx, scope, id, now),
    }),
  ]
}
