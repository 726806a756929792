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
  let previous: Promise<unknown> = Promise.resolve()
  const send = async (submit: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> => {
    if (isWrong) return { outcome: 'refused', ...pinRefused }
    const result = await submit()
    isRight ||= result.outcome === 'accepted'
    isWrong ||= result.outcome === 'refused' && result.alert !== undefined
    return result
  }
  return (submit: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> => {
    if (isRight) return send(submit)
    const result = previous.then(() => send(submit))
    previous = result.catch(() => {})
    return result
  }
}
