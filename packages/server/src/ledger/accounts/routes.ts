import { wholeNumber } from '@pesewa/values'
import { resource } from '../../platform/http/commands/resource.ts'
import { type Call, list, type Route } from '../../platform/http/commands/route.ts'
import {
  object,
  optionalEnum,
  optionalReferenceTo,
  optionalText,
  searchQuery,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing } from '../../platform/refusals.ts'
import { ownershipGraph } from '../../tenants/spaces/ownership.ts'
import {
  accountInQuery,
  changeAccount,
  type NewAccount,
  presentAccount,
  requireBalances,
} from './accounts.ts'
import { validateCurrency } from './currencies.ts'
import { selectOpenHolds } from './hold-store.ts'
import { selectLines } from './line-list-store.ts'
import { openAccounts, prepareAccounts } from './new-account.ts'
import { presentLine } from './postings.ts'
import { accountIds, holdIds, transactionIds } from './resources.ts'
import {
  accountChange,
  financialAccount,
  financialTransaction,
  hold,
  newFinancialAccount,
  withBalance,
} from './shapes.ts'
import {
  type Balance,
  type FinancialAccount,
  selectBalances,
  selectFinancialAccount,
  selectFinancialAccounts,
  shareAccounts,
  shareBalances,
  shareLines,
} from './store.ts'

const requestOf = ({ scope, body, now: at }: Call<unknown, NewAccount>) => ({ scope, body, at })

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
    accounts.createEach({
      summary: 'Create a financial account',
      reasons: ['reference_in_use'],
      body: newFinancialAccount,
      example: { name: 'Rent', currency: 'SLE', reference: 'rent-2026' },
      rules: [
        { about: ['currency'], says: '`currency` must be one of the currencies in `GET /v1/countries`.' },
      ],
      validate: (_db, { body }, issues) => void validateCurrency(issues, 'currency', body.currency),
      writeEach: (tx, calls) => openAccounts(tx, calls.map(requestOf)),
      prepareNew: (calls) => prepareAccounts(calls.map(requestOf)),
    }),
    accounts.list({
      summary: 'List financial accounts',
      query: object({
        uvan: optionalText(16, 'Only the account with this number.', '4571920384756103'),
        reference: optionalText(64, 'Only the account with this reference.', 'rent-2026'),
        withBalance,
        q: searchQuery,
      }),
      list: async (call, page) => {
        const { withBalance, ...filter } = call.query
        if (withBalance) requireBalances(call)
        const { rows, stoppedAt } = await selectFinancialAccounts(db, call.scope, filter, page)
        if (!withBalance) return { rows, stoppedAt }
        const ids = rows.map(({ id }) => id)
        const balances = await selectBalances(db, call.scope, ids)
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
      summary: 'Update a financial account',
      reasons: ['reference_in_use'],
      body: accountChange,
      example: { name: 'Rent 2027' },
      write: (tx, { scope, id, body, now }) => changeAccount(tx, scope, id, body, now),
    }),
    transactions.list({
      summary: 'List financial transactions',
      query: object({
        financialAccountId: optionalReferenceTo(accountIds, 'Only lines of this account.'),
        reference: optionalText(64, 'Only lines with this reference.', '20261121-101500123-7k2m9x'),
        type: optionalEnum(['credit', 'debit'], 'Only credits or only debits.'),
        q: searchQuery,
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

/** Lists the holds that make up an account's `held` balance. */
export const holdRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  list({
    url: '/v1/financial-accounts/:id/holds',
    summary: 'List the open holds of a financial account',
    permission: 'financial-accounts:read',
    idKind: accountIds,
    result: hold,
    async list(call, page) {
      requireBalances(call)
      const account = existing(await selectFinancialAccount(db, call.scope, call.id))
      const holds = await selectOpenHolds(db, call.scope, call.id, page)
      return holds.map((row) => ({ ...row, currency: account.currency }))
    },
    position: ({ id }) => id,
    present: (row, { scope }) => ({
      id: showId(holdIds, row.id),
      amount: { currency: row.currency, value: wholeNumber(row.amount - row.captured - row.released) },
      expireTime: row.expiresAt?.toISOString() ?? null,
      createTime: row.createdAt.toISOString(),
      ownershipGraph: ownershipGraph(scope.spaceId, [row.owner]),
    }),
  }),
]
