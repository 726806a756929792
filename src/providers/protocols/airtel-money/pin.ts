import type { SubmitOutcome } from '../../connector.ts'
import { failure } from '../../failures.ts'

/** Whatever the rail says of the PIN, as the outcome of what could not be paid out. */
const pinRefused = failure('rejected', 'The provider does not let this service pay out now.')

/**
 * Several wrong tries lock a PIN. Payouts leave one at a time until one has been accepted, and none leaves once the PIN
 * has been refused, until the connection is opened anew.
 */
export function guardPin() {
  let [isRight, isWrong] = [false, false]
  let trying: Promise<unknown> | undefined
  const send = async (submit: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> => {
    const result = await submit()
    isRight ||= result.outcome === 'accepted'
    isWrong ||= result.outcome === 'refused' && result.alert !== undefined
    return result
  }
  return {
    /** How many may leave now: the others wait before they are submitted, where they lose no time. */
    atOnce: () => (isRight ? Number.POSITIVE_INFINITY : 1),
    async submit(submit: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
      while (trying && !isRight) await trying
      if (isWrong) return { outcome: 'refused', ...pinRefused }
      const sent = send(submit)
      if (!isRight)
        trying = sent
          .catch(() => {})
          .finally(() => {
            trying = undefined
          })
      return sent
    },
  }
}
