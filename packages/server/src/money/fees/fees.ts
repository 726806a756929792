import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { environments, type Scope } from '../../platform/scope.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { writeSpaceDecision } from '../../tenants/spaces/suspension.ts'
import { type FeeCode, feeCodes } from './codes.ts'
import { feeOn } from './rounding.ts'
import { ppmOfPercent, readFeeRule, writeFeeRule } from './rules.ts'
import { deleteFeeRule, selectFeeRules, selectOwnRules, upsertFeeRule } from './store.ts'

/** Default fees, in parts per million, for Spaces that have no rule of their own. */
const defaultPpm: Record<FeeCode, number> = { payment: ppmOfPercent, payout: 0, refund: 0 }

/**
 * Sets a Space's fee rule for payments, payouts or refunds in both environments, and records the change in the
 * Space's audit log.
 */
export async function setFee(
  tx: Tx,
  spaceId: string,
  code: FeeCode,
  text: string,
  decider: Decider,
): Promise<void> {
  const rule = readFeeRule(text)
  for (const environment of environments) await upsertFeeRule(tx, { spaceId, environment }, code, rule)
  await writeSpaceDecision(tx, spaceId, decider, 'space.set_fee', { code, rule: text })
}

/** Resets a Space to the default fee in both environments. Returns whether it had a rule of its own. */
export async function removeFee(tx: Tx, spaceId: string, code: FeeCode, decider: Decider): Promise<boolean> {
  let isRemoved = false
  for (const environment of environments)
    isRemoved = (await deleteFeeRule(tx, { spaceId, environment }, code)) || isRemoved
  if (isRemoved) await writeSpaceDecision(tx, spaceId, decider, 'space.set_fee', { code, rule: null })
  return isRemoved
}

/** Returns the fee rules, in text form, of all Spaces that have rules of their own. */
export const listOwnFees = async (db: Reader) =>
  (await selectOwnRules(db)).map(({ ppm, minimums, ...own }) => ({
    ...own,
    rule: writeFeeRule({ ppm, minimums }),
  }))

/** A fee as stored, with the amount in minor units as text. */
export type Fee = { code: FeeCode; amount: string }

/** Returns the sum of fees, in minor units. */
export const sumFees = (fees: readonly Pick<Fee, 'amount'>[]): bigint =>
  fees.reduce((sum, { amount }) => sum + BigInt(amount), 0n)

/**
 * Returns a list of fees for each of the given payments, payouts or refunds, in the same order. The list is
 * empty if the fee is zero.
 */
export async function findFees(
  db: Reader,
  charged: Scoped<{ amount: bigint; currency: string }>[],
  code: FeeCode,
): Promise<Fee[][]> {
  const rules = new Map(
    (await selectFeeRules(db, charged, code)).map((rule) => [globalName(rule.scope, code), rule]),
  )
  return charged.map(({ scope, amount, currency }) => {
    const { ppm = defaultPpm[code], minimums = {} } = rules.get(globalName(scope, code)) ?? {}
    const fee = feeOn(amount, { ppm, minimum: BigInt(minimums[currency] ?? 0) })
    return fee > 0n ? [{ code, amount: String(fee) }] : []
  })
}

/** Returns a Space's fee rules in text form. `isStandard` means that the default applies. */
export async function describeFees(db: Reader, scope: Scope) {
  const fees: { code: FeeCode; rule: string; isStandard: boolean }[] = []
  for (const code of feeCodes) {
    const [own] = await selectFeeRules(db, [{ scope }], code)
    const rule = writeFeeRule(own ?? { ppm: defaultPpm[code], minimums: {} })
    fees.push({ code, rule, isStandard: own === undefined })
  }
  return fees
}
