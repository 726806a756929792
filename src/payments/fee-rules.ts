import { isSupportedCurrency } from '../countries/money.ts'
import type { Tx } from '../platform/db/database.ts'
import { Faults } from '../platform/refusals.ts'
import { upsertFeeRule } from './store.ts'

const ppmOfPercent = 10_000

/**
 * Sets what a Space pays for each payment, in both environments: `1%`, `1.5%`, or `1%,min=SLE:50,min=GHS:10` with
 * the least that is taken, in minor units. At most four decimals, so that it is a whole number of parts per million.
 */
export async function setPaymentFee(tx: Tx, spaceId: string, text: string): Promise<void> {
  const rule = readFeeRule(text)
  for (const environment of ['test', 'live'] as const)
    await upsertFeeRule(tx, spaceId, environment, 'payment', rule)
}

export function readFeeRule(text: string): { ppm: number; minimums: Record<string, string> } {
  const faults = new Faults()
  const [percent = '', ...rest] = text.split(',')
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,4}))?%$/.exec(percent) ?? []
  const ppm = Number(whole) * ppmOfPercent + Number(decimals.padEnd(4, '0'))
  if (whole === undefined || ppm > 100 * ppmOfPercent)
    faults.add('fee', 'must begin with a percentage, like 1% or 1.25%')
  const minimums: Record<string, string> = {}
  for (const part of rest) {
    const [, currency = '', minimum = ''] = /^min=([A-Z]{3}):(\d{1,15})$/.exec(part) ?? []
    if (isSupportedCurrency(currency)) minimums[currency] = minimum
    else faults.add('fee', `"${part}" is not a minimum, like min=SLE:50`)
  }
  faults.refuse()
  return { ppm, minimums }
}
