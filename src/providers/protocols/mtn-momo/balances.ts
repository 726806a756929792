import type { OutboundAnswer } from '../../../platform/outbound/outbound.ts'
import type { RailBalance, UnknownOutcome } from '../../connector.ts'
import { parseFields, unknown } from '../../rail-responses.ts'
import { shownReason } from './documents.ts'
import type { Product } from './product.ts'
import { availableIn } from './responses.ts'
import type { MtnMomoSettings } from './settings.ts'

/** Each product has an account of its own: what was collected, and what is paid out from. */
export async function balancesOf(
  settings: MtnMomoSettings,
  products: Product[],
): Promise<RailBalance[] | UnknownOutcome> {
  const balances: RailBalance[] = []
  for (const product of products) {
    const read = (response: OutboundAnswer): RailBalance | UnknownOutcome => {
      const money = response.status === 200 && availableIn(settings, parseFields(response.body) ?? {})
      return money ? { name: product.name, ...money } : unknown(shownReason(response))
    }
    const balance = await product.send({ method: 'GET', path: '/account/balance' }, read)
    if ('outcome' in balance) return balance
    balances.push(balance)
  }
  return balances
}
