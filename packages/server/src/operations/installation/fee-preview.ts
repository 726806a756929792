import { wholeNumber } from '@pesewa/values'
import Type from 'typebox'
import { shownMoney } from '../../countries/shapes.ts'
import { feeOn } from '../../money/fees/rounding.ts'
import { checkSpace, feeRule } from '../../money/fees/routes.ts'
import { type FeeRule, readFeeRule } from '../../money/fees/rules.ts'
import type { Reader } from '../../platform/db/database.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { object, optional, timestamp, withDescription } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import { environmentShape } from '../../rails/connections/shapes.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { type ChargedAmount, selectCharged } from './store.ts'

const feePreview = object(
  {
    since: withDescription(timestamp, 'Start of the period.'),
    payments: withDescription(Type.Integer({ examples: [240] }), 'Number of payments counted.'),
    isWhole: Type.Boolean({
      description:
        'True if all completed payments of the last 30 days are included, not only the newest 10,000.',
    }),
    sums: withDescription(
      Type.Array(
        object({
          payments: withDescription(Type.Integer(), 'Number of payments.', 240),
          collected: withDescription(shownMoney, 'Total amount.'),
          charged: withDescription(shownMoney, 'Fees charged.'),
          wouldBe: withDescription(shownMoney, 'Fees under the previewed rule.'),
        }),
      ),
      'Totals by currency.',
    ),
  },
  { title: 'FeePreview' },
)

/** The route with which operators preview the fees of a Space's past payments under another rule. */
export const feePreviewRoutes = ({ db }: Pick<Platform, 'db'>): Route[] => [
  read({
    url: '/v1/installation/spaces/:id/fee-preview',
    idKind: spaceIds,
    permission: 'installation:read',
    summary: 'Preview a fee',
    about: 'Shows the fees of the last 30 days under another rule.',
    query: object({ rule: feeRule, environment: optional(environmentShape) }),
    result: feePreview,
    read: async ({ id, query, now }) => {
      await checkSpace(db, id)
      const { environment = 'live' } = query
      return previewFees(db, { spaceId: id, environment }, readFeeRule(query.rule), now)
    },
  }),
]

const previewedMs = 30 * 86_400_000 // period covered by a fee preview
const maxPreviewed = 10_000 // maximum number of payments covered by a fee preview, newest first

/** Returns the fees of the last 30 days that were charged, and those that another rule would have charged. */
async function previewFees(db: Reader, scope: Scope, rule: FeeRule, now: Date) {
  const from = new Date(now.getTime() - previewedMs)
  const amounts = await selectCharged(db, scope, from, maxPreviewed)
  const payments = Number(total(amounts, (each) => BigInt(each.count)))
  const isWhole = payments < maxPreviewed
  const oldest = amounts.map(({ since }) => since).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    since: (isWhole ? from : (oldest ?? from)).toISOString(),
    payments,
    isWhole,
    sums: [...Map.groupBy(amounts, ({ currency }) => currency)].sort().map(([currency, some]) => {
      const shown = (of: (each: ChargedAmount) => bigint) => ({
        currency,
        value: wholeNumber(total(some, of)),
      })
      const newFee = { ppm: rule.ppm, minimum: BigInt(rule.minimums[currency] ?? 0) }
      return {
        payments: Number(total(some, (each) => BigInt(each.count))),
        collected: shown(({ amount, count }) => amount * BigInt(count)),
        charged: shown(({ charged }) => charged),
        wouldBe: shown(({ amount, count }) => feeOn(amount, newFee) * BigInt(count)),
      }
    }),
  }
}

const total = (amounts: ChargedAmount[], of: (each: ChargedAmount) => bigint) =>
  amounts.reduce((sum, each) => sum + of(each), 0n)
