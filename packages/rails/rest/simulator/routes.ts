import {
  type CollectionRequest,
  RailError,
  type RailRoute,
  type SimulatorParts,
  submitCollection,
} from '@pesewa/connector-kit/simulator'
import { restRoutes } from './access.ts'
import { pendingOf, railDocumentOf } from './documents.ts'
import { keyOf, readRequest, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for the collections of a simulated rail and their outcomes. */
export function collectionRoutes(parts: SimulatorParts, variant: RestVariant): RailRoute[] {
  const route = restRoutes(parts, variant)
  const path = `/${variant.noun}/:reference`
  return [
    route('PUT', path, 'request a payment', async (provider, request, reply) => {
      const collection = readRequest(variant, provider, request, parts.baseUrl)
      if ((await submitCollection(parts, collection)) === 'again') {
        const { amount, currency, payer } = collection
        refuseUnlessSame(await parts.store.findCollection(collection), { amount, currency, payer })
      }
      return reply.code(202).send(pendingOf(collection, pageUrl(parts, collection)))
    }),
    route('GET', path, 'query a payment', async (provider, request) => {
      const collection = await parts.store.findCollection(keyOf(provider, request))
      if (!collection) throw new RailError(404, 'not_found')
      return railDocumentOf(collection, pageUrl(parts, collection))
    }),
  ]
}

/**
 * Returns the URL of a collection's page, or `undefined` if it has none. Anyone who knows the reference can use
 * the page.
 */
function pageUrl({ baseUrl }: SimulatorParts, collection: CollectionRequest): string | undefined {
  if (collection.returnUrl === null) return undefined
  return `${baseUrl}/simulator/${collection.protocol}/${collection.providerId}/pages/${collection.reference}`
}
