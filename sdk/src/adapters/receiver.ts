import type { WebhookEvent } from '../generated/types.ts'
import { checkSecrets, type Secrets, WebhookVerificationError } from '../webhooks.ts'

/**
 * What becomes of an event whose signature is right. The service is answered when it returns, within 15 seconds: with 204, or with 500
 * where it throws, and then the event comes again. It may come twice anyway: remember its id.
 */
export type OnEvent = (event: WebhookEvent) => unknown

export type ReceiverOptions = {
  /**
   * What went wrong while an event was handled: what `onEvent` threw, or a body that was parsed before. To the console where this is left
   * out. What the service did not sign is refused and not reported: anybody can send that.
   */
  onError?: (error: unknown) => void
}

/** Returns the status of the response: 204, 400 for what the service did not sign, 500 for what went wrong. */
export type Receive = (verify: () => Promise<WebhookEvent>) => Promise<number>

/** What all adapters have in common. */
export function receiverOf(
  secrets: Secrets,
  onEvent: OnEvent,
  { onError = print }: ReceiverOptions = {},
): Receive {
  // When the program starts, and not when the first event comes.
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
