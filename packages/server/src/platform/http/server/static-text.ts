import { createHash } from 'node:crypto'
import type { Encoding } from '@pesewa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressOnTheFly, encodingOf } from './compression.ts'

/**
 * Sends a fixed text and keeps the headers that have already been set on the reply. `vary` lists the request
 * headers that the response depends on.
 */
export type SendText = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Returns a function that sends a text that never changes while the program is running. The text is compressed
 * on first use, and clients that already have it receive a 304.
 */
export function serveStaticText(
  text: string,
  type: string,
  vary = 'accept-encoding',
  cacheControl = 'no-cache',
): SendText {
  const tag = `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  const packed = new Map<Encoding, Promise<Buffer>>()
  return async (request, reply) => {
    reply.headers({ etag: tag, 'cache-control': cacheControl, vary })
    if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
    reply.type(type)
    const encoding = encodingOf(request.headers['accept-encoding'])
    if (!encoding) return reply.send(text)
    if (!packed.has(encoding)) packed.set(encoding, compressOnTheFly[encoding](text))
    return reply.header('content-encoding', encoding).send(await packed.get(encoding))
  }
}

const hasTag = (ifNoneMatch: string | undefined, tag: string) =>
  ifNoneMatch?.split(',').some((each) => ['*', tag, tag.slice(2)].includes(each.trim())) ?? false
