import { hasFields } from '../platform/fields.ts'
import { NoAnswer, NotSent, type OutboundAnswer } from '../platform/outbound/outbound.ts'
import type { UnknownOutcome } from './connector.ts'
import { tooLate, unknown } from './rail-responses.ts'
import { NoToken } from './rail-tokens.ts'

const unauthorized = new WeakSet<object>()

/**
 * Whether the rail did not know our credentials, and so did nothing. Kept beside the outcome: it concerns only whoever has
 * another credential.
 */
export const isUnauthorized = (outcome: unknown): boolean => hasFields(outcome) && unauthorized.has(outcome)

const marked = <T>(outcome: T): T => {
  if (hasFields(outcome)) unauthorized.add(outcome)
  return outcome
}

/**
 * Sends to a rail and reads its response; where there is none, nobody knows what the rail did.
 *
 * @param isRefusingUs whether a response says that the rail did nothing, because it does not know our credentials
 */
export async function callRail<T>(
  send: () => Promise<OutboundAnswer>,
  read: (response: OutboundAnswer) => T,
  isRefusingUs = ({ status }: OutboundAnswer) => status === 401,
): Promise<T | UnknownOutcome> {
  try {
    const response = await send()
    const outcome = read(response)
    return isRefusingUs(response) ? marked(outcome) : outcome
  } catch (error) {
    if (error instanceof NoToken) return marked(unknown(`not sent, there is no token: ${error.message}`))
    if (error instanceof NoAnswer) return unknown(error.message)
    if (error instanceof NotSent) return tooLate
    throw error
  }
}
