import {
  findAttemptsOfEach,
  isOpen,
  type Payment,
  type PaymentStart,
  startPayments,
} from '../payments/payments.ts'
import { openPromptBudget, PhoneAskedOften, type PromptBudget } from '../payments/prompts.ts'
import { createBatches, laneOf, type Outcome } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Settings } from '../platform/config.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import { returnUrl } from './return-state.ts'
import { type Attempt, isPast, maxAttempts, type Session, type SessionParts } from './sessions.ts'
import { lockSessions } from './store.ts'

type PayingParts = Pick<SessionParts, 'baseUrl' | 'seals'> & { settings: Settings }

/** A payer asks to pay a session. */
export type WantedPayment = { sessionId: string; attempt: Attempt }

/**
 * Starts a payment. Refuses unless the session is pending, in time, and no other attempt is in flight.
 *
 * @throws PhoneAskedOften when the payer's phone is asked too often
 */
export type Paying = (scope: Scope, wanted: WantedPayment) => Promise<void>

/** Payers of one Space who ask at the same time share a transaction. */
export function createPaying(parts: Platform): Paying {
  const sizes = parts.metrics.batchSizes.labels({ command: '/pay/:key' })
  const batches = createBatches<WantedPayment & { scope: Scope }, void>({
    run: (all) => {
      const { scope } = all[0]!
      return parts.db.transaction((tx) => paySessions(tx, parts, scope, all, parts.clock.now(scope)))
    },
    observe: (size) => sizes.observe(size),
  })
  return (scope, wanted) => batches.submit(laneOf(scope), { scope, ...wanted })
}

/** Of those of one session the first that may pay does; who it was is decided by the lock on the session's row. */
async function paySessions(
  tx: Tx,
  parts: PayingParts,
  scope: Scope,
  wanted: WantedPayment[],
  at: Date,
): Promise<Outcome<void>[]> {
  const ids = [...new Set(wanted.map(({ sessionId }) => sessionId))]
  const sessions = new Map((await lockSessions(tx, scope, ids)).map((session) => [session.id, session]))
  const attempts = await findAttemptsOfEach(tx, scope, ids, maxAttempts)
  const refusals = new Map(
    ids.map((id) => [id, refusalOf(sessions.get(id), attempts.get(id) ?? [], at)] as const),
  )
  const phones = wanted.flatMap(({ sessionId, attempt }) =>
    refusals.get(sessionId) ? [] : (phoneOf(attempt) ?? []),
  )
  const prompts = await openPromptBudget(tx, parts.settings, scope, phones)
  const starts: PaymentStart[] = []
  const outcomes = wanted.map(({ sessionId, attempt }): Outcome<void> => {
    const error = refusals.get(sessionId) ?? askedOften(prompts, attempt)
    if (error) return { error }
    refusals.set(sessionId, new Refusal('state_conflict'))
    starts.push(startOf(parts, scope, sessions.get(sessionId)!, attempt))
    return { answer: undefined }
  })
  await prompts.save()
  if (starts.length > 0)
    await startPayments(tx, parts.seals, scope, starts, at).catch((error) => refuseOne(error, wanted))
  return outcomes
}

/** One of them, or the refusal. */
export async function paySession(
  tx: Tx,
  parts: PayingParts,
  scope: Scope,
  wanted: WantedPayment,
  at: Date,
): Promise<void> {
  const [outcome] = await paySessions(tx, parts, scope, [wanted], at)
  if ('error' in outcome!) throw outcome.error
}

/** Many are tried again one by one: only one of them may be meant. */
function refuseOne(error: unknown, wanted: WantedPayment[]): never {
  if (wanted.length > 1 && error instanceof Refusal && error.reason === 'state_conflict')
    throw new Error('one of these sessions has another payment under way')
  throw error
}

function refusalOf(session: Session | undefined, attempts: Payment[], at: Date): Refusal | undefined {
  if (!session) return new Refusal('not_found')
  if (session.status !== 'pending' || isPast(session, at) || attempts.some(isOpen))
    return new Refusal('state_conflict')
  return attempts.length >= maxAttempts ? new Refusal('too_many_requests') : undefined
}

const phoneOf = ({ type, account }: Attempt): string | undefined =>
  type === 'momo' && account !== null ? account : undefined

function askedOften(prompts: PromptBudget, attempt: Attempt): PhoneAskedOften | undefined {
  const phone = phoneOf(attempt)
  const waitMs = phone === undefined ? undefined : prompts.take(phone)
  return waitMs === undefined ? undefined : new PhoneAskedOften(waitMs)
}

const startOf = (parts: PayingParts, scope: Scope, session: Session, attempt: Attempt): PaymentStart => ({
  origin: { type: 'checkout_session', id: session.id, metadata: session.metadata },
  attemptsOf: session.id,
  order: {
    id: session.orderId,
    number: session.orderNumber,
    name: session.name,
    amount: session.amount,
    currency: session.currency,
  },
  reference: session.reference,
  financialAccountId: session.financialAccountId,
  returnUrl: (paymentId) => returnUrl(parts, { scope, sessionId: session.id, paymentId }),
  ...attempt,
})
