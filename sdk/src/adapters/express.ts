import { readBytes, type Secrets, verifyWebhook } from '../webhooks.ts'
import { type OnEvent, type ReceiverOptions, receiverOf } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

type NodeRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>
  /** Of frameworks that have read it already. */
  body?: unknown
}
type NodeResponse = { statusCode: number; end(): unknown }

/**
 * A handler of Express, and of the server of Node itself: `app.post('/hook', expressWebhook(secret, onEvent))`, before
 * `app.use(express.json())`: what that has parsed cannot be checked any more.
 *
 * @param secrets of the webhook; several while one is rotated
 * @param onEvent what your program does with an event whose signature is right
 */
export function expressWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = receiverOf(secrets, onEvent, options)
  return async (request, response) => {
    response.statusCode = await receive(async () => {
      const body = request.body ?? (await readBytes(request))
      // What it is, is checked there.
      return verifyWebhook(body as Uint8Array, request.headers, secrets)
    })
    response.end()
  }
}
