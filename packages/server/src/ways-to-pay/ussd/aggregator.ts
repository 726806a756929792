import type { Reply } from './session-store.ts'
import type { Step } from './step.ts'

/**
 * Protocol of an aggregator that connects us to the mobile networks. To support another aggregator, add a file
 * like `africastalking.ts`.
 */
export type Aggregator = {
  /** Name used in the aggregator's URL, `/ussd/<name>/…`. */
  name: string
  /** Content type of the aggregator's requests. Requests with any other content type are refused. */
  bodyType: string
  /**
   * Reads one step from the fields of a request body. Returns `notice` if the request only reports the end of a
   * session, and `undefined` if the aggregator would never send such a request. `phoneNumber` is returned as
   * sent, with its country code.
   */
  read(
    form: Record<string, string>,
    shortCode: string,
  ): Omit<Step, 'environment' | 'aggregator'> | 'notice' | undefined
  /** Formats our reply for the aggregator. */
  formatReply(reply: Reply): { contentType: string; body: string }
}
