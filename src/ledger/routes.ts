import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { change, command, list, type Route, read } from '../platform/http/route.ts'
import {
  clearable,
  freeObject,
  idOf,
  idText,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  text,
  timestamp,
} from '../platform/http/shapes.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { ownershipGraph } from '../spaces/shapes.ts'
import { judgeCurrency } from './account-faults.ts'
import { accountInQuery, changeAccount, findBalances, openAccount, presentAccount } from './accounts.ts'
import { presentLine } from './postings.ts'
import { accountIds, transactionIds } from './resources.ts'
import { selectFinancialAccounts, selectLines, shareAccounts, shareBalances, shareLines } from './store.ts'

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

const shared = (db: Platform['db']) => ({
  account: shareAccounts(db),
  balance: shareBalances(db),
  line: shareLines(db),
})

export const ledgerRoutes = ({ db }: Platform, find = shared(db)): Route[] => [
  command({
    url: '/v1/financial-accounts',
    summary: 'Open a financial account',
    permission: 'financial-accounts:write',
    body: newFinancialAccount,
    result: financialAccount,
    example: { name: 'Rent', currency: 'SLE', reference: 'rent-2026' },
    rules: [{ about: ['currency'], says: '`currency` is one of those of `GET /v1/countries`.' }],
    judge: (_db, { body }, faults) => void judgeCurrency(faults, 'currency', body.currency),
    write: async (tx, { scope, body, now }) => presentAccount(scope, await openAccount(tx, scope, body, now)),
  }),
  list({
    url: '/v1/financial-accounts',
    summary: 'List financial accounts',
    permission: 'financial-accounts:read',
    query: object({ uvan: optional(text(0, 16)), reference: optional(text(0, 64)), withBalance }),
    result: financialAccount,
    list: async (call, page) => {
      const { withBalance: wanted, ...filter } = call.query
      if (wanted) requireBalances(call)
      const accounts = await selectFinancialAccounts(db, call.scope, filter, page)
      const balances = wanted
        ? await findBalances(
            db,
            call.scope,
            accounts.map(({ id }) => id),
          )
        : undefined
      return accounts.map((account) => ({ account, balance: balances?.get(account.id) }))
    },
    position: ({ account }) => account.id,
    present: ({ account, balance }, { scope }) => presentAccount(scope, account, balance),
  }),
  read({
    url: '/v1/financial-accounts/:id',
    summary: 'Retrieve a financial account',
    permission: 'financial-accounts:read',
    idKind: accountIds,
    query: object({ withBalance }),
    result: financialAccount,
    read: async (call) => {
      if (call.query.withBalance) requireBalances(call)
      const account = await find.account(call.scope, call.id)
      if (!account) throw new Refusal('not_found')
      const balance = call.query.withBalance ? await find.balance(call.scope, account.id) : undefined
      return presentAccount(call.scope, account, balance)
    },
  }),
  change({
    url: '/v1/financial-accounts/:id',
    summary: 'Change a financial account',
    permission: 'financial-accounts:write',
    idKind: accountIds,
    body: accountChange,
    result: financialAccount,
    example: { name: 'Rent 2027' },
    write: async (tx, { scope, id, body, now }) =>
      presentAccount(scope, await changeAccount(tx, scope, id, body, now)),
  }),
  list({
    url: '/v1/financial-transactions',
    summary: 'List financial transactions',
    permission: 'financial-transactions:read',
    query: object({
      financialAccountId: optional(idText),
      reference: optional(text(0, 64)),
      type: optional(Type.Enum(['credit', 'debit'])),
    }),
    result: financialTransaction,
    list: async ({ scope, query }, page) => {
      const { financialAccountId, ...filter } = query
      if (financialAccountId === undefined) return selectLines(db, scope, filter, page)
      const accountId = await accountInQuery(db, scope, 'financialAccountId', financialAccountId)
      return selectLines(db, scope, { ...filter, accountId }, page)
    },
    position: (line) => line.id,
    present: (line, { scope }) => presentLine(scope, line),
  }),
  read({
    url: '/v1/financial-transactions/:id',
    summary: 'Retrieve a financial transaction',
    permission: 'financial-transactions:read',
    idKind: transactionIds,
    result: financialTransaction,
    read: async ({ scope, id }) => {
      const line = await find.line(scope, id)
      if (!line) throw new Refusal('not_found')
      return presentLine(scope, line)
    },
  }),
]

function requireBalances({ may }: { may(permission: string): boolean }): void {
  if (!may('balances:read'))
    throw new Refusal('access_denied', { details: [{ param: 'permission', errors: ['balances:read'] }] })
}
