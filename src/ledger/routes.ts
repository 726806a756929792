import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  clearable,
  freeObject,
  idOf,
  metadata,
  nameQuery,
  nameText,
  nullableText,
  object,
  optional,
  referenceTo,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { judgeCurrency } from './account-faults.ts'
import {
  accountInQuery,
  changeAccount,
  findBalances,
  openAccount,
  presentAccount,
  requireBalances,
} from './accounts.ts'
import { selectLines } from './line-list.ts'
import { presentLine } from './postings.ts'
import { accountIds, transactionIds } from './resources.ts'
import {
  type Balance,
  type FinancialAccount,
  selectFinancialAccounts,
  shareAccounts,
  shareBalances,
  shareLines,
} from './store.ts'

const financialAccount = object(
  {
    id: idOf(accountIds),
    uvan: Type.String({ examples: ['4571920384756103'] }),
    name: Type.String(),
    currency: Type.String({ examples: ['SLE'] }),
    reference: nullableText,
    description: nullableText,
    balance: optional(object({ available: shownMoney, held: shownMoney })),
    createTime: timestamp,
    updateTime: timestamp,
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'FinancialAccount' },
)

const newFinancialAccount = object({
  name: nameText(1, 100),
  currency: money.properties.currency,
  reference: optional(text(0, 64)),
  description: optional(text(0, 150)),
  metadata: optional(metadata),
})

const accountChange = object({
  name: optional(nameText(1, 100)),
  reference: clearable(text(0, 64)),
  description: clearable(text(0, 150)),
  metadata: clearable(metadata),
})

const withBalance = optional(Type.Boolean({ description: 'Adds the balance; needs balances:read.' }))

const financialTransaction = object(
  {
    id: idOf(transactionIds),
    type: Type.Enum(['credit', 'debit']),
    amount: shownMoney,
    timestamp,
    reference: Type.String({ examples: ['20261121-101500123-7k2m9x'] }),
    financialAccount: object({
      id: idOf(accountIds),
      balance: object({ after: shownMoney }),
    }),
    originatingReversal: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: { originTxnId: { type: 'string' }, originTxnRef: { type: 'string' } },
    }),
    originatingFee: Type.Unsafe<object | null>({
      type: ['object', 'null'],
      properties: { code: { type: 'string' } },
    }),
    ownershipGraph,
    metadata: freeObject,
  },
  { title: 'FinancialTransaction' },
)

export function ledgerRoutes({ db }: Platform): Route[] {
  const findBalance = shareBalances(db)
  const accounts = resource({
    url: '/v1/financial-accounts',
    permission: 'financial-accounts',
    idKind: accountIds,
    result: financialAccount,
    find: shareAccounts(db),
    present: (row: FinancialAccount & { balance?: Balance | undefined }, { scope }) =>
      presentAccount(scope, row, row.balance),
  })
  const transactions = resource({
    url: '/v1/financial-transactions',
    permission: 'financial-transactions',
    idKind: transactionIds,
    result: financialTransaction,
    find: shareLines(db),
    present: (line, { scope }) => presentLine(scope, line),
  })
  return [
    accounts.create({
      summary: 'Open a financial account',
      reasons: ['reference_in_use'],
      body: newFinancialAccount,
      example: { name: 'Rent', currency: 'SLE', reference: 'rent-2026' },
      rules: [{ about: ['currency'], says: '`currency` is one of those of `GET /v1/countries`.' }],
      judge: (_db, { body }, faults) => void judgeCurrency(faults, 'currency', body.currency),
      write: (tx, { scope, body, now }) => openAccount(tx, scope, body, now),
    }),
    accounts.list({
      summary: 'List financial accounts',
      query: object({
        uvan: optional(text(0, 16)),
        reference: optional(text(0, 64)),
        withBalance,
        q: nameQuery,
      }),
      list: async (call, page) => {
        const { withBalance, ...filter } = call.query
        if (withBalance) requireBalances(call)
        const { rows, stoppedAt } = await selectFinancialAccounts(db, call.scope, filter, page)
        if (!withBalance) return { rows, stoppedAt }
        const ids = rows.map(({ id }) => id)
        const balances = await findBalances(db, call.scope, ids)
        return { rows: rows.map((row) => ({ ...row, balance: balances.get(row.id) })), stoppedAt }
      },
    }),
    accounts.read({
      summary: 'Retrieve a financial account',
      query: object({ withBalance }),
      find: async (call, find) => {
        if (!call.query.withBalance) return find()
        requireBalances(call)
        const account = await find()
        return account && { ...account, balance: await findBalance(call.scope, account.id) }
      },
    }),
    accounts.change({
      summary: 'Change a financial account',
      reasons: ['reference_in_use'],
      body: accountChange,
      example: { name: 'Rent 2027' },
      write: (tx, { scope, id, body, now }) => changeAccount(tx, scope, id, body, now),
    }),
    transactions.list({
      summary: 'List financial transactions',
      query: object({
        financialAccountId: optional(referenceTo(accountIds)),
        reference: optional(text(0, 64)),
        type: optional(Type.Enum(['credit', 'debit'])),
        q: nameQuery,
      }),
      list: async ({ scope, query }, page) => {
        const { financialAccountId, ...filter } = query
        if (financialAccountId === undefined) return selectLines(db, scope, filter, page)
        const accountId = await accountInQuery(db, scope, 'financialAccountId', financialAccountId)
        return selectLines(db, scope, { ...filter, accountId }, page)
      },
    }),
    transactions.read({ summary: 'Retrieve a financial transaction' }),
  ]
}
