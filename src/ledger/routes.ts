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
      'Its number, 16 digits with a check digit, for people.',
    ),
    name: described(Type.String(), 'What your team calls it.'),
    currency: described(Type.String({ examples: ['SLE'] }), 'The currency of all its money, by ISO 4217.'),
    reference: described(nullableText, 'Your own word for it, one in the Space; null where there is none.'),
    description: described(nullableText, 'What it is for; null where nobody says.'),
    balance: described(
      optional(
        object({
          available: described(shownMoney, 'What can be spent: all that was booked, less what is held.'),
          held: described(shownMoney, 'What is reserved, for payouts and refunds that have not ended.'),
        }),
      ),
      'What it has: shown where `withBalance` was asked, to callers with `balances:read`.',
    ),
    createTime,
    updateTime,
    ownershipGraph,
    metadata: shownMetadata,
  },
  { title: 'FinancialAccount' },
)

const newFinancialAccount = object({
  name: described(nameText(1, 100), 'What your team calls it.'),
  currency: described(money.properties.currency, 'It holds this currency for ever.'),
  reference: described(
    optional(text(0, 64)),
    'Your own word for it, which no other account of the Space has.',
  ),
  description: described(optional(text(0, 150)), 'A remark for your team.'),
  metadata: optional(metadata),
})

const accountChange = object({
  name: described(optional(nameText(1, 100)), 'What your team calls it.'),
  reference: described(
    clearable(text(0, 64)),
    'Your own word for it, which no other account of the Space has.',
  ),
  description: described(clearable(text(0, 150)), 'A remark for your team.'),
  metadata: clearable(metadata),
})

const withBalance = optional(Type.Boolean({ description: 'Adds the balance; needs balances:read.' }))

const financialTransaction = object(
  {
    id: ownId(transactionIds),
    type: explained(Type.Enum(['credit', 'debit']), 'Which way the money went.', {
      credit: 'into the account',
      debit: 'out of it',
    }),
    amount: described(shownMoney, 'How much, whichever way.'),
    timestamp: described(timestamp, 'When it was booked, by the clock of the Space.'),
    reference: described(
      Type.String({ examples: ['20261121-101500123-7k2m9x'] }),
      'What all lines of one posting share: a payment’s and its fee’s, say.',
    ),
    financialAccount: described(
      object({
        id: described(idOf(accountIds), 'The id of the account.'),
        balance: described(
          object({ after: described(shownMoney, 'What it had after the line, held money included.') }),
          'Its balance around this line.',
        ),
      }),
      'The account, and what the line did to it.',
    ),
    originatingReversal: described(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          originTxnId: { type: 'string', description: 'The id of that line.' },
          originTxnRef: { type: 'string', description: 'The reference of its posting.' },
        },
      }),
      'The line that this one takes back, where it does; else null.',
    ),
    originatingFee: described(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        properties: {
          code: { type: 'string', description: 'What the fee is for: `payment`, `payout` or `refund`.' },
        },
      }),
      'The fee that this line is, where it is one; else null.',
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
      rules: [{ about: ['currency'], says: '`currency` is one of those of `GET /v1/countries`.' }],
      judge: (_db, { body }, faults) => void judgeCurrency(faults, 'currency', body.currency),
      write: (tx, { scope, body, now }) => openAccount(tx, scope, body, now),
    }),
    accounts.list({
      summary: 'List financial accounts',
      query: object({
        uvan: described(optional(text(0, 16)), 'Only the account with this number.', '4571920384756103'),
        reference: described(
          optional(text(0, 64)),
          'Only the account with this reference of yours.',
          'rent-2026',
        ),
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
          'Only lines of this posting.',
          '20261121-101500123-7k2m9x',
        ),
        type: described(optional(Type.Enum(['credit', 'debit'])), 'Only credits, or only debits.'),
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
