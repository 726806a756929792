import {
  type OutboundAnswer,
  parseFields,
  type RailBalance,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { shownReason } from './documents.ts'
import type { Product } from './product.ts'
import { availableIn } from './responses.ts'
import type { MtnMomoSettings } from './settings.ts'

/**
 * Reads the balance of each product's account. All queries are sent even if one of them fails, so that a token
 * for each product stays cached.
 */
export async function balancesOf(
  settings: MtnMomoSettings,
  products: Product[],
): Promise<RailBalance[] | UnknownOutcome> {
  const outcomes = await Promise.all(products.map((product) => balanceOf(settings, product)))
  const balances: RailBalance[] = []
  for (const outcome of outcomes) {
    if ('outcome' in outcome) return outcome
    balances.push(outcome)
  }
  return balances
}

function balanceOf(settings: MtnMomoSettings, product: Product): Promise<RailBalance | UnknownOutcome> {
  const read = (response: OutboundAnswer): RailBalance | UnknownOutcome => {
    const money = response.status === 200 && availableIn(settings, parseFields(response.body) ?? {})
    return money ? { name: product.name, ...money } : unknown(shownReason(response))
  }
  return product.call({ method: 'GET', path: '/account/balance' }, read)
}
