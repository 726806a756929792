import type { SubmitOutcome } from '../../connector.ts'
import { failure } from '../../failures.ts'

/** The failure of payouts that are not sent because the PIN was rejected. */
const pinRefused = failure('rejected', 'The provider is not accepting payouts from this service.')

/**
 * Several wrong attempts lock a PIN. Payouts are therefore sent one at a time until one is accepted; once the
 * PIN is rejected, none are sent until the connection is reopened.
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
    /** How many payouts may be sent now. The others wait before they are submitted, when waiting costs nothing. */
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
