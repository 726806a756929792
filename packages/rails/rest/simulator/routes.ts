import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  loseResponse,
  RailError,
  type RailRoute,
  type SimulatorParts,
  submitCollection,
} from '@pesewa/connector-kit/simulator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { railRoute } from './access.ts'
import { pendingOf, railDocumentOf } from './documents.ts'
import { keyOf, readRequest, refuseUnlessSame } from './request.ts'
import type { RestVariant } from './variant.ts'

/** Routes for the collections of a simulated rail and their outcomes. */
export const collectionRoutes = (parts: SimulatorParts, variant: RestVariant): RailRoute[] => {
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
  if (result === 'again') refuseUnlessSame(await parts.store.findCollection(collection), collection, 'payer')
  return reply.code(202).send(pendingOf(collection, pageUrl(parts, collection)))
}

async function answerQuery(
  parts: SimulatorParts,
  provider: Provider,
  request: FastifyRequest,
): Promise<object> {
  const collection = await parts.store.findCollection(keyOf(provider, request))
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
