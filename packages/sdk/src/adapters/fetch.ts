import { type Secrets, verifyWebhook } from '../webhooks.ts'
import { createReceiver, type OnEvent, type ReceiverOptions } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

/**
 * Returns a handler for runtimes that use `Request` and `Response`: Workers, Deno, Bun, Remix, SvelteKit.
 *
 * @param secrets the webhook's secret, or several during a rotation
 * @param onEvent called with each verified event
 */
export function fetchWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (request: Request) => Promise<Response> {
  const receive = createReceiver(secrets, onEvent, options)
  return async (request) =>
    new Response(null, { status: await receive(() => verifyWebhook(request, secrets)) })
}
