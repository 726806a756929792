import { isSupportedCurrency } from '../../countries/money.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { Issues } from '../../platform/refusals.ts'
import { environments, type Scope } from '../../platform/scope.ts'
import type { Decider } from '../../tenants/spaces/audit.ts'
import { writeSpaceDecision } from '../../tenants/spaces/suspension.ts'
import { type FeeCode, feeCodes } from './fee-codes.ts'
import { deleteFeeRule, type FeeRuleRow, selectFeeRules, selectOwnRules, upsertFeeRule } from './fee-store.ts'

const ppmOfPercent = 10_000

/** Default fees, in parts per million, for Spaces that have no rule of their own. */
const defaultPpm: Record<FeeCode, number> = { payment: ppmOfPercent, payout: 0, refund: 0 }

/**
 * Sets a Space's fee rule for payments, payouts or refunds in both environments, and records the change in the
 * Space's audit log.
 *
 * @param param name of the parameter under which an invalid rule is reported
 */
export async function setFee(
  tx: Tx,
  spaceId: string,
  code: FeeCode,
  text: string,
  decider: Decider,
  param = 'fee',
): Promise<void> {
  const rule = readFeeRule(text, param)
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

/** Returns a rule in text form. The inverse of `readFeeRule`. */
const writeFeeRule = ({ ppm, minimums }: FeeRuleRow): string =>
  [
    `${ppm / ppmOfPercent}%`,
    ...Object.entries(minimums).map(([currency, minimum]) => `min=${currency}:${minimum}`),
  ].join(',')

/**
 * Parses a rule such as `1%`, `1.5%` or `1%,min=SLE:50,min=GHS:10`, in which the minimum fees are in minor
 * units. The percentage has at most four decimals, which makes the rate a whole number of parts per million.
 *
 * @param param name of the parameter under which an invalid rule is reported
 */
export function readFeeRule(text: string, param = 'fee'): FeeRuleRow {
  const issues = new Issues()
  const rule = parseFeeRule(text, param, issues)
  issues.refuse()
  return rule
}

/** Parses the valid parts of a rule, and adds issues for the invalid parts to `issues`. */
export function parseFeeRule(text: string, param: string, issues: Issues): FeeRuleRow {
  const [percent = '', ...rest] = text.split(',')
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?%$/.exec(percent) ?? []
  const ppm = Number(whole) * ppmOfPercent + Number(decimals.padEnd(4, '0'))
  if (whole === undefined || ppm > 100 * ppmOfPercent)
    issues.add(param, 'must start with a percentage, such as 1% or 1.25%')
  const minimums: Record<string, string> = {}
  for (const part of rest) {
    const [, currency = '', minimum = ''] = /^min=([A-Z]{3}):(\d{1,15})$/.exec(part) ?? []
    if (isSupportedCurrency(currency)) minimums[currency] = minimum
    else issues.add(param, `"${part}" is not a valid minimum; use the form min=SLE:50`)
  }
  return { ppm, minimums }
}

/** A fee rule: a rate in parts per million of the amount, and a minimum fee in minor units. */
export type FeeRule = { ppm: number; minimum: bigint }

const million = 1_000_000n

/**
 * Returns the fee on an amount, both in minor units. It is rounded half to even and never exceeds the amount.
 * For example, 1 % of 30 000 is 300; 1 % of 50 is 0 (half to even); 1 % of 150 is 2.
 */
export function feeOn(amount: bigint, { ppm, minimum }: FeeRule): bigint {
  const exact = amount * BigInt(ppm)
  const whole = exact / million
  const twice = (exact % million) * 2n
  const rounded = twice > million || (twice === million && whole % 2n === 1n) ? whole + 1n : whole
  const fee = rounded < minimum ? minimum : rounded
  return fee > amount ? amount : fee
}
