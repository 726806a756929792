import { must } from '@pesewa/values'
import { PromptLimitReached } from '../../money/payments/prompts.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Claim, OpenClaims } from '../../platform/http/commands/claims.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { type PayingParts, paySessions } from '../checkout/paying.ts'
import { findAllowedMomo } from '../checkout/payment-options.ts'
import { isPast } from '../checkout/sessions.ts'
import { type CheckoutSession, lockSessions } from '../checkout/store.ts'
import type { Confirmation, Refused } from './paying.ts'
import { insertCode, type PaymentCode, selectSessionCode } from './store.ts'

// Codes with which checkout sessions are paid by dialling. The payment is an attempt of the session, under the
// session's lock, so a code has neither payments nor a status of its own. See docs/decisions/0239-dial-instead.md.

/**
 * Returns the code of a session, which is created if there is none. A session has one code, no matter how often
 * this is called. Its number is derived from the session, so that the payer's code is still valid if it was lost in a
 * restore and the page creates it again.
 *
 * @throws Refusal `state_conflict` if the session can no longer be paid
 */
export async function openSessionCode(
  parts: Pick<Platform, 'db'> & { catalogue: Catalogue },
  claims: OpenClaims,
  scope: Scope,
  sessionId: string,
  at: Date,
): Promise<PaymentCode> {
  const known = await selectSessionCode(parts.db, scope, sessionId)
  if (known) return known
  const claimant = { scope, idempotencyKey: sessionId, now: at }
  const [claim] = await claims.claimEach([claimant])
  return parts.db.transaction((tx) =>
    createSessionCode(tx, parts.catalogue, scope, sessionId, { ...must(claim, 'number of a session'), at }),
  )
}

async function createSessionCode(
  tx: Tx,
  catalogue: Catalogue,
  scope: Scope,
  sessionId: string,
  { id, text: number, at }: Claim & { at: Date },
): Promise<PaymentCode> {
  // A concurrent call waits here, and then finds the code.
  const [session] = await lockSessions(tx, [{ scope, id: sessionId }])
  if (session?.status !== 'pending' || isPast(session, at)) throw new Refusal('state_conflict')
  const known = await selectSessionCode(tx, scope, sessionId)
  if (known) return known
  const code = buildCode(catalogue, session, { id, number, at })
  await insertCode(tx, scope, code)
  // No event seals the code, because it is not a resource of the API.
  await markChanging(tx, 'payment_code', sql`payment_codes`, [{ id, scope }])
  return code
}

/** Returns the code of a session. A provider that the session does not allow cannot pay the code either. */
const buildCode = (
  catalogue: Catalogue,
  session: CheckoutSession,
  { id, number, at }: { id: string; number: string; at: Date },
): PaymentCode => ({
  id,
  number,
  mode: 'one_time',
  status: 'pending',
  name: session.name,
  amount: session.amount,
  currency: session.currency,
  enabled: true,
  customerName: null,
  reference: null,
  authorizedProviders: findAllowedMomo(catalogue, session),
  authorizedPhoneNumber: null,
  expectedCount: null,
  expectedTotal: null,
  financialAccountId: session.financialAccountId,
  paidCount: 0,
  paidTotal: 0n,
  failedCount: 0,
  processed: null,
  metadata: {},
  idempotencyKey: null,
  checkoutSessionId: session.id,
  expiresAt: session.expiresAt,
  createdAt: at,
  updatedAt: at,
})

/**
 * Starts payments of the sessions whose codes payers have dialled, all in one environment, and returns why the
 * others could not be started. The payer cannot see whether a payment is in flight for the session. If there is one,
 * this is another attempt, as if the payer had used another number.
 */
export async function paySessionCodes(
  tx: Tx,
  parts: PayingParts,
  confirmations: (Confirmation & { sessionId: string })[],
): Promise<(Refused | undefined)[]> {
  const outcomes = await paySessions(
    tx,
    parts,
    confirmations.map(({ scope, sessionId, payer: { phoneNumber, providerId }, at }) => ({
      scope,
      sessionId,
      payer: { type: 'momo', providerId, account: phoneNumber },
      // All phones dial through the IP addresses of the aggregator, so the number identifies the payer.
      address: phoneNumber,
      isDialled: true,
      at,
    })),
  )
  return outcomes.map((outcome) => ('error' in outcome ? refusedBy(outcome.error) : undefined))
}

/** Returns the reason for the phone. A payer who dials again after `busy` sees that the session has ended, if it has. */
function refusedBy(error: unknown): Refused {
  if (error instanceof PromptLimitReached) return { retryAfterMs: error.waitMs }
  if (error instanceof Refusal) return 'busy'
  throw error
}
