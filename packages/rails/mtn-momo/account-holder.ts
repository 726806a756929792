import {
  type AccountHolder,
  holderNameOf,
  type OutboundAnswer,
  parseFields,
  type UnknownOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { reasonOf, shownReason } from './documents.ts'
import type { Product } from './product.ts'

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
