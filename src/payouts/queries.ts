import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { showId } from '../platform/ids.ts'
import { type JobPayload, schedule, scopeOf } from '../platform/jobs/queue.ts'
import type { Jobs } from '../platform/jobs/runner.ts'
import type { Platform } from '../platform/platform.ts'
import { askWhatBecame, neverReceived, queryGapMs } from '../providers/asking.ts'
import type { Outcome } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import type { Rails } from '../providers/rails.ts'
import { lookAfter, lookOf, type SecondLook } from '../providers/second-looks.ts'
import { lockPayout, type Payout, publishPayouts } from './payouts.ts'
import {
  completePayouts,
  contradictCompleted,
  type Ending,
  failPayout,
  type PaidOut,
  scheduleSecondLook,
} from './settlement.ts'
import { selectSubmitted, writePayouts } from './store.ts'
import { count } from './submission.ts'

type QueryParts = Platform & { connectors: Connectors; rails: Rails }
type Settlements = Batches<PaidOut & { scope: Scope }, Ending>
/** Who asks: the schedule, with a `round`; a second look after a failure or a person's word; or else a callback. */
type Question = { scope: Scope; id: string; round?: number; look?: SecondLook['look'] }

/** Without an answer for so long, the merchant is told. */
const delayedAfterMs = 600_000

/**
 * Finds out what became of payouts, for as long as that takes. The job itself only writes down when to ask again and
 * hands the question over: a rail that takes long to answer keeps no other rail's jobs waiting.
 */
export function queryJobs(parts: QueryParts): Jobs {
  const settlements = createSettlements(parts)
  return {
    'payouts.query': async (payload) => {
      const question = questionOf(payload)
      const payout = await take(parts, question)
      if (!payout) return
      const { scope } = question
      parts.rails.ask({ providerId: payout.providerId, environment: scope.environment }, async () => {
        const outcome = await askWhatBecame(parts, scope, payout, (rail) => rail.queryDisbursement)
        count(parts, payout, await record(parts, settlements, question, payout, outcome))
      })
    },
  }
}

function questionOf(payload: JobPayload): Question {
  const look = lookOf(payload)
  return {
    scope: scopeOf(payload),
    id: String(payload.payoutId),
    ...(typeof payload.round === 'number' && { round: payload.round }),
    ...(look && { look }),
  }
}

/** The payout if there is something to find out. The next question is scheduled before this one is asked. */
async function take({ db, clock }: QueryParts, { scope, id, round, look }: Question) {
  const payout = await selectSubmitted(db, scope, id)
  if (!payout) return undefined
  if (look) return payout
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

async function record(
  { db, clock, log }: QueryParts,
  settlements: Settlements,
  { scope, id, look }: Question,
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
      const next = look && lookAfter(look, outcome)
      if (next) await scheduleSecondLook(tx, scope, id, at, next)
      const isContradicted = look && payout.status === 'completed' && neverMoved(outcome)
      return isContradicted ? contradictCompleted(tx, scope, payout, at) : 'unchanged'
    }
    if (outcome.outcome === 'refused') return failPayout(tx, scope, id, outcome, at)
    if (outcome.outcome === 'missing') return failPayout(tx, scope, id, neverReceived, at)
    await tellIfDelayed(tx, scope, payout, at)
    return 'unchanged'
  })
}

const neverMoved = ({ outcome }: Outcome) => outcome === 'refused' || outcome === 'missing'

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
