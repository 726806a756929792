import type { WebhookEvent } from '../generated/types.ts'
import { checkSecrets, type Secrets, WebhookVerificationError } from '../webhooks.ts'

/**
 * Handles a verified event. It must finish within 15 seconds. The response is 204 when it returns. If it
 * throws, the response is 500, and the event is sent again. An event can also arrive twice for other reasons,
 * so store the ids of the events that you have handled.
 */
export type OnEvent = (event: WebhookEvent) => unknown

export type ReceiverOptions = {
  /**
   * Called with errors thrown by `onEvent`, and with an error if the body was parsed too early. Defaults to
   * `console.error`. Requests with an invalid signature are refused without a report, because anyone can send
   * them.
   */
  onError?: (error: unknown) => void
}

/** Returns the response status: 204, or 400 for an invalid signature, or 500 for an error. */
export type Receive = (verify: () => Promise<WebhookEvent>) => Promise<number>

/** Returns the function that all adapters share: it verifies an event and handles it. */
export function createReceiver(
  secrets: Secrets,
  onEvent: OnEvent,
  { onError = print }: ReceiverOptions = {},
): Receive {
  // Fails at start-up instead of when the first event arrives.
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
