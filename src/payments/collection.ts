import { isBeyondCount } from '../ledger/postings.ts'
import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import { showId } from '../platform/ids.ts'
import { enqueueLater, type JobPayload, schedule, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { askRail, askWhatBecame, isTooLate, neverReceived, queryGapMs } from '../providers/asking.ts'
import type { Collection, Outcome, Submitted } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { type Fence, openFence } from '../providers/fence.ts'
import type { Rails } from '../providers/rails.ts'
import { lookAfter, lookOf, type SecondLook, scheduleLook } from '../providers/second-looks.ts'
import { callbackUrl } from './callbacks.ts'
import { cardFingerprint } from './channel.ts'
import { type Payment, publishPayment } from './payments.ts'
import { completePayments, type Ending, failPayment, type Paid } from './settlement.ts'
import { keepRedirect, moveToRail, selectPayment, selectSubmitted } from './store.ts'

export type CollectionParts = Platform & { connectors: Connectors; rails: Rails }
type Parts = CollectionParts & { settlements: Settlements }
/** Payments of one Space that are found to be paid at the same time are booked together. */
type Settlements = Batches<Paid & { scope: Scope }, Ending>
/** Who asks: the schedule, with a `round`; a second look after a failure; or else a callback. */
type Question = { scope: Scope; id: string; round?: number; look?: SecondLook['look'] }

/**
 * Collecting from a payer: prepare (short transaction), send (none open), record (short transaction). The reference
 * is stored and the first query is scheduled before anything is sent, so that a crash at any point is found out. The
 * jobs end before the rail is spoken to: one that hangs keeps no other rail's jobs waiting.
 */
export function collectionJobs(platform: CollectionParts): Jobs {
  const parts: Parts = { ...platform, settlements: createSettlements(platform) }
  return {
    'payments.submit': (payload) => submit(parts, payload),
    'payments.query': (payload) => query(parts, questionOf(payload)),
  }
}

function questionOf(payload: JobPayload): Question {
  const look = lookOf(payload)
  return {
    scope: scopeOf(payload),
    id: String(payload.paymentId),
    ...(typeof payload.round === 'number' && { round: payload.round }),
    ...(look && { look }),
  }
}

function createSettlements({ db, clock, metrics }: CollectionParts): Settlements {
  return createBatches({
    run: async (paid) => {
      const { scope } = paid[0]!
      const endings = await db.transaction((tx) => completePayments(tx, scope, paid, clock.now(scope)))
      return endings.map((ending) => ({ answer: ending }))
    },
    observe: (size) => metrics.batchSizes.observe({ command: 'payments.settle' }, size),
  })
}

/** Begins when the rail has a free place and the clock is right; until then the payment waits as it is. */
async function submit(parts: Parts, payload: JobPayload): Promise<void> {
  const scope = scopeOf(payload)
  const payment = await selectPayment(parts.db, scope, String(payload.paymentId))
  // Anything but `created` was submitted before, perhaps by a process that died: the query finds out.
  if (payment?.railState !== 'created') return
  const { providerId } = payment
  const place = parts.clockWatch.isSound()
    ? parts.rails.findPlace({ providerId, environment: scope.environment })
    : undefined
  if (!place) return putOff(parts, payload)
  const prepared = await prepare(parts, scope, payment.id).catch((error) => {
    place.giveBack()
    throw error
  })
  if (prepared) place.use(() => collect(parts, scope, prepared))
  else place.giveBack()
}

const longestPutOffMs = 15_000

/** Till after a second, two, four, …; where only this node is in the way, each time after a second: another may take it. */
function putOff({ db, clockWatch }: Parts, payload: JobPayload): Promise<void> {
  const tries = clockWatch.isSound() && typeof payload.tries === 'number' ? payload.tries : 0
  const delayMs = Math.min(1_000 * 2 ** tries, longestPutOffMs)
  return db.transaction((tx) =>
    enqueueLater(tx, delayMs, 'payments.submit', { ...payload, tries: Math.min(tries + 1, 10) }),
  )
}

type Prepared = { payment: Payment; mayLeave: Fence }

function prepare({ db, clock }: Parts, scope: Scope, id: string): Promise<Prepared | undefined> {
  return db.transaction(async (tx) => {
    const mayLeave = openFence()
    const at = clock.now(scope)
    const payment = await moveToRail(tx, scope, id, {
      from: 'created',
      to: 'submitting',
      status: 'processing',
      at,
    })
    if (!payment) return undefined
    await publishPayment(tx, scope, 'payment.processing', payment)
    await scheduleQuery(tx, scope, id, 0, at)
    return { payment, mayLeave }
  })
}

async function collect(parts: Parts, scope: Scope, prepared: Prepared): Promise<void> {
  const answer = await send(parts, scope, prepared)
  // What did not leave stays as it is: its query tells, once nothing can be on its way.
  if (!isTooLate(answer)) await recordSubmitted(parts, scope, prepared.payment, answer)
}

async function send(parts: Parts, scope: Scope, { payment, mayLeave }: Prepared): Promise<Submitted> {
  const connector = parts.connectors.connectorOf(payment.providerId, scope.environment)
  if (!connector)
    return { outcome: 'refused', code: 'provider_unknown', message: 'This provider is not connected.' }
  const collection: Collection = {
    reference: payment.railReference,
    amount: payment.amount,
    currency: payment.currency,
    payerAccount: payment.payerAccount,
    description: payment.name,
    orderNumber: payment.orderNumber,
    callbackUrl: callbackUrl(parts, scope, payment.id),
    returnUrl: payment.returnUrl,
    mayLeave,
  }
  return askRail(parts, payment.providerId, 'collect', () => connector.collect(collection))
}

function recordSubmitted(parts: Parts, scope: Scope, { id, ...payment }: Payment, answer: Submitted) {
  return parts.db.transaction(async (tx) => {
    const at = parts.clock.now(scope)
    if (answer.outcome === 'refused')
      return count(parts, payment.providerId, await failPayment(tx, scope, id, answer, at))
    const move = { from: 'submitting', status: 'processing', at } as const
    if (answer.outcome === 'unknown')
      return void (await moveToRail(tx, scope, id, { ...move, to: 'unknown' }))
    const { redirectUrl } = answer
    await moveToRail(tx, scope, id, { ...move, to: 'submitted', ...(redirectUrl && { redirectUrl }) })
  })
}

/** Asks the rail what became of a payment. With a `round` it asks again later for as long as that is not known. */
async function query(parts: Parts, question: Question): Promise<void> {
  const { scope } = question
  const payment = await take(parts, question)
  if (!payment) return
  parts.rails.ask({ providerId: payment.providerId, environment: scope.environment }, async () => {
    const outcome = await askWhatBecame(parts, scope, payment, (rail) => rail.queryCollection)
    await recordOutcome(parts, question, payment, outcome)
  })
}

/** The payment if there is something to find out. The next question is scheduled before this one is asked. */
async function take({ db, clock }: Parts, { scope, id, round, look }: Question) {
  const payment = await selectSubmitted(db, scope, id)
  if (!payment || payment.status === 'completed') return undefined
  // One that failed is asked about only later, or when the rail called back: the money may have moved after all.
  if (payment.status === 'failed' && round !== undefined && !look) return undefined
  if (payment.status === 'processing' && round !== undefined)
    await db.transaction((tx) => scheduleQuery(tx, scope, id, round + 1, clock.now(scope)))
  return payment
}

async function recordOutcome(
  parts: Parts,
  { scope, id, look }: Question,
  payment: Payment,
  outcome: Outcome,
) {
  const { db, clock, log, settlements } = parts
  const { providerId } = payment
  if (outcome.outcome === 'done' && isWhatWasAsked(payment, outcome)) {
    const ending = await settlements
      .submit(laneOf(scope), paidBy(parts, scope, payment, outcome))
      .catch((error) => {
        if (!isBeyondCount(error)) throw error
      })
    if (ending) return count(parts, providerId, ending)
    log.error(
      { paymentId: showId('payment', id) },
      'an account can count no more: this payment waits for room',
    )
    // The next question is scheduled already.
    return
  }
  await db.transaction(async (tx) => {
    const at = clock.now(scope)
    const next = look && lookAfter(look, outcome)
    if (next) await scheduleLook(tx, 'payments.query', { ...scope, paymentId: id }, next, at)
    if (outcome.outcome === 'refused')
      return count(parts, providerId, await failPayment(tx, scope, id, outcome, at))
    if (outcome.outcome === 'missing')
      return count(parts, providerId, await failPayment(tx, scope, id, neverReceived, at))
    if (outcome.outcome === 'done')
      log.error(
        { security: true, paymentId: showId('payment', id), providerId },
        'the provider reports another amount than was asked',
      )
    // The answer to the submit may have been lost, and the page's address with it.
    if (outcome.outcome === 'pending' && outcome.redirectUrl)
      await keepRedirect(tx, scope, id, outcome.redirectUrl)
  })
}

function paidBy(
  { seals }: Parts,
  scope: Scope,
  payment: Payment,
  outcome: Extract<Outcome, { outcome: 'done' }>,
) {
  const { id, providerId, channelType } = payment
  const { railTransaction, card } = outcome
  if (channelType !== 'card' || !card) return { scope, id, railTransaction }
  const fingerprint = cardFingerprint(seals, scope, providerId, card)
  return { scope, id, railTransaction, card: { scheme: card.scheme, last4: card.last4, fingerprint } }
}

const isWhatWasAsked = (payment: Payment, told: { amount: bigint; currency: string }) =>
  told.amount === payment.amount && told.currency === payment.currency

function scheduleQuery(
  tx: Parameters<typeof schedule>[0],
  scope: Scope,
  paymentId: string,
  round: number,
  at: Date,
) {
  const dueAt = new Date(at.getTime() + queryGapMs(round))
  return schedule(tx, dueAt, 'payments.query', { ...scope, paymentId, round }, { asksOthers: true })
}

function count({ metrics, log }: Parts, provider: string, ending: Ending): void {
  if (ending === 'completed' || ending === 'failed') metrics.payments.inc({ provider, status: ending })
  if (ending !== 'late_success') return
  log.warn({ provider }, 'money arrived for a payment that had failed; it is in suspense and a case is open')
}
