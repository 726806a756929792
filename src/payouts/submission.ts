import { type Batches, createBatches, laneOf, type Outcome } from '../platform/batches.ts'
import type { Scope } from '../platform/clock.ts'
import type { Tx } from '../platform/db/database.ts'
import { scheduleEach } from '../platform/jobs/queue.ts'
import type { Platform } from '../platform/platform.ts'
import { askRail, isTooLate, queryGapMs } from '../providers/asking.ts'
import type { Submitted } from '../providers/connector.ts'
import type { Connectors } from '../providers/connectors.ts'
import { type Fence, openFence } from '../providers/fence.ts'
import { callbackUrl } from './callbacks.ts'
import { type Lane, takeQueued } from './lane-store.ts'
import { publishPayouts } from './payouts.ts'
import { type Ending, failPayout } from './settlement.ts'
import { moved } from './states.ts'
import { lockPayouts, type Payout, writePayouts } from './store.ts'

type Parts = Platform & { connectors: Connectors }

/** A payout that the rail is told of now, or not at all. */
export type Submitting = { scope: Scope; payout: Payout; mayLeave: Fence }

export type Submission = {
  /**
   * Takes what waits in a lane, of the Spaces behind `after` first. When it answers, each is `submitting` and its first query is scheduled: whatever
   * happens from here on is found out, and it is never sent again.
   */
  prepare(lane: Lane, after: string, atMost: number): Promise<Submitting[]>
  /** Tells the rail and records its answer; `answered` is called in between. */
  send(submitting: Submitting, answered: (answer?: Submitted) => void): Promise<void>
}

export function createSubmission(parts: Parts): Submission {
  const records = createRecords(parts)
  return {
    prepare: (lane, after, atMost) => parts.db.transaction((tx) => prepare(parts, tx, lane, after, atMost)),
    async send(submitting, answered) {
      const { scope, payout } = submitting
      let answer: Submitted | undefined
      try {
        const said = await disburse(parts, submitting)
        if (!isTooLate(said)) answer = said
      } finally {
        answered(answer)
      }
      // What did not leave stays as it is: its query tells, once nothing can be on its way.
      if (!answer) return
      count(parts, payout, await records.submit(laneOf(scope), { scope, id: payout.id, answer }))
    },
  }
}

async function prepare(
  { clock }: Parts,
  tx: Tx,
  lane: Lane,
  after: string,
  atMost: number,
): Promise<Submitting[]> {
  const { environment } = lane
  const mayLeave = openFence()
  const taken = await takeQueued(tx, lane, after, atMost)
  const prepared = taken.map(({ spaceId, ...payout }): Submitting => {
    const scope = { spaceId, environment }
    const at = clock.now(scope)
    return { scope, mayLeave, payout: { ...moved(payout, 'submitting', at)!, submittedAt: at } }
  })
  for (const [spaceId, ofSpace] of Map.groupBy(prepared, ({ scope }) => scope.spaceId)) {
    const scope: Scope = { spaceId, environment }
    const payouts = ofSpace.map(({ payout }) => payout)
    await writePayouts(tx, scope, payouts)
    await publishPayouts(tx, scope, 'payout.processing', payouts)
  }
  await scheduleEach(
    tx,
    prepared.map(({ scope, payout: { id: payoutId, updatedAt } }) => ({
      dueAt: new Date(updatedAt.getTime() + queryGapMs(0)),
      job: 'payouts.query',
      payload: { ...scope, payoutId, round: 0 },
    })),
    { asksOthers: true },
  )
  return prepared
}

async function disburse(parts: Parts, { scope, payout, mayLeave }: Submitting): Promise<Submitted> {
  const connector = parts.connectors.connectorOf(payout.providerId, scope.environment)
  const send = connector?.disburse
  if (!send)
    return {
      outcome: 'refused',
      code: 'provider_unknown',
      message: 'Nothing can be paid out to this provider now.',
    }
  const disbursement = {
    reference: payout.railReference,
    amount: payout.amount,
    currency: payout.currency,
    payeeAccount: payout.payeeAccount,
    description: 'Payout',
    callbackUrl: callbackUrl(parts, scope, payout.id),
    mayLeave,
  }
  return askRail(parts, payout.providerId, 'disburse', () => send(disbursement))
}

type Answered = { scope: Scope; id: string; answer: Submitted }

/** Answers of one Space that come at the same time are recorded together. */
function createRecords({ db, clock, metrics }: Parts): Batches<Answered, Ending> {
  return createBatches({
    run: (answered) => {
      const { scope } = answered[0]!
      return db.transaction((tx) => record(tx, scope, answered, clock.now(scope)))
    },
    observe: (size) => metrics.batchSizes.observe({ command: 'payouts.record' }, size),
  })
}

/** A callback may have ended it before: then the answer says nothing new. */
async function record(tx: Tx, scope: Scope, answered: Answered[], at: Date): Promise<Outcome<Ending>[]> {
  const ids = answered.map(({ id }) => id)
  const byId = new Map((await lockPayouts(tx, scope, ids)).map((payout) => [payout.id, payout]))
  const kept = answered.flatMap(({ id, answer }) => {
    const to = answer.outcome === 'accepted' ? 'submitted' : 'unknown'
    const payout = answer.outcome === 'refused' ? undefined : moved(byId.get(id)!, to, at)
    return payout?.submittedAt ? [{ ...payout, answeredAt: at }] : []
  })
  await writePayouts(tx, scope, kept)
  const endings: Outcome<Ending>[] = []
  for (const { id, answer } of answered)
    endings.push({
      answer: answer.outcome === 'refused' ? await failPayout(tx, scope, id, answer, at) : 'unchanged',
    })
  return endings
}

export function count({ metrics, log }: Platform, { providerId }: Payout, ending: Ending): void {
  if (ending === 'completed' || ending === 'failed')
    metrics.payouts.inc({ provider: providerId, status: ending })
  if (ending !== 'late_success' && ending !== 'late_failure') return
  log.warn({ provider: providerId }, opened[ending])
}

const opened = {
  late_success: 'money left for a payout that had failed; it is missing in suspense and a case is open',
  late_failure: 'money never left for a payout completed by hand; it is in suspense and a case is open',
} as const
