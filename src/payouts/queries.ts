import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { showId } from '../platform/ids.ts'
import { type JobPayload, schedule, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { createTurns } from '../platform/turns.ts'
import { askRail, neverReceived, queryGapMs } from '../providers/asking.ts'
import type { Outcome } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { lockPayout, type Payout, publishPayouts } from './payouts.ts'
import {
  completePayouts,
  contradictCompleted,
  type Ending,
  failPayout,
  type PaidOut,
  scheduleSecondLook,
} from './settlement.ts'
import { selectPayout, writePayouts } from './store.ts'
import { count } from './submission.ts'

type QueryParts = Platform & { connectors: Connectors }
type Settlements = Batches<PaidOut & { scope: Scope }, Ending>
/** Who asks: the schedule, with a `round`; the second look after a failure or a person's word; or else a callback. */
type Question = { scope: Scope; id: string; round?: number; isSecondLook: boolean }

/** Questions to one rail at once; more wait, and what is beyond them is asked in its next round. */
const maxAtOnce = 8
const maxWaiting = 10_000
/** Without an answer for so long, the merchant is told. */
const delayedAfterMs = 600_000
/** How long after the rail's answer to a submit "never heard of it" is believed: what was on its way has arrived. */
const missingConclusiveAfterMs = 60_000
/** The same when no answer was ever recorded: a submit may take so long, at most. */
const longestSubmitMs = 60_000

/**
 * Finds out what became of payouts, for as long as that takes. The job itself only writes down when to ask again and
 * hands the question over: a rail that takes long to answer keeps no other rail's jobs waiting.
 */
export function queryJobs(parts: QueryParts): Jobs {
  const settlements = createSettlements(parts)
  const rails = createRails(parts)
  return {
    'payouts.query': async (payload) => {
      const question = questionOf(payload)
      const payout = await take(parts, question)
      if (!payout) return
      rails(`${question.scope.environment} ${payout.providerId}`, async () => {
        const outcome = await ask(parts, question.scope, payout)
        count(parts, payout, await record(parts, settlements, question, payout, outcome))
      })
    },
  }
}

const questionOf = (payload: JobPayload): Question => ({
  scope: scopeOf(payload),
  id: String(payload.payoutId),
  ...(typeof payload.round === 'number' && { round: payload.round }),
  isSecondLook: payload.isSecondLook === true,
})

/** The payout if there is something to find out. The next question is scheduled before this one is asked. */
async function take({ db, clock }: QueryParts, { scope, id, round, isSecondLook }: Question) {
  const payout = await selectPayout(db, scope, id)
  if (!payout || payout.submittedAt === null) return undefined
  if (isSecondLook) return payout
  if (payout.status === 'completed') return undefined
  // One that failed is asked about only when the rail called back: it may say that the money moved after all.
  if (payout.status === 'failed') return round === undefined ? payout : undefined
  if (round !== undefined)
    await db.transaction((tx) => scheduleQuery(tx, scope, payout, round + 1, clock.now(scope)))
  return payout
}

/** After 5 s, 10 s, 20 s, … up to an hour, by the Space's clock; and when the merchant would have to be told. */
function scheduleQuery(tx: Tx, scope: Scope, { id, submittedAt }: Payout, round: number, at: Date) {
  const delayedAt = submittedAt!.getTime() + delayedAfterMs
  const nextAt = at.getTime() + queryGapMs(round)
  const dueAt = new Date(at.getTime() < delayedAt ? Math.min(nextAt, delayedAt) : nextAt)
  return schedule(tx, dueAt, 'payouts.query', { ...scope, payoutId: id, round }, { asksOthers: true })
}

/** Hands work to a rail's own queue, and does not wait for it. */
function createRails({ log }: QueryParts) {
  const rails = new Map<string, { inTurn: ReturnType<typeof createTurns>; waiting: number }>()
  return (name: string, work: () => Promise<void>): void => {
    const rail = rails.get(name) ?? { inTurn: createTurns(maxAtOnce), waiting: 0 }
    rails.set(name, rail)
    if (rail.waiting >= maxWaiting) return
    rail.waiting++
    void rail
      .inTurn(work)
      .catch((err) => log.error({ err }, 'what became of a payout was not recorded'))
      .finally(() => rail.waiting--)
  }
}

async function ask(parts: QueryParts, scope: Scope, payout: Payout): Promise<Outcome> {
  const query = parts.connectors.connectorOf(payout.providerId, scope.environment)?.queryDisbursement
  if (!query) return { outcome: 'unknown', why: 'the provider is not connected' }
  return askRail(parts, payout.providerId, 'query', () => query(payout.railReference))
}

async function record(
  { db, clock, log }: QueryParts,
  settlements: Settlements,
  { scope, id, isSecondLook }: Question,
  { amount, currency, providerId }: Payout,
  outcome: Outcome,
): Promise<Ending> {
  if (outcome.outcome === 'done' && outcome.amount === amount && outcome.currency === currency)
    return settlements.submit(laneOf(scope), { scope, id, railTransaction: outcome.railTransaction })
  if (outcome.outcome === 'done')
    log.error(
      { security: true, payoutId: showId('payout', id), providerId },
      'the provider reports another amount than was asked',
    )
  return db.transaction(async (tx) => {
    const at = clock.now(scope)
    const payout = await lockPayout(tx, scope, id)
    if (payout.status !== 'processing') {
      if (isSecondLook && isUnclear(outcome)) await scheduleSecondLook(tx, scope, id, at)
      const isContradicted = isSecondLook && payout.status === 'completed' && neverMoved(outcome)
      return isContradicted ? contradictCompleted(tx, scope, payout, at) : 'unchanged'
    }
    if (outcome.outcome === 'refused') return failPayout(tx, scope, id, outcome, at)
    if (outcome.outcome === 'missing' && isConclusive(payout, at))
      return failPayout(tx, scope, id, neverReceived, at)
    await tellIfDelayed(tx, scope, payout, at)
    return 'unchanged'
  })
}

/** A second look comes long after the submit: by then also "never heard of it" is conclusive. */
const neverMoved = ({ outcome }: Outcome) => outcome === 'refused' || outcome === 'missing'
const isUnclear = ({ outcome }: Outcome) => outcome === 'unknown' || outcome === 'pending'

function isConclusive({ submittedAt, answeredAt }: Payout, at: Date): boolean {
  const sinceMs = answeredAt ? answeredAt.getTime() : submittedAt!.getTime() + longestSubmitMs
  return at.getTime() - sinceMs >= missingConclusiveAfterMs
}

async function tellIfDelayed(tx: Tx, scope: Scope, payout: Payout, at: Date): Promise<void> {
  if (payout.delayedAt || at.getTime() < payout.submittedAt!.getTime() + delayedAfterMs) return
  const delayed = { ...payout, delayedAt: at, updatedAt: at }
  await writePayouts(tx, scope, [delayed])
  await publishPayouts(tx, scope, 'payout.delayed', [delayed])
}

/** Payouts of one Space that are found to be paid at the same time are booked together. */
function createSettlements({ db, clock, metrics }: QueryParts): Settlements {
  return createBatches({
    run: async (paid) => {
      const { scope } = paid[0]!
      const endings = await db.transaction((tx) => completePayouts(tx, scope, paid, clock.now(scope)))
      return endings.map((ending) => ({ answer: ending }))
    },
    observe: (size) => metrics.batchSizes.observe({ command: 'payouts.settle' }, size),
  })
}
