import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { paging } from '../../platform/http/lists/lists.ts'
import {
  arrayOf,
  flag,
  group,
  idOf,
  object,
  optional,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Scope } from '../../platform/scope.ts'
import { ownerPageUrl, showOwner } from '../../tenants/spaces/ownership.ts'
import type { AccountStatement, AccountStatementLine, StatementTotals } from './account-statements.ts'
import { moneyIn } from './postings.ts'
import { rangeQuery } from './range.ts'
import { accountIds, transactionIds } from './resources.ts'

const owner = Type.Unsafe<{ type: string; id: string; url: string | null } | null>({
  type: ['object', 'null'],
  properties: {
    type: { type: 'string', examples: ['payment'], description: 'Type of the object.' },
    id: {
      type: 'string',
      examples: ['pay-01kaj3v5w8e4r9tbn2m6c7d0xz'],
      description: 'ID of the object.',
    },
    url: {
      type: ['string', 'null'],
      format: 'uri',
      examples: [
        'https://pay.example/console/spc-01kaj3v5w8e4r9tbn2m6c7d0xz/live/payments/pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
      ],
      description: 'URL of the object’s page in the console; null if it has none.',
    },
  },
  description: 'Object for which the money was moved.',
})

/** The fields of a line in statements and in the report of lines. */
export const lineFields = {
  type: withMeanings(Type.Enum(['credit', 'debit']), 'Direction of the money.', {
    credit: 'into the account',
    debit: 'out of the account',
  }),
  timestamp: withDescription(timestamp, 'When the line was booked.'),
  id: withDescription(idOf(transactionIds), 'ID of the line, as in `GET /v1/financial-transactions/{id}`.'),
  reference: shownText('Reference shared by all lines of a posting.', '20261121-101500123-7k2m9x'),
  kind: textOrNull('`fee` for a fee, otherwise the type of `owner`; null if there is no owner.', 'fee'),
  feeCode: textOrNull('Type of fee, if the line is one; otherwise null.'),
  providerId: textOrNull('Provider that moved the money; null if there is none.', 'm17'),
  direction: textOrNull(
    'Account with the provider. `collection` is for money from payers, `disbursement` for payouts and refunds; null if there is no provider.',
    'collection',
  ),
  owner,
  amount: withDescription(shownMoney, 'Amount, always positive.'),
  balance: withDescription(shownMoney, 'Balance after the line.'),
}

export const statementShape = object(
  {
    financialAccount: group('Account of the statement.', {
      id: withDescription(idOf(accountIds), 'ID of the account.'),
      uvan: shownText('Account number of 16 digits.', '4571920384756103'),
    }),
    from: withDescription(timestamp, 'Start of the range, inclusive.'),
    to: withDescription(timestamp, 'End of the range, exclusive.'),
    final: flag('Whether the statement is final, because no more lines can be added.'),
    openingBalance: withDescription(shownMoney, 'Balance at `from`.'),
    totals: optional(
      group('Totals of all lines in the range; absent with `withTotals=false`.', {
        credits: withDescription(shownMoney, 'Sum of all credits.'),
        debits: withDescription(shownMoney, 'Sum of all debits.'),
        count: withDescription(Type.Integer(), 'Number of lines.', 4),
      }),
    ),
    closingBalance: withDescription(shownMoney, 'Balance at `to`.'),
    lines: arrayOf('Lines of this page, in booking order.', object(lineFields)),
    next: textOrNull('Value of `after` for the next page; null on the last page.'),
  },
  {
    title: 'AccountStatement',
    shows: { totals: {} },
    description: 'The opening balance plus the credits minus the debits equals the closing balance.',
  },
)

/** The query parameters of a statement. Its lines are paged in the same way as lists. */
export const statementQuery = object({
  ...rangeQuery,
  ...paging,
  withTotals: optional(
    Type.Boolean({
      default: true,
      description: 'Set to false to omit the totals. Without them, a range can have any number of lines.',
    }),
  ),
})

/**
 * A row of the file. In addition to a row for each of the account's lines, the file has rows before and after
 * them.
 */
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

/** Returns the kind of a line: a fee, or the type of the object for which the money was moved. */
export const kindOf = ({ feeCode, owners: [nearest] }: Pick<AccountStatementLine, 'feeCode' | 'owners'>) =>
  feeCode === null ? (nearest?.type ?? null) : 'fee'

/** Returns a function that converts the lines of a Space to the form used by the API. */
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
        ? { type: nearest.type, id: showOwner(nearest), url: ownerPageUrl(baseUrl, scope, nearest) }
        : null,
      amount: money(amount > 0n ? amount : -amount),
      balance: money(balance),
    }
  }
