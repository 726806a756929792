import type { WebhookEvent } from './generated/types.ts'
import { verifyWebhook, WebhookVerificationError } from './webhooks.ts'

/**
 * What becomes of an event whose signature is right. The service is answered when it returns, within 15 seconds: with 204, or with 500
 * where it throws, and then the event comes again. It may come twice anyway: remember its id.
 */
export type OnEvent = (event: WebhookEvent) => unknown

/** 204, 400 for what the service did not sign, 500 for what went wrong with an event. A mistake of the caller's own is thrown. */
async function receive(
  verify: () => Promise<WebhookEvent>,
  onEvent: OnEvent,
  onError: (error: unknown) => void,
): Promise<number> {
  let event: WebhookEvent
  try {
    event = await verify()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 400
    throw error
  }
  try {
    await onEvent(event)
    return 204
  } catch (error) {
    onError(error)
    return 500
  }
}

type Secrets = string | string[]
type Options = {
  /** What `onEvent` threw; to the console where this is left out. */
  onError?: (error: unknown) => void
}

const print = (error: unknown): void => console.error(error)

/**
 * For whatever speaks with `Request` and `Response`: Next.js (`export const POST = fetchWebhook(…)`), Hono
 * (`app.post('/hook', (c) => handle(c.req.raw))`), Workers, Deno, Bun.
 */
export const fetchWebhook =
  (secrets: Secrets, onEvent: OnEvent, { onError = print }: Options = {}) =>
  async (request: Request): Promise<Response> =>
    new Response(null, { status: await receive(() => verifyWebhook(request, secrets), onEvent, onError) })

type NodeRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>
  /** Of frameworks that have read it already. */
  body?: unknown
}
type NodeResponse = { statusCode: number; end(): unknown }

/** For Express, and for the server of Node itself. Before `express.json()`: what that has parsed cannot be checked any more. */
export const expressWebhook =
  (secrets: Secrets, onEvent: OnEvent, { onError = print }: Options = {}) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const verify = async () =>
      verifyWebhook((request.body ?? (await bytesOf(request))) as Uint8Array, request.headers, secrets)
    response.statusCode = await receive(verify, onEvent, onError)
    response.end()
  }

const maxBytes = 1_048_576

/** More than any event has is not read to its end. */
async function bytesOf(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) throw new WebhookVerificationError('The body of the webhook is too large.')
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

type FastifyLike = {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parser: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { headers: NodeRequest['headers']; body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown
}

/** For Fastify: `app.register(fastifyWebhook(…), { prefix: '/hook' })`. Other routes go on reading JSON as they did. */
export const fastifyWebhook =
  (secrets: Secrets, onEvent: OnEvent, { onError = print }: Options = {}) =>
  async (app: FastifyLike): Promise<void> => {
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/', async ({ headers, body }, reply) =>
      reply
        .code(await receive(() => verifyWebhook(body as Uint8Array, headers, secrets), onEvent, onError))
        .send(),
    )
  }
