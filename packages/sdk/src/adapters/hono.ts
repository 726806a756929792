import { type Secrets, verifyWebhook } from '../webhooks.ts'
import { createReceiver, type OnEvent, type ReceiverOptions } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

/** The parts of Hono's context that the handler uses. */
type HonoContext = { req: { raw: Request; text(): Promise<string> } }

/**
 * Returns a handler for Hono: `app.post('/hook', honoWebhook(secret, onEvent))`.
 *
 * @param secrets the webhook's secret, or several during a rotation
 * @param onEvent called with each verified event
 */
export function honoWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (context: HonoContext) => Promise<Response> {
  const receive = createReceiver(secrets, onEvent, options)
  return async ({ req }) => {
    // If middleware has already read the body, Hono still has the original text.
    const verify = async () =>
      req.raw.bodyUsed
        ? verifyWebhook(await req.text(), req.raw.headers, secrets)
        : verifyWebhook(req.raw, secrets)
    return new Response(null, { status: await receive(verify) })
  }
}
