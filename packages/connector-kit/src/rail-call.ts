import { hasFields } from '@pesewa/values'
import type { UnknownOutcome } from './connector.ts'
import { NoAnswer, NotSent, type OutboundAnswer } from './outbound.ts'
import { tooLate, unknown } from './rail-responses.ts'
import { NoToken } from './rail-tokens.ts'

const unauthorized = new WeakSet<object>()

/**
 * Returns whether an outcome means that the rail rejected our credentials and therefore did nothing. This is
 * not part of the outcome itself, because it matters only to a caller that has another credential.
 */
export const isUnauthorized = (outcome: unknown): boolean => hasFields(outcome) && unauthorized.has(outcome)

const markUnauthorized = <T>(outcome: T): T => {
  if (hasFields(outcome)) unauthorized.add(outcome)
  return outcome
}

/**
 * Calls a rail and reads its response. If there is no response, the outcome is unknown.
 *
 * @param isRefusingUs returns whether a response shows that the rail did nothing because it rejected our
 * credentials
 */
export async function callRail<T>(
  send: () => Promise<OutboundAnswer>,
  read: (response: OutboundAnswer) => T,
  isRefusingUs = ({ status }: OutboundAnswer) => status === 401,
): Promise<T | UnknownOutcome> {
  try {
    const response = await send()
    const outcome = read(response)
    return isRefusingUs(response) ? markUnauthorized(outcome) : outcome
  } catch (error) {
    if (error instanceof NoToken)
      return markUnauthorized(unknown(`not sent because no token could be obtained: ${error.message}`))
    if (error instanceof NoAnswer) return unknown(error.message)
    if (error instanceof NotSent) return tooLate
    throw error
  }
}
