import { type ProbeStep, probeMissing, type RailMessage } from '@pesewa/connector-kit'
import type { Product } from './product.ts'
import { missingOr } from './responses.ts'

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
