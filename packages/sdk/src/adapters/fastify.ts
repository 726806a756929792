import { type Secrets, verifyWebhook } from '../webhooks.ts'
import { createReceiver, type OnEvent, type ReceiverOptions } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

/** The parts of Fastify that the plugin uses. */
type FastifyLike = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { headers: Record<string, string | string[] | undefined>; body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/**
 * Returns a Fastify plugin: `app.register(fastifyWebhook(secret, onEvent), { prefix: '/hook' })`. Other routes
 * still parse JSON.
 *
 * @param secrets the webhook's secret, or several during a rotation
 * @param onEvent called with each verified event
 */
export function fastifyWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (app: FastifyLike) => Promise<void> {
  const receive = createReceiver(secrets, onEvent, options)
  return async (app) => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/', async ({ headers, body }, reply) =>
      reply.code(await receive(() => verifyWebhook(body as Uint8Array, headers, secrets))).send(),
    )
  }
}
