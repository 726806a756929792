import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import type { Provider } from '../../rails/connections/provider.ts'
import { type CollectionRequest, findCollection } from '../engine/collection-store.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { RailError } from '../engine/rail-error.ts'
import { loseResponse, submitCollection } from '../engine/submitting.ts'
import { railRoute } from './access.ts'
import { pendingOf, railDocumentOf } from './documents.ts'
import { keyOf, readRequest, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for the collections of a simulated rail and their outcomes. */
export const collectionRoutes = (parts: SimulatorParts, variant: RestVariant): RawRoute[] => {
  const path = `${variant.noun}/:reference`
  return [
    railRoute(parts, variant, 'PUT', path, 'request a payment', (provider, request, reply) =>
      collect(parts, readRequest(variant, provider, request, parts.baseUrl), request, reply),
    ),
    railRoute(parts, variant, 'GET', path, 'query a payment', (provider, request) =>
      answerQuery(parts, provider, request),
    ),
  ]
}

async function collect(
  parts: SimulatorParts,
  collection: CollectionRequest,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const result = await submitCollection(parts, collection)
  if (result === 'fail') throw new RailError(500, 'internal_error')
  if (result === 'drop') return loseResponse(request, reply)
  if (result === 'again') refuseUnlessSame(await findCollection(parts.db, collection), collection, 'payer')
  return reply.code(202).send(pendingOf(collection, pageUrl(parts, collection)))
}

async function answerQuery(
  parts: SimulatorParts,
  provider: Provider,
  request: FastifyRequest,
): Promise<object> {
  const collection = await findCollection(parts.db, keyOf(provider, request))
  if (!collection) throw new RailError(404, 'not_found')
  return railDocumentOf(collection, pageUrl(parts, collection))
}

/**
 * Returns the URL of a collection's page, or `undefined` if it has none. Anyone who knows the reference can use
 * the page.
 */
function pageUrl({ baseUrl }: SimulatorParts, collection: CollectionRequest): string | undefined {
  if (collection.returnUrl === null) return undefined
  return `${baseUrl}/simulator/${collection.protocol}/${collection.providerId}/pages/${collection.reference}`
}
