import type { WebhookEvent } from '../generated/types.ts'
import { checkSecrets, type Secrets, WebhookVerificationError } from '../webhooks.ts'

/**
 * Handles a verified event. Must finish within 15 seconds. The response is 204 when it returns, or 500 if it
 * throws, in which case the event is sent again. Events can also arrive twice for other reasons, so remember
 * their ids.
 */
export type OnEvent = (event: WebhookEvent) => unknown

export type ReceiverOptions = {
  /**
   * Called with errors: those thrown by `onEvent`, and bodies that were parsed too early. Defaults to
   * `console.error`. Requests with an invalid signature are refused and not reported, because anyone can send
   * them.
   */
  onError?: (error: unknown) => void
}

/** Returns the response status: 204, 400 for an invalid signature, 500 for an error. */
export type Receive = (verify: () => Promise<WebhookEvent>) => Promise<number>

/** Returns the logic shared by all adapters. */
export function createReceiver(
  secrets: Secrets,
  onEvent: OnEvent,
  { onError = print }: ReceiverOptions = {},
): Receive {
  // Fails at start-up instead of at the first event.
  checkSecrets(secrets)
  return async (verify) => {
    let isVerified = false
    try {
      const event = await verify()
      isVerified = true
      await onEvent(event)
      return 204
    } catch (error) {
      if (!isVerified && error instanceof WebhookVerificationError) return 400
      onError(error)
      return 500
    }
  }
}

const print = (error: unknown): void => console.error(error)
