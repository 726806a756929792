import type { Asset } from '@pesewa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RawRoute } from '../http/commands/route.ts'
import { encodingOf } from '../http/server/compression.ts'

/** Returns the route that serves an asset. */
export const assetRoute = (asset: Asset, summary: string): RawRoute => ({
  kind: 'raw',
  method: 'GET',
  url: asset.path,
  summary,
  handle: (request, reply) => sendAsset(asset, request, reply),
})

function sendAsset({ type, body, packed }: Asset, request: FastifyRequest, reply: FastifyReply) {
  const encoding = encodingOf(request.headers['accept-encoding'])
  if (encoding) reply.header('content-encoding', encoding)
  return reply
    .headers({
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    .type(type)
    .send(encoding ? packed[encoding] : body)
}
