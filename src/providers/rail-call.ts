import { NoAnswer, NotSent, type OutboundAnswer } from '../platform/outbound/outbound.ts'
import type { UnknownOutcome } from './connector.ts'
import { tooLate, unknown } from './rail-responses.ts'
import { NoToken } from './rail-tokens.ts'

/** Sends to a rail and reads its response; where there is none, nobody knows what the rail did. */
export async function callRail<T>(
  send: () => Promise<OutboundAnswer>,
  read: (response: OutboundAnswer) => T,
): Promise<T | UnknownOutcome> {
  try {
    return read(await send())
  } catch (error) {
    if (error instanceof NoToken) return unknown(`not sent, there is no token: ${error.message}`)
    if (error instanceof NoAnswer) return unknown(error.message)
    if (error instanceof NotSent) return tooLate
    throw error
  }
}
