import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { accountInQuery } from '../../ledger/accounts/accounts.ts'
import { moneyIn } from '../../ledger/accounts/postings.ts'
import { parseRange, rangeQuery } from '../../ledger/accounts/range.ts'
import { accountIds } from '../../ledger/accounts/resources.ts'
import type { SettlementColumns } from '../../ledger/accounts/settlement.ts'
import { type Call, list, type Route } from '../../platform/http/commands/route.ts'
import {
  flag,
  idOf,
  object,
  optional,
  optionalReferenceTo,
  shownText,
  textOrNull,
  timestamp,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { argumentRefusal } from '../../platform/refusals.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { lineReport } from './line-report.ts'
import {
  type BalanceRow,
  balanceReport,
  type FeeRow,
  feeReport,
  type SettlementRow,
  settlementReport,
} from './reports.ts'

const final = flag('True once nothing more can be booked in the period.')
const period = {
  date: Type.String({
    format: 'date',
    description: 'First day of the period, in the time zone of the Space’s country.',
    examples: ['2026-11-21'],
  }),
  from: withDescription(timestamp, 'Start of the period, inclusive.'),
  to: withDescription(timestamp, 'End of the period, exclusive.'),
  final,
}
const provider = Type.String({ examples: ['m17'] })
const direction = Type.Enum(['collection', 'disbursement'])

const feeShape = object(
  {
    code: shownText('Type of fee: `payment`, `payout` or `refund`.', 'payment'),
    provider: textOrNull('Provider that moved the money; null if there is none.'),
    direction: textOrNull(
      '`collection` for fees on incoming money, `disbursement` for fees on outgoing money; null if there is no provider.',
    ),
    from: withDescription(timestamp, 'Start of the range, inclusive.'),
    to: withDescription(timestamp, 'End of the range, exclusive.'),
    final,
    count: Type.Integer({ description: 'Number of fees charged or returned.' }),
    charged: withDescription(shownMoney, 'Fees charged.'),
    returned: withDescription(shownMoney, 'Fees returned.'),
    amount: withDescription(shownMoney, 'Fees charged, less fees returned.'),
  },
  { title: 'FeeReportRow', description: '`amount` is `charged` less `returned`.' },
)

const settlementShape = object(
  {
    ...period,
    provider: withDescription(provider, 'ID of the provider.'),
    direction: withDescription(
      direction,
      'Clearing account: `collection` for incoming money, `disbursement` for outgoing money.',
    ),
    count: Type.Integer({ description: 'Number of movements at the provider.' }),
    expectedBefore: withDescription(shownMoney, 'Amount that the provider owed at `from`.'),
    collected: withDescription(shownMoney, 'Amount collected from payers.'),
    refunded: withDescription(shownMoney, 'Amount refunded to payers.'),
    paidOut: withDescription(shownMoney, 'Amount paid out.'),
    settled: withDescription(shownMoney, 'Amount settled between the provider and a bank.'),
    other: withDescription(shownMoney, 'All other movements.'),
    expected: withDescription(shownMoney, 'Amount that the provider owes at `to`.'),
    fees: withDescription(
      shownMoney,
      'Fees on these movements. They are not part of the amount that the provider owes.',
    ),
  },
  {
    title: 'SettlementReportRow',
    description:
      '`expected` is `expectedBefore` plus `collected` and `other`, less `refunded`, `paidOut` and `settled`: the amount that the provider holds according to the books. `fees` are charged for these movements, but not deducted by the provider.',
  },
)

const balanceShape = object(
  {
    ...period,
    financialAccountId: withDescription(idOf(accountIds), 'Account of the balance.'),
    balance: withDescription(shownMoney, 'Balance at `to`.'),
  },
  { title: 'BalanceReportRow', description: 'Balance of an account at `to`.' },
)

type Parts = Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }

export function reportRoutes({ db, baseUrl, catalogue, settlementColumns }: Parts): Route[] {
  const permission = 'balances:read'
  const position = ({ key }: { key: string }) => key
  const extentOf = async ({ scope, query, now }: Call<{ from?: string; to?: string }>) => ({
    scope,
    range: await parseRange(db, scope, query, now),
    now,
  })
  const timesOf = ({ from, to }: { from: Date; to: Date }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
  })

  return [
    lineReport({ db, baseUrl }),
    list({
      url: '/v1/reports/fees',
      summary: 'Retrieve the fee report',
      about: 'Totals by code, provider and currency.',
      permission,
      query: object(rangeQuery),
      result: feeShape,
      list: async (call, page) => feeReport(db, await extentOf(call), page),
      position,
      present(row: FeeRow) {
        const { code, providerId, direction, final, count, charged, returned } = row
        const money = moneyIn(row.currency)
        return {
          ...{ code, provider: providerId, direction, ...timesOf(row), final, count: Number(count) },
          charged: money(charged),
          returned: money(returned),
          amount: money(charged - returned),
        }
      },
    }),
    list({
      url: '/v1/reports/settlement',
      summary: 'Retrieve the settlement report',
      about: 'What each provider owes, day by day.',
      permission,
      query: object({
        provider: withDescription(
          optional(Type.String({ maxLength: 64, examples: ['m17'] })),
          'Only this provider.',
        ),
        ...rangeQuery,
      }),
      result: settlementShape,
      async list(call, page) {
        const { provider: providerId } = call.query
        if (providerId !== undefined && !catalogue.find(providerId))
          throw argumentRefusal('provider', 'does not name a provider')
        const extent = await extentOf(call)
        return settlementReport(db, { ...extent, providerId, columns: settlementColumns }, page)
      },
      position,
      present(row: SettlementRow) {
        const { date, providerId, direction, final, count } = row
        const money = moneyIn(row.currency)
        return {
          ...{ date, ...timesOf(row), final, provider: providerId, direction, count },
          expectedBefore: money(row.opening),
          collected: money(row.collected),
          refunded: money(row.refunded),
          paidOut: money(row.paidOut),
          settled: money(row.settled),
          other: money(row.other),
          expected: money(row.closing),
          fees: money(row.fees),
        }
      },
    }),
    list({
      url: '/v1/reports/balances',
      summary: 'Retrieve the balance report',
      about: 'The balances of financial accounts over time.',
      permission,
      query: object({
        financialAccountId: optionalReferenceTo(accountIds, 'Only this account.'),
        interval: withMeanings(
          optional(Type.Enum(['day', 'month'], { default: 'day' })),
          'Period of each row.',
          { day: 'one day', month: 'one month' },
        ),
        ...rangeQuery,
      }),
      result: balanceShape,
      async list(call, page) {
        const { scope, query } = call
        const { financialAccountId: shown, interval = 'day' } = query
        const accountId =
          shown === undefined ? undefined : await accountInQuery(db, scope, 'financialAccountId', shown)
        return balanceReport(db, { ...(await extentOf(call)), accountId, interval }, page)
      },
      position,
      present(row: BalanceRow) {
        const { date, id, currency, balance, final } = row
        const financialAccountId = showId(accountIds, id)
        return { date, ...timesOf(row), final, financialAccountId, balance: moneyIn(currency)(balance) }
      },
    }),
  ]
}
