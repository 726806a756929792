import { readBytes, type Secrets, verifyWebhook } from '../webhooks.ts'
import { createReceiver, type OnEvent, type ReceiverOptions } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

type NodeRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>
  /** The body, if the framework has already read it. */
  body?: unknown
}
type NodeResponse = { statusCode: number; end(): unknown }

/**
 * Returns a handler for Express and the Node HTTP server: `app.post('/hook', expressWebhook(secret, onEvent))`.
 * Register it before `app.use(express.json())`, because a parsed body can no longer be verified.
 *
 * @param secrets the webhook's secret, or several during a rotation
 * @param onEvent called with each verified event
 */
export function expressWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = createReceiver(secrets, onEvent, options)
  return async (request, response) => {
    response.statusCode = await receive(async () => {
      const body = request.body ?? (await readBytes(request))
      // Safe: verifyWebhook checks the type at run time.
      return verifyWebhook(body as Uint8Array, request.headers, secrets)
    })
    response.end()
  }
}
