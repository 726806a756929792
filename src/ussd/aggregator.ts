import type { Reply } from './session-store.ts'
import type { Step } from './step.ts'

/** The protocol of a company that connects us to the networks. Another one is a file like `africastalking.ts`. */
export type Aggregator = {
  /** Stands in its address here: `/ussd/<name>/…`. */
  name: string
  /** The type of its requests' bodies; those of another are refused. */
  bodyType: string
  /**
   * One step, from the fields of its request's body; `notice` when it only reports a session's end; `undefined` when it is
   * nothing that it would send. `phoneNumber` as it was sent, with its country's code.
   */
  read(
    form: Record<string, string>,
    shortCode: string,
  ): Omit<Step, 'environment' | 'aggregator'> | 'notice' | undefined
  /** Our reply, in its form. */
  show(reply: Reply): { contentType: string; body: string }
}
