import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Encoding, encodingOf, packNow } from './compression.ts'

/** Sends one text; what the reply has of headers stays, and `vary` names what else decides about it. */
export type SendText = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** A text that stays as it is while the program runs: packed when it is first asked for, and not sent again to whoever has it. */
export function openUnchanging(
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
    if (!packed.has(encoding)) packed.set(encoding, packNow[encoding](text))
    return reply.header('content-encoding', encoding).send(await packed.get(encoding))
  }
}

const hasTag = (ifNoneMatch: string | undefined, tag: string) =>
  ifNoneMatch?.split(',').some((each) => ['*', tag, tag.slice(2)].includes(each.trim())) ?? false
