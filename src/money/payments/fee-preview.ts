import type { Reader } from '../../platform/db/database.ts'
import type { Scope } from '../../platform/scope.ts'
import { feeOn } from './fee-rules.ts'
import { type ChargedAmount, type FeeRuleRow, selectCharged } from './fee-store.ts'

const previewedMs = 30 * 86_400_000 // period covered by a fee preview
const maxPreviewed = 10_000 // maximum number of payments covered by a fee preview, newest first

/**
 * Fees for the last 30 days, in minor units: the fees that were charged, and the fees that another rule would
 * have charged.
 */
export type FeePreview = {
  since: Date
  payments: number
  /**
   * True if all payments in the period are covered. Otherwise, `since` is the time of the oldest payment
   * covered.
   */
  isWhole: boolean
  sums: { currency: string; payments: number; collected: bigint; charged: bigint; wouldBe: bigint }[]
}

export async function previewFees(
  db: Reader,
  scope: Scope,
  rule: FeeRuleRow,
  now: Date,
): Promise<FeePreview> {
  const from = new Date(now.getTime() - previewedMs)
  const amounts = await selectCharged(db, scope, from, maxPreviewed)
  const payments = total(amounts, (each) => BigInt(each.count))
  const isWhole = payments < maxPreviewed
  const oldest = amounts.map(({ since }) => since).toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    since: isWhole ? from : (oldest ?? from),
    payments: Number(payments),
    isWhole,
    sums: [...Map.groupBy(amounts, ({ currency }) => currency)].sort().map(([currency, some]) => ({
      currency,
      payments: Number(total(some, (each) => BigInt(each.count))),
      collected: total(some, ({ amount, count }) => amount * BigInt(count)),
      charged: total(some, ({ charged }) => charged),
      wouldBe: total(
        some,
        ({ amount, count }) =>
          feeOn(amount, { ppm: rule.ppm, minimum: BigInt(rule.minimums[currency] ?? 0) }) * BigInt(count),
      ),
    })),
  }
}

const total = (amounts: ChargedAmount[], of: (each: ChargedAmount) => bigint) =>
  amounts.reduce((sum, each) => sum + of(each), 0n)
