import type { WebhookEvent } from '../generated/types.ts'
import { checkSecrets, type Secrets, WebhookVerificationError } from '../webhooks.ts'

/**
 * A function that handles a verified event. It must finish within 15 seconds. If it returns, the response is
 * 204. If it throws, the response is 500, and the service delivers the event again. Any event can be delivered
 * more than once, so store the IDs of the events that you have handled.
 */
export type OnEvent = (event: WebhookEvent) => unknown

export type ReceiverOptions = {
  /**
   * Called with errors thrown by `onEvent`, and with an error if the body was parsed before its signature could
   * be verified. Defaults to `console.error`. Not called for requests with an invalid signature, because anyone
   * can send them.
   */
  onError?: (error: unknown) => void
}

/**
 * Resolves to the response status: 204 if the event was handled, 400 if its signature is invalid, 500 for any
 * other error.
 */
export type Receive = (verify: () => Promise<WebhookEvent>) => Promise<number>

/** Returns the function that verifies a request and passes its event to `onEvent`. All adapters use it. */
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
