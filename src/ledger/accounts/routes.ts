import Type from 'typebox'
import { money, shownMoney } from '../../countries/shapes.ts'
import { resource } from '../../platform/http/commands/resource.ts'
import type { Route } from '../../platform/http/commands/route.ts'
import {
  clearable,
  createTime,
  idOf,
  metadata,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  searchQuery,
  shownMetadata,
  text,
  timestamp,
  updateTime,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { ownershipGraph } from '../../tenants/spaces/shapes.ts'
import { validateCurrency } from './account-issues.ts'
import { accountInQuery, changeAccount, openAccount, presentAccount, requireBalances } from './accounts.ts'
import { selectLines } from './line-list.ts'
import { presentLine } from './postings.ts'
import { accountIds, transactionIds } from './resources.ts'
import {
  type Balance,
  type FinancialAccount,
  selectBalances,
  selectFinancialAccounts,
  shareAccounts,
  shareBalances,
  shareLines,
} from './store.ts'

const financialAccount = object(
  {
    id: ownId(accountIds),
    uvan: withDescription(
      Type.String({ examples: ['4571920384756103'] }),
      'Account number of 16 digits, including a check digit.',
    ),
    name: withDescription(Type.String(), 'Name of the account.'),
    currency: withDescription(Type.String({ examples: ['SLE'] }), 'ISO 4217 currency of the account.'),
    reference: withDescription(
      nullableText,
      'Your reference for the account, unique in the Space; null if there is none.',
    ),
    description: withDescription(nullableText, 'Description of the account; null if there is none.'),
    balance: withDescription(
      optional(
        object({
          available: withDescription(shownMoney, 'Available balance: all booked money minus held money.'),
          held: withDescription(shownMoney, 'Money reserved for pending payouts and refunds.'),
        }),
      ),
      'Balance of the account. Present if requested with `withBalance` by a caller with `balances:read`.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'FinancialAccount' },
)

const newFinancialAccount = object({
  name: withDescription(nameText(1, 100), 'Name of the account.'),
  currency: withDescription(money.properties.currency, 'Currency of the account. It cannot be changed.'),
  reference: withDescription(optional(text(0, 64)), 'Your reference for the account, unique in the Space.'),
  description: withDescription(optional(text(0, 150)), 'A note for your team.'),
  metadata: optional(metadata),
})

const accountChange = object({
  name: withDescription(optional(nameText(1, 100)), 'Name of the account.'),
  reference: withDescription(clearable(text(0, 64)), 'Your reference for the account, unique in the Space.'),
  description: withDescription(clearable(text(0, 150)), 'A note for your team.'),
  metadata: clearable(metadata),
})

const withBalance = optional(
  Type.Boolean({ description: 'Whether to include the balance, which requires `balances:read`.' }),
)

const financialTransaction = object(
  {
    id: ownId(transactionIds),
    type: withMeanings(Type.Enum(['credit', 'debit']), 'Direction of the money.', {
      credit: 'into the account',
      debit: 'out of the account',
    }),
    amount: withDescription(shownMoney, 'Amount, always positive.'),
    timestamp: withDescription(timestamp, 'When the line was booked, by the Space’s clock.'),
    reference: withDescription(
      Type.String({ examples: ['20261121-101500123-7k2m9x'] }),
      'Reference shared by all lines of a posting, such as the lines of a payment and its fee.',
    ),
    financialAccount: withDescription(
      object({
        id: withDescription(idOf(accountIds), 'ID of the account.'),
        balance: withDescription(
          object({ after: withDescription(shownMoney, 'Balance after the line, including held money.') }),
          'Balance of the account after this line.',
        ),
      }),
      'The account of the line, with its new balance.',
    ),
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
      rules: [
        { about: ['currency'], says: '`currency` must be one of the currencies in `GET /v1/countries`.' },
      ],
      validate: (_db, { body }, issues) => void validateCurrency(issues, 'currency', body.currency),
      write: (tx, { scope, body, now }) => openAccount(tx, scope, body, now),
    }),
    accounts.list({
      summary: 'List financial accounts',
      query: object({
        uvan: withDescription(
          optional(text(0, 16)),
          'Only the account with this number.',
          '4571920384756103',
        ),
        reference: withDescription(
          optional(text(0, 64)),
          'Only the account with this reference.',
          'rent-2026',
        ),
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
      summary: 'Change a financial account',
      reasons: ['reference_in_use'],
      body: accountChange,
      example: { name: 'Rent 2027' },
      write: (tx, { scope, id, body, now }) => changeAccount(tx, scope, id, body, now),
    }),
    transactions.list({
      summary: 'List financial transactions',
      query: object({
        financialAccountId: withDescription(optional(referenceTo(accountIds)), 'Only lines of this account.'),
        reference: withDescription(
          optional(text(0, 64)),
          'Only lines with this reference.',
          '20261121-101500123-7k2m9x',
        ),
        type: withDescription(optional(Type.Enum(['credit', 'debit'])), 'Only credits or only debits.'),
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
