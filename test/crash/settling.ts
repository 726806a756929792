import assert from 'node:assert/strict'
import { protocolOf } from '../../packages/server/src/rails/connections/protocols.ts'
import { endings } from '../support/endings.ts'
import { call, waitUntil } from '../support/program.ts'
import type { RailOrders } from './rail-orders.ts'
import { hasEnded, type Judged, judge, payersAct } from './rail-truth.ts'
import type { Stand } from './stand.ts'
import { ways } from './ways.ts'

/**
 * Providers whose rails can only be queried by the rail's own reference, which may be permanently lost. An
 * operator resolves such a payment.
 */
const resolvedByOperator = ways.flatMap(({ provider }) =>
  protocolOf(provider).conformance?.isNamedByRail ? [provider.providerId] : [],
)
const checksBeforeOperator = 30
/**
 * The number of checks that advance the clocks only a little. Later ones advance them further, so that queries
 * up to an hour apart run, too.
 */
const shortChecks = 10

/**
 * An unrecorded call is resolved as failed only when no request can still be on its way, which takes this much
 * wall-clock time.
 */
const conclusiveMs = 150_000

/** Moves the clocks of the rails and the Space, and compares what the service reports with what the rails did. */
export function openSettling(stand: Stand, orders: Pick<RailOrders, 'endingOf'>) {
  async function passTimes(ofRailsMs: number, ofSpace: string): Promise<void> {
    await payersAct(stand, orders.endingOf)
    await stand.simulator.clock.advance(ofRailsMs)
    await call(stand.shop, 'POST', '/v1/test-clock', { advance: ofSpace })
  }

  /** Moves the clocks until everything that counts has ended or is waiting for an operator. */
  async function settle(counts = (_one: Judged) => true): Promise<Judged[]> {
    let checks = 0
    let open: Judged[] = []
    const look = async () => {
      checks += 1
      await (checks < shortChecks ? passTimes(300, '5s') : passTimes(10_000, '10m'))
      const all = await judge(stand, orders.endingOf)
      const mayWait = ({ providerId }: Judged) =>
        checks > checksBeforeOperator && resolvedByOperator.includes(providerId)
      open = all.filter((one) => counts(one) && (!(hasEnded(one) || mayWait(one)) || lacksCase(one)))
      return open.length === 0 && all
    }
    return waitUntil(stand.program, look, conclusiveMs).catch((error) => {
      throw new Error(`after ${checks} looks: ${JSON.stringify(open)}`, { cause: error })
    })
  }

  return { passTimes, settle, judged: () => judge(stand, orders.endingOf) }
}

/** Whether the rail moved the money after it had reported a failure. */
const isLate = ({ status, moved }: Judged) => status === 'failed' && moved > 0
const lacksCase = (one: Judged) => isLate(one) && !one.hasCase

/**
 * Asserts that money moved at most once, that completed objects moved it, and that failed ones did not, unless
 * their rail changed its mind.
 */
export function assertRight(one: Judged): void {
  const { status, had, moved, digits, missed, providerId } = one
  const words = JSON.stringify(one)
  assert.ok(had <= 1 && moved <= 1, `moved more than once: ${words}`)
  if (status === 'completed') assert.equal(moved, 1, `completed without money: ${words}`)
  if (isLate(one)) assert.equal(digits, '012', `failed, but the rail paid: ${words}`)
  // If a rail is unavailable for long enough, payers cannot act, because they never reach its page.
  const moves = endings[digits]!.moves && !missed
  if (had === 1) assert.equal(moved === 1, moves, `ended differently from what was chosen: ${words}`)
  assert.equal(one.hasCase, isLate(one), `a case is open: ${words}`)
  assert.ok(hasEnded(one) || resolvedByOperator.includes(providerId), `has not ended: ${words}`)
}
