import { type Secrets, verifyWebhook } from '../webhooks.ts'
import { type OnEvent, type ReceiverOptions, receiverOf } from './receiver.ts'

export type { OnEvent, ReceiverOptions } from './receiver.ts'

/**
 * An endpoint for whatever speaks with `Request` and `Response`: Workers, Deno, Bun, Remix, SvelteKit.
 *
 * @param secrets of the webhook; several while one is rotated
 * @param onEvent what your program does with an event whose signature is right
 */
export function fetchWebhook(
  secrets: Secrets,
  onEvent: OnEvent,
  options?: ReceiverOptions,
): (request: Request) => Promise<Response> {
  const receive = receiverOf(secrets, onEvent, options)
  return async (request) =>
    new Response(null, { status: await receive(() => verifyWebhook(request, secrets)) })
}
