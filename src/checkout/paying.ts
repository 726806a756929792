import {
  findAttemptsOfEach,
  isOpen,
  type Payment,
  type PaymentParts,
  type PaymentStart,
  startPayments,
} from '../payments/payments.ts'
import { openPromptBudget, PhoneAskedOften, type Prompt, type PromptBudget } from '../payments/prompts.ts'
import type { PaymentSettings } from '../payments/settings.ts'
import { createBatches, laneOf, type Outcome, onlyAnswer } from '../platform/batches.ts'
import type { PlatformSettings } from '../platform/config.ts'
import type { Tx } from '../platform/db/database.ts'
import { byName, nameIn, type Scoped } from '../platform/db/scoped.ts'
import { must } from '../platform/must.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import { returnUrl } from './return-state.ts'
import { type Attempt, isPast, maxAttempts, type Session, type SessionParts } from './sessions.ts'
import { lockSessions } from './store.ts'

type PayingParts = Pick<SessionParts, 'baseUrl'> &
  PaymentParts & { settings: PlatformSettings & PaymentSettings }

/** A payer asks to pay a session. */
export type WantedPayment = { sessionId: string; attempt: Attempt }

/**
 * Starts a payment. Refuses unless the session is pending, in time, and no other attempt is in flight.
 *
 * @throws PhoneAskedOften when the payer's phone is asked too often
 */
export type Paying = (scope: Scope, wanted: WantedPayment) => Promise<void>

/** Payers who ask at the same time share a transaction, whatever their Spaces. */
export function createPaying(parts: Platform<PaymentSettings> & PaymentParts): Paying {
  const { db, clock } = parts
  const sizes = parts.metrics.batchSizes.labels({ command: '/pay/:key' })
  const batches = createBatches<Scoped<WantedPayment>, void>({
    partOf: ({ scope }) => laneOf(scope),
    run: (all, bounds) =>
      db.transaction((tx) => {
        const wanted = all.map((one) => ({ ...one, at: clock.now(one.scope) }))
        return paySessions(tx, parts, wanted)
      }, bounds),
    observe: (size) => sizes.observe(size),
  })
  return (scope, wanted) => batches.submit(scope.environment, { scope, ...wanted })
}

type Wanted = Scoped<WantedPayment & { at: Date }>

/**
 * Of those of one session the first that may pay does; who it was is decided by the lock on the session's row. All of one
 * environment.
 */
async function paySessions(tx: Tx, parts: PayingParts, wanted: Wanted[]): Promise<Outcome<void>[]> {
  const sessions = byName(await lockSessions(tx, wanted.map(sessionOf)))
  const attempts = await findAttemptsOfEach(tx, [...sessions.values()], maxAttempts)
  const refusals = new Map(
    wanted.map((one) => {
      const name = nameOf(one)
      return [name, refusalOf(sessions.get(name), attempts.get(name) ?? [], one.at)] as const
    }),
  )
  const asked = wanted.flatMap((one) => (refusals.get(nameOf(one)) ? [] : (promptOf(one) ?? [])))
  const prompts = await openPromptBudget(
    tx,
    parts.settings,
    must(wanted[0], 'payment in a batch').scope.environment,
    asked,
  )
  const starts: Scoped<PaymentStart & { at: Date }>[] = []
  const outcomes = wanted.map((one): Outcome<void> => {
    const error = refusals.get(nameOf(one)) ?? askedOften(prompts, one)
    if (error) return { error }
    refusals.set(nameOf(one), new Refusal('state_conflict'))
    const { scope, at, attempt } = one
    starts.push({
      ...startOf(parts, scope, must(sessions.get(nameOf(one)), 'session that is paid'), attempt),
      scope,
      at,
    })
    return { answer: undefined }
  })
  await prompts.save()
  if (starts.length > 0) await startPayments(tx, parts, starts).catch((error) => refuseOne(error, wanted))
  return outcomes
}

const sessionOf = ({ scope, sessionId: id }: Wanted) => ({ scope, id })
const nameOf = ({ scope, sessionId }: Wanted) => nameIn(scope, sessionId)

/** One of them, or the refusal. */
export async function paySession(
  tx: Tx,
  parts: PayingParts,
  scope: Scope,
  wanted: WantedPayment,
  at: Date,
): Promise<void> {
  onlyAnswer(await paySessions(tx, parts, [{ ...wanted, scope, at }]))
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

const promptOf = ({ scope, attempt: { type, account } }: Wanted): Prompt | undefined =>
  type === 'momo' && account !== null ? { scope, phoneNumber: account } : undefined

function askedOften(prompts: PromptBudget, wanted: Wanted): PhoneAskedOften | undefined {
  const prompt = promptOf(wanted)
  const waitMs = prompt && prompts.take(prompt)
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
