import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { Issues, Refusal } from '../../refusals.ts'
import { envelope } from '../commands/idempotency.ts'
import type { Documentation, RawRoute } from '../commands/route.ts'
import { Checker } from '../shapes/validation.ts'
import { checkOrigin } from './credentials.ts'

type OpenRoute<B extends TSchema, R extends TSchema> = Documentation & {
  url: string
  /** Example of the body for the reference, as in `Writing`. */
  example?: object
  body: B
  result: R
  /** `browser` contains the origin of the request and the reply, whose headers and cookies can be set. */
  write(body: Static<B>, browser: Browser): Promise<Static<R>>
}

export type Browser = { address: string; agent: string; request: FastifyRequest; reply: FastifyReply }

/**
 * Returns a route like a POST of the API, for callers who have not signed in yet. It requires no token or
 * idempotency key, and only our own pages can call it.
 */
export function openRoute<B extends TSchema, R extends TSchema>(
  baseUrl: string,
  { url, body, result, write, ...documentation }: OpenRoute<B, R>,
): RawRoute {
  const checker = new Checker(body)
  return {
    kind: 'raw',
    method: 'POST',
    url,
    ...documentation,
    body,
    result,
    admit: (request) => {
      checkOrigin(request, baseUrl)
      if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
        throw new Refusal('media_type_unsupported')
    },
    async handle(request, reply) {
      const issues = new Issues()
      // The validation guarantees that the body has this type.
      const checked = checker.checkBody(request.body ?? {}, issues, 'POST') as Static<B>
      issues.refuse()
      const agent = String(request.headers['user-agent'] ?? '')
      const shown = await write(checked, { address: request.ip, agent, request, reply })
      return reply.type('application/json; charset=utf-8').send(envelope(JSON.stringify(shown)))
    },
  }
}
