import { must, wholeNumber } from '@pesewa/values'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { existing, Issues } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Receipt, redeem, selectReceipt } from './receipt-store.ts'

export const receiptStatuses = ['not_redeemed', 'partially_redeemed', 'fully_redeemed'] as const

/** A request to redeem either all remaining units or units of specific entitlements. */
export type Redemption = {
  redeemAll?: boolean | undefined
  entitlements?: { key: string; units?: number | undefined }[] | undefined
  metadata?: Metadata | undefined
}

/** Returns whether a text has the form of an order number. If it does not, no query is needed. */
export const isOrderNumber = (text: string) => /^\d{12}$/.test(text)

/** Returns the receipt of a paid order, or `undefined` if there is none. */
export const findReceipt = async (db: Reader, scope: Scope, orderNumber: string, lock: Sql = nothing) =>
  isOrderNumber(orderNumber) ? await selectReceipt(db, scope, orderNumber, lock) : undefined

/** Returns the receipt of a paid order, or refuses the request if there is none. */
export const requireReceipt = async (db: Reader, scope: Scope, orderNumber: string, lock: Sql = nothing) =>
  existing(await findReceipt(db, scope, orderNumber, lock))

/**
 * Redeems either everything that was requested or nothing. If too few units remain, the result is `redeem:
 * false` and not a refusal, because this is to be expected when two gates compete for the last unit. Requests
 * with unknown or repeated keys can never succeed and are refused.
 */
export async function redeemReceipt(
  tx: Tx,
  scope: Scope,
  orderNumber: string,
  request: Redemption,
  at: Date,
): Promise<{ redeem: boolean; receipt: Receipt }> {
  // Concurrent redemptions wait here and then see the units that remain.
  const receipt = await requireReceipt(tx, scope, orderNumber, sql`for update of receipt`)
  const issues = new Issues()
  validateRedemption(receipt, request, issues)
  issues.refuse()
  const units = unitsOf(receipt, request)
  const isThere =
    units.some((count) => count > 0) && units.every((count, i) => count <= (receipt.remaining[i] ?? 0))
  if (!isThere) return { redeem: false, receipt }
  const redeemed: Receipt = {
    ...receipt,
    remaining: receipt.remaining.map((count, i) => count - (units[i] ?? 0)),
    metadata: request.metadata ?? receipt.metadata,
    updatedAt: at,
  }
  await redeem(tx, scope, redeemed, units)
  return { redeem: true, receipt: redeemed }
}

/** Adds an issue for each error that makes a redemption impossible, no matter how many units remain. */
export function validateRedemption(
  receipt: Receipt,
  { redeemAll = false, entitlements }: WellFormed<Redemption>,
  issues: Issues,
): void {
  if (redeemAll && entitlements) issues.add('redeemAll', 'cannot be combined with entitlements')
  const isUnsaid = !redeemAll && !entitlements
  if (isUnsaid && !issues.hasIssue('redeemAll') && !issues.hasIssue('entitlements'))
    issues.add('redeemAll', 'must be true unless entitlements are set')
  entitlements?.forEach((entitlement, i) => {
    if (entitlement?.key === undefined) return
    if (!receipt.entitlements.some(({ key }) => key === entitlement.key))
      issues.add(`entitlements[${i}].key`, 'does not name an entitlement of this receipt')
    else if (entitlements.findIndex((one) => one?.key === entitlement.key) < i)
      issues.add(`entitlements[${i}].key`, 'must not be repeated')
  })
}

/** Returns the number of units to redeem of each entitlement, in the order of the entitlements. */
function unitsOf(receipt: Receipt, { redeemAll = false, entitlements = [] }: Redemption): number[] {
  if (redeemAll) return receipt.remaining
  const units = new Map(entitlements.map(({ key, units = 1 }) => [key, units]))
  return receipt.entitlements.map(({ key }) => units.get(key) ?? 0)
}

/** Returns the receipt as an API resource. */
export function presentReceipt(receipt: Receipt) {
  const entitlements = receipt.entitlements.map((entitlement, i) => {
    const remaining = must(receipt.remaining[i], 'count of an entitlement')
    return { ...entitlement, current: entitlement.limit - remaining, remaining, exhausted: remaining === 0 }
  })
  return {
    status: statusOf(entitlements),
    orderName: receipt.name,
    orderNumber: receipt.number,
    orderAmount: { currency: receipt.currency, value: wholeNumber(receipt.amount) },
    entitlements,
    createTime: receipt.createdAt.toISOString(),
    updateTime: receipt.updatedAt.toISOString(),
    metadata: receipt.metadata,
  }
}

function statusOf(entitlements: { current: number; exhausted: boolean }[]): (typeof receiptStatuses)[number] {
  if (entitlements.every(({ current }) => current === 0)) return 'not_redeemed'
  return entitlements.every(({ exhausted }) => exhausted) ? 'fully_redeemed' : 'partially_redeemed'
}
