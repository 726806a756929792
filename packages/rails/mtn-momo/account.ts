import {
  type AccountHolder,
  holderNameOf,
  type OutboundAnswer,
  type ProbeStep,
  parseFields,
  probeMissing,
  type RailBalance,
  type RailMessage,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { reasonOf, shownReason } from './documents.ts'
import type { Product } from './product.ts'
import { availableIn, missingOr } from './responses.ts'
import type { MtnMomoSettings } from './settings.ts'

/**
 * Looks up an account holder with two calls, because MTN returns the holder's name and the status of the
 * account separately.
 */
export async function findHolder(product: Product, msisdn: string): Promise<AccountHolder> {
  const path = `/accountholder/msisdn/${encodeURIComponent(msisdn)}`
  const [name, isActive] = await Promise.all([
    product.call({ method: 'GET', path: `${path}/basicuserinfo` }, readName),
    product.call({ method: 'GET', path: `${path}/active` }, readActive),
  ])
  if (typeof name !== 'string') return name
  return typeof isActive === 'boolean' ? { outcome: 'found', holderName: name, isActive } : isActive
}

/** Reads the name in a response. Only MTN's own "not found" means that the account does not exist. */
function readName(response: OutboundAnswer): string | { outcome: 'missing' } | UnknownOutcome {
  const fields = parseFields(response.body)
  if (response.status === 404 && reasonOf(fields) === 'RESOURCE_NOT_FOUND') return { outcome: 'missing' }
  if (response.status !== 200 || !fields) return unknown(shownReason(response))
  const { given_name, family_name, name } = fields
  return holderNameOf(given_name, family_name) ?? holderNameOf(name) ?? unknown('the response has no name')
}

function readActive(response: OutboundAnswer): boolean | UnknownOutcome {
  const result = parseFields(response.body)?.result
  return response.status === 200 && typeof result === 'boolean' ? result : unknown(shownReason(response))
}

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

/** Checks that MTN issues a token for a product and then accepts it. */
export async function probeProduct(product: Product, unknownReference: RailMessage): Promise<ProbeStep[]> {
  const step = `${product.name}: a token`
  const fault = await product.tokenFault()
  if (fault !== undefined)
    return [{ step, outcome: /^4\d\d\b/.test(fault) ? 'failed' : 'unknown', detail: fault }]
  return [
    { step, outcome: 'ok', detail: 'MTN issued a token' },
    await probeMissing(`${product.name}: an unknown reference`, product.call(unknownReference, missingOr)),
  ]
}
