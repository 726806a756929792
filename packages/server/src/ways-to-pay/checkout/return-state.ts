import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { pageUrl } from './page-key.ts'

const purpose = 'payer return'

type Named = { scope: Scope; sessionId: string; paymentId: string }

/**
 * Returns the URL to which the provider's page sends the payer back. Its `state` is authenticated, and is valid
 * only for one payment of one session.
 */
export const returnUrl = (parts: { baseUrl: string; seals: Seals }, named: Named) =>
  `${pageUrl(parts, named.scope, named.sessionId)}/return?state=${parts.seals.seal(purpose, bound(named, named.paymentId))}`

/** Returns the payment that a state identifies, if the state was issued for this session. */
export function readReturnState(
  seals: Seals,
  scope: Scope,
  sessionId: string,
  state: unknown,
): string | undefined {
  const opened = typeof state === 'string' ? seals.open(purpose, state) : undefined
  const paymentId = opened?.split(' ').at(-1)
  return paymentId && opened === bound({ scope, sessionId }, paymentId) ? paymentId : undefined
}

const bound = ({ scope, sessionId }: Omit<Named, 'paymentId'>, paymentId: string) =>
  [scope.environment, scope.spaceId, sessionId, paymentId].join(' ')
