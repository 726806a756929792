import type { Reply } from './session-store.ts'
import type { Step } from './step.ts'

/**
 * What a company that connects us to the networks speaks: all that is its own. Another one is a file like
 * `africastalking.ts`, and a line in `gateway.ts`.
 */
export type Aggregator = {
  /** The part of our address that is told to it: `/ussd/<name>/…`. */
  name: string
  /** The type of its requests' bodies; those of another are refused. */
  bodyType: string
  /**
   * One step, from the fields of its request's body; `notice` when it only tells of a session's end; `undefined` when it is
   * nothing that it would send. `phoneNumber` as it was sent, with its country's code.
   */
  read(form: Record<string, string>, shortCode: string): ReadStep | 'notice' | undefined
  /** Our answer, in its form. */
  show(reply: Reply): { contentType: string; body: string }
}

export type ReadStep = Omit<Step, 'environment' | 'aggregator'>
