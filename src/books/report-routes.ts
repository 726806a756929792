import Type from 'typebox'
import { shownMoney } from '../countries/shapes.ts'
import { accountInQuery } from '../ledger/accounts.ts'
import { moneyIn } from '../ledger/postings.ts'
import { rangeOf, rangeQuery } from '../ledger/range.ts'
import { accountIds } from '../ledger/resources.ts'
import type { SettlementColumns } from '../ledger/settlement.ts'
import { type Call, list, type Route } from '../platform/http/route.ts'
import {
  described,
  explained,
  idOf,
  nullableText,
  object,
  optional,
  referenceTo,
  timestamp,
} from '../platform/http/shapes.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import {
  type BalanceRow,
  balanceReport,
  type FeeRow,
  feeReport,
  type SettlementRow,
  settlementReport,
} from './reports.ts'

const final = Type.Boolean({
  description: 'Whether it stays as it is: nothing can be booked into its time any more.',
})
const period = {
  date: Type.String({
    description: 'The first day of its time, in the time zone of the Space’s country.',
    examples: ['2026-11-21'],
  }),
  from: described(timestamp, 'Where the row begins.'),
  to: described(timestamp, 'Where the row ends: what is booked at this moment is in the next.'),
  final,
}
const provider = Type.String({ examples: ['m17'] })
const direction = Type.Enum(['collection', 'disbursement'])

const feeShape = object(
  {
    code: described(
      Type.String({ examples: ['payment'] }),
      'What the fees are for: `payment`, `payout` or `refund`.',
    ),
    provider: described(nullableText, 'The provider whose money it was; null where there is none.'),
    direction: described(
      nullableText,
      '`collection`: of money that came in; `disbursement`: of money that went out; null where there is none.',
    ),
    from: described(timestamp, 'The first moment of the range.'),
    to: described(timestamp, 'The moment before which it ends.'),
    final,
    count: Type.Integer({ description: 'Fees that were charged or returned.' }),
    charged: described(shownMoney, 'What was charged.'),
    returned: described(shownMoney, 'What was given back.'),
    amount: described(shownMoney, 'What was charged, less what was given back.'),
  },
  { title: 'FeeReportRow', description: '`charged` less `returned` is `amount`.' },
)

const settlementShape = object(
  {
    ...period,
    provider: described(provider, 'The id of the provider.'),
    direction: described(
      direction,
      'Whose clearing account it is. `collection`: of money that came in; `disbursement`: of money that went out.',
    ),
    count: Type.Integer({ description: 'Movements at the provider.' }),
    expectedBefore: described(shownMoney, 'What the provider owed at `from`.'),
    collected: described(shownMoney, 'What payers paid.'),
    refunded: described(shownMoney, 'What went back to payers.'),
    paidOut: described(shownMoney, 'What was paid out.'),
    settled: described(shownMoney, 'What the provider and a bank moved between them.'),
    other: described(shownMoney, 'Whatever else was booked.'),
    expected: described(shownMoney, 'What the provider owes at `to`.'),
    fees: described(shownMoney, 'Fees of what was moved; they are not part of what the provider owes.'),
  },
  {
    title: 'SettlementReportRow',
    description:
      '`expectedBefore` and `collected`, less `refunded`, `paidOut` and `settled`, with `other`, are `expected`: what the provider holds by the books. `fees`: what was charged for these movements, which is not taken at the provider.',
  },
)

const balanceShape = object(
  {
    ...period,
    financialAccountId: described(idOf(accountIds), 'Whose balance it is.'),
    balance: described(shownMoney, 'What the account had at `to`.'),
  },
  { title: 'BalanceReportRow', description: 'The balance at the moment `to`.' },
)

type Parts = Platform & { catalogue: Catalogue; settlementColumns: SettlementColumns }

export function reportRoutes({ db, catalogue, settlementColumns }: Parts): Route[] {
  const permission = 'balances:read'
  const position = ({ key }: { key: string }) => key
  const extentOf = async ({ scope, query, now }: Call<{ from?: string; to?: string }>) => ({
    scope,
    range: await rangeOf(db, scope, query, now),
    now,
  })
  const timesOf = ({ from, to }: { from: Date; to: Date }) => ({
    from: from.toISOString(),
    to: to.toISOString(),
  })

  return [
    list({
      url: '/v1/reports/fees',
      summary: 'Report fees by code, provider and currency',
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
      summary: 'Report what providers have to account for, day by day',
      permission,
      query: object({
        provider: described(
          optional(Type.String({ maxLength: 64, examples: ['m17'] })),
          'Only this provider.',
        ),
        ...rangeQuery,
      }),
      result: settlementShape,
      async list(call, page) {
        const { provider: providerId } = call.query
        if (providerId !== undefined && !catalogue.find(providerId))
          throw argumentRefusal('provider', 'names no provider')
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
      summary: 'Report the balances of financial accounts over time',
      permission,
      query: object({
        financialAccountId: described(optional(referenceTo(accountIds)), 'Only this account.'),
        interval: explained(
          optional(Type.Enum(['day', 'month'], { default: 'day' })),
          'How long the range of a row is.',
          { day: 'a day', month: 'a month' },
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
