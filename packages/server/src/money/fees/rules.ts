import { isSupportedCurrency } from '@pesewa/values'
import { Issues } from '../../platform/refusals.ts'

/** A fee rule: a rate in parts per million, and minimum fees in minor units by currency. */
export type FeeRule = { ppm: number; minimums: Record<string, string> }

export const ppmOfPercent = 10_000

/** Returns a rule in text form. The inverse of `readFeeRule`. */
export const writeFeeRule = ({ ppm, minimums }: FeeRule): string =>
  [
    `${ppm / ppmOfPercent}%`,
    ...Object.entries(minimums).map(([currency, minimum]) => `min=${currency}:${minimum}`),
  ].join(',')

/** Returns what is wrong with the text of a rule. */
export function feeRuleErrors(text: string): string[] {
  const issues = new Issues()
  parseFeeRule(text, 'rule', issues)
  return issues.list.flatMap(({ errors }) => errors)
}

/**
 * Parses a rule such as `1%`, `1.5%` or `1%,min=SLE:50,min=GHS:10`, in which the minimum fees are in minor
 * units. The percentage has at most four decimals, which makes the rate a whole number of parts per million.
 */
export function readFeeRule(text: string): FeeRule {
  const issues = new Issues()
  const rule = parseFeeRule(text, 'rule', issues)
  issues.refuse()
  return rule
}

/** Parses the valid parts of a rule, and adds issues for the invalid parts to `issues`. */
function parseFeeRule(text: string, param: string, issues: Issues): FeeRule {
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
