import { type Secrets, verifyWebhook } from '../webhooks.ts'
import { type OnEvent, type ReceiverOptions, receiverOf } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

/** What of Hono’s context is read. */
type HonoContext = { req: { raw: Request; text(): Promise<string> } }

/**
 * A handler of Hono: `app.post('/hook', honoWebhook(secret, onEvent))`.
 *
 * @param secrets of the webhook; several while one is rotated
 * @param onEvent what your program does with an event whose signature is right
 */
export function honoWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (context: HonoContext) => Promise<Response> {
  const receive = receiverOf(secrets, onEvent, options)
  return async ({ req }) => {
    // What a middleware has read already, Hono remembers as it came.
    const verify = async () =>
      req.raw.bodyUsed
        ? verifyWebhook(await req.text(), req.raw.headers, secrets)
        : verifyWebhook(req.raw, secrets)
    return new Response(null, { status: await receive(verify) })
  }
}
