import Type from 'typebox'
import { money, shownMoney } from '../countries/shapes.ts'
import { resource } from '../platform/http/resource.ts'
import type { Route } from '../platform/http/route.ts'
import {
  clearable,
  createTime,
  described,
  explained,
  idOf,
  metadata,
  nameQuery,
  nameText,
  nullableText,
  object,
  optional,
  ownId,
  referenceTo,
  shownMetadata,
  text,
  timestamp,
  updateTime,
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
    id: ownId(accountIds),
    uvan: described(
      Type.String({ examples: ['4571920384756103'] }),
      'Account number of 16 digits, including a check digit.',
    ),
    name: described(Type.String(), 'Name of the account.'),
    currency: described(Type.String({ examples: ['SLE'] }), 'ISO 4217 currency of the account.'),
    reference: described(
      nullableText,
      'Your reference for the account, unique in the Space; null if there is none.',
    ),
    description: described(nullableText, 'Description of the account; null if there is none.'),
    balance: described(
      optional(
        object({
          available: described(shownMoney, 'Available balance: all booked money, less held money.'),
          held: described(shownMoney, 'Money reserved for pending payouts and refunds.'),
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
  name: described(nameText(1, 100), 'Name of the account.'),
  currency: described(money.properties.currency, 'Currency of the account. It cannot be changed.'),
  reference: described(optional(text(0, 64)), 'Your reference for the account, unique in the Space.'),
  description: described(optional(text(0, 150)), 'A note for your team.'),
  metadata: optional(metadata),
})

const accountChange = object({
  name: described(optional(nameText(1, 100)), 'Name of the account.'),
  reference: described(clearable(text(0, 64)), 'Your reference for the account, unique in the Space.'),
  description: described(clearable(text(0, 150)), 'A note for your team.'),
  metadata: clearable(metadata),
})

const withBalance = optional(Type.Boolean({ description: 'Includes the balance; needs balances:read.' }))

const financialTransaction = object(
  {
    id: ownId(transactionIds),
    type: explained(Type.Enum(['credit', 'debit']), 'Direction of the money.', {
      credit: 'into the account',
      debit: 'out of the account',
    }),
    amount: described(shownMoney, 'Amount, always positive.'),
    timestamp: described(timestamp, 'When the line was booked, by the clock of the Space.'),
    reference: described(
      Type.String({ examples: ['20261121-101500123-7k2m9x'] }),
      'Reference shared by all lines of a posting, such as a payment and its fee.',
    ),
    financialAccount: described(
      object({
        id: described(idOf(accountIds), 'ID of the account.'),
        balance: described(
          object({ after: described(shownMoney, 'Balance after the line, including held money.') }),
          'Balance of the account after this line.',
        ),
      }),
      'Account of the line, and its new balance.',
    ),
    originatingReversal: described(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          originTxnId: { type: 'string', description: 'ID of the reversed line.' },
          originTxnRef: { type: 'string', description: 'Reference of the reversed posting.' },
        },
      }),
      'The line that this line reverses; null if it is not a reversal.',
    ),
    originatingFee: described(
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
      judge: (_db, { body }, faults) => void judgeCurrency(faults, 'currency', body.currency),
      write: (tx, { scope, body, now }) => openAccount(tx, scope, body, now),
    }),
    accounts.list({
      summary: 'List financial accounts',
      query: object({
        uvan: described(optional(text(0, 16)), 'Only the account with this number.', '4571920384756103'),
        reference: described(optional(text(0, 64)), 'Only the account with this reference.', 'rent-2026'),
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
        financialAccountId: described(optional(referenceTo(accountIds)), 'Only lines of this account.'),
        reference: described(
          optional(text(0, 64)),
          'Only lines with this reference.',
          '20261121-101500123-7k2m9x',
        ),
        type: described(optional(Type.Enum(['credit', 'debit'])), 'Only credits or only debits.'),
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
