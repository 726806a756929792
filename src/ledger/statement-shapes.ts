import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { wholeNumber } from '../platform/http/json.ts'
import { paging } from '../platform/http/lists.ts'
import {
  described,
  explained,
  idOf,
  nullableText,
  object,
  optional,
  timestamp,
} from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Scope } from '../platform/scope.ts'
import { pageOf, showOwner } from '../spaces/ownership.ts'
import type { AccountStatement, AccountStatementLine, StatementTotals } from './account-statements.ts'
import { moneyIn } from './postings.ts'
import { rangeQuery } from './range.ts'
import { accountIds, transactionIds } from './resources.ts'

const owner = Type.Unsafe<{ type: string; id: string; url: string | null } | null>({
  type: ['object', 'null'],
  properties: {
    type: { type: 'string', examples: ['payment'], description: 'What kind of object it is.' },
    id: {
      type: 'string',
      examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
      description: 'The id of the object.',
    },
    url: {
      type: ['string', 'null'],
      format: 'uri',
      examples: [
        'https://pay.example/console/spc-01kaj3v5w8e4r9tbn2m6c7d0xz/live/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
      ],
      description: 'Its page in the console; null where it has none.',
    },
  },
  description: 'What the money moved for.',
})

const lineFields = {
  type: explained(Type.Enum(['credit', 'debit']), 'Which way the money went.', {
    credit: 'into the account',
    debit: 'out of it',
  }),
  timestamp: described(timestamp, 'When it was booked.'),
  id: described(idOf(transactionIds), 'The line, as `GET /v1/financial-transactions/{id}` shows it.'),
  reference: described(
    Type.String({ examples: ['20261121-101500123-7k2m9x'] }),
    'What all lines of one posting share.',
  ),
  kind: described(
    nullableText,
    'What the line is: `fee`, or else the type of its `owner`; null where it has none.',
    'fee',
  ),
  feeCode: described(nullableText, 'What the fee is for, where the line is one; else null.'),
  providerId: described(
    nullableText,
    'The provider through which the money moved; null where there is none.',
    'm17',
  ),
  direction: described(
    nullableText,
    'Over which account at the provider it moved. `collection`: that of money from payers; `disbursement`: that of payouts and refunds; null where there is no provider.',
    'collection',
  ),
  owner,
  amount: described(shownMoney, 'How much, whichever way.'),
  balance: described(shownMoney, 'What the account had after the line.'),
}

export const statementShape = object(
  {
    financialAccount: described(
      object({
        id: described(idOf(accountIds), 'The id of the account.'),
        uvan: described(Type.String({ examples: ['4571920384756103'] }), 'Its number, 16 digits.'),
      }),
      'Whose statement it is.',
    ),
    from: described(timestamp, 'Lines of this time or later.'),
    to: described(timestamp, 'Lines before this time.'),
    final: Type.Boolean({ description: 'Whether it stays as it is: no line can be added to it any more.' }),
    openingBalance: described(shownMoney, 'What the account had at `from`.'),
    totals: described(
      optional(
        object({
          credits: described(shownMoney, 'All that came in.'),
          debits: described(shownMoney, 'All that went out.'),
          count: described(Type.Integer(), 'How many lines there are.', 4),
        }),
      ),
      'Sums of all lines of the range; absent with `withTotals=false`.',
    ),
    closingBalance: described(shownMoney, 'What the account had at `to`.'),
    lines: described(
      Type.Array(object(lineFields)),
      'The lines of this page, in the order in which they were booked.',
    ),
    next: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The `after` of the page that follows; null at the end.',
    }),
  },
  {
    title: 'AccountStatement',
    shows: { totals: {} },
    description: 'The opening balance and the credits, less the debits, are the closing balance.',
  },
)

/** Its lines come in pages, as lists do. */
export const statementQuery = object({
  ...rangeQuery,
  ...paging,
  withTotals: optional(
    Type.Boolean({
      default: true,
      description: 'Without the totals, which are sums of all lines, a range of any length is read at once.',
    }),
  ),
})

/** A line of the file, of which some stand before and after those of the account. */
export const fileEntry = object({
  ...lineFields,
  type: Type.Enum(['opening', 'credit', 'debit', 'credits', 'debits', 'closing', 'provisional']),
})

export function presentStatement(
  { account, range, final, opening, closing }: AccountStatement,
  totals: StatementTotals | undefined,
) {
  const money = moneyIn(account.currency)
  return {
    financialAccount: { id: showId(accountIds, account.id), uvan: account.uvan },
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    final,
    openingBalance: money(opening),
    ...(totals && {
      totals: {
        credits: money(totals.credits),
        debits: money(totals.debits),
        count: wholeNumber(totals.count),
      },
    }),
    closingBalance: money(closing),
  }
}

/** What a line is, for those who read it: a fee, or what its money moved for. */
export const kindOf = ({ feeCode, owners: [nearest] }: Pick<AccountStatementLine, 'feeCode' | 'owners'>) =>
  feeCode === null ? (nearest?.type ?? null) : 'fee'

/** Presents the lines of a Space. */
export const statementLines =
  (baseUrl: string, scope: Scope) =>
  ({ id, at, reference, currency, amount, balance, ...line }: AccountStatementLine) => {
    const money = moneyIn(currency)
    const {
      feeCode,
      providerId,
      direction,
      owners: [nearest],
    } = line
    return {
      type: amount > 0n ? ('credit' as const) : ('debit' as const),
      timestamp: at.toISOString(),
      id: showId(transactionIds, id),
      reference,
      kind: kindOf(line),
      feeCode,
      providerId,
      direction,
      owner: nearest
        ? { type: nearest.type, id: showOwner(nearest), url: pageOf(baseUrl, scope, nearest) }
        : null,
      amount: money(amount > 0n ? amount : -amount),
      balance: money(balance),
    }
  }
