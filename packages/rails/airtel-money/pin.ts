import { failures, type SubmitOutcome } from '@pesewa/connector-kit'

/**
 * Prevents payouts from locking the PIN, which happens after several attempts with a wrong PIN. Payouts are
 * sent one at a time until one is accepted. Once the PIN has been rejected, no more are sent until the
 * connection is reopened.
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
    /**
     * Returns how many payouts may be sent now. The others wait and are not submitted yet, because a delay is
     * still harmless at that point.
     */
    atOnce: () => (isRight ? Number.POSITIVE_INFINITY : 1),
    async submit(submit: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
      while (trying && !isRight) await trying
      if (isWrong) return { outcome: 'refused', ...failures.payoutsRefused }
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
