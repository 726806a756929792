import { isBeyondCount } from '../ledger/postings.ts'
import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import { showId } from '../platform/ids.ts'
import { schedule, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { askRail, neverReceived, queryGapMs } from '../providers/asking.ts'
import type { Collection, Outcome, Submitted } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { callbackUrl } from './callbacks.ts'
import { cardFingerprint } from './channel.ts'
import { type Payment, publishPayment } from './payments.ts'
import { completePayments, type Ending, failPayment, type Paid } from './settlement.ts'
import { keepRedirect, moveToRail, selectPayment } from './store.ts'

export type CollectionParts = Platform & { connectors: Connectors }
type Parts = CollectionParts & { settlements: Settlements }
/** Payments of one Space that are found to be paid at the same time are booked together. */
type Settlements = Batches<Paid & { scope: Scope }, Ending>

/** How long after the submit "never heard of it" can be believed: by then a request on its way has arrived. */
const missingConclusiveAfterMs = 60_000

/**
 * Collecting from a payer: prepare (short transaction), send (none open), record (short transaction). The reference
 * is stored and the first query is scheduled before anything is sent, so that a crash at any point is found out.
 */
export function collectionJobs(platform: CollectionParts): Jobs {
  const parts: Parts = { ...platform, settlements: createSettlements(platform) }
  return {
    'payments.submit': (payload) => submit(parts, scopeOf(payload), String(payload.paymentId)),
    'payments.query': (payload) =>
      query(parts, scopeOf(payload), String(payload.paymentId), payload.round as number | undefined),
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

async function submit(parts: Parts, scope: Scope, id: string): Promise<void> {
  const { db, clock } = parts
  const payment = await db.transaction(async (tx) => {
    const at = clock.now(scope)
    const moved = await moveToRail(tx, scope, id, {
      from: 'created',
      to: 'submitting',
      status: 'processing',
      at,
    })
    if (!moved) return undefined
    await publishPayment(tx, scope, 'payment.processing', moved)
    await scheduleQuery(tx, scope, id, 0, at)
    return moved
  })
  // Anything but `created` was submitted before, perhaps by a process that died: the query finds out.
  if (!payment) return
  await recordSubmitted(parts, scope, payment, await send(parts, scope, payment))
}

async function send(parts: Parts, scope: Scope, payment: Payment): Promise<Submitted> {
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
async function query(parts: Parts, scope: Scope, id: string, round?: number): Promise<void> {
  const payment = await selectPayment(parts.db, scope, id)
  if (!payment || payment.status === 'completed' || payment.railState === 'created') return
  // A failed payment is asked about only when the rail called back: it may say that the money moved after all.
  if (payment.status === 'failed' && round !== undefined) return
  const connector = parts.connectors.connectorOf(payment.providerId, scope.environment)
  const outcome: Outcome = connector
    ? await askRail(parts, payment.providerId, 'query', () =>
        connector.queryCollection(payment.railReference),
      )
    : { outcome: 'unknown', why: 'the provider is not connected' }
  await recordOutcome(parts, scope, payment, outcome, round)
}

async function recordOutcome(parts: Parts, scope: Scope, payment: Payment, outcome: Outcome, round?: number) {
  const { db, clock, log, settlements } = parts
  const { id, providerId } = payment
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
    if (round === undefined) return
    await db.transaction((tx) => scheduleQuery(tx, scope, id, round + 1, clock.now(scope)))
    return
  }
  await db.transaction(async (tx) => {
    const at = clock.now(scope)
    if (outcome.outcome === 'refused')
      return count(parts, providerId, await failPayment(tx, scope, id, outcome, at))
    if (outcome.outcome === 'missing' && isConclusive(payment, at))
      return count(parts, providerId, await failPayment(tx, scope, id, neverReceived, at))
    if (outcome.outcome === 'done')
      log.error(
        { security: true, paymentId: showId('payment', id), providerId },
        'the provider reports another amount than was asked',
      )
    // The answer to the submit may have been lost, and the page's address with it.
    if (outcome.outcome === 'pending' && outcome.redirectUrl)
      await keepRedirect(tx, scope, id, outcome.redirectUrl)
    if (round !== undefined) await scheduleQuery(tx, scope, id, round + 1, at)
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

const isConclusive = ({ submittedAt }: Payment, at: Date) =>
  submittedAt !== null && at.getTime() - submittedAt.getTime() >= missingConclusiveAfterMs

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
