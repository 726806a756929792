import assert from 'node:assert/strict'
import { endings } from '../support/endings.ts'
import { call, waitUntil } from '../support/program.ts'
import type { RailOrders } from './rail-orders.ts'
import { hasEnded, type Judged, judge, payersAct } from './rail-truth.ts'
import type { Stand } from './stand.ts'
import { ways } from './ways.ts'

/** Rails that nobody can query without a reference of theirs, which may be lost for good: a person ends such a payment. */
const forPeople = ways.flatMap(({ provider }) =>
  provider.protocol === 'mpesa-daraja' ? [provider.providerId] : [],
)
const looksForPeople = 30
/** At first payers and rails take little time; later even queries that are an hour apart must come. */
const shortLooks = 10

/** What nobody recorded is called failed only when really nothing can be on its way any more: no clock is moved for that. */
const conclusiveMs = 150_000

/** Lets the time of payers, rails and the Space pass, and compares what the service says with what the rails did. */
export function openSettling(stand: Stand, orders: Pick<RailOrders, 'endingOf'>) {
  async function passTimes(ofRailsMs: number, ofSpace: string): Promise<void> {
    await payersAct(stand, orders.endingOf)
    await stand.simulator.clock.advance(ofRailsMs)
    await call(stand.shop, 'POST', '/v1/test-clock', { advance: ofSpace })
  }

  /** Until all that counts has ended, or waits for a person. */
  async function settle(counts = (_one: Judged) => true): Promise<Judged[]> {
    let looks = 0
    let open: Judged[] = []
    const look = async () => {
      looks += 1
      await (looks < shortLooks ? passTimes(300, '5s') : passTimes(10_000, '10m'))
      const all = await judge(stand, orders.endingOf)
      const mayWait = ({ providerId }: Judged) => looks > looksForPeople && forPeople.includes(providerId)
      open = all.filter((one) => counts(one) && (!(hasEnded(one) || mayWait(one)) || lacksCase(one)))
      return open.length === 0 && all
    }
    return waitUntil(stand.program, look, conclusiveMs).catch((error) => {
      throw new Error(`after ${looks} looks: ${JSON.stringify(open)}`, { cause: error })
    })
  }

  return { passTimes, settle, judged: () => judge(stand, orders.endingOf) }
}

/** Where a rail paid what it had called failed. */
const isLate = ({ status, moved }: Judged) => status === 'failed' && moved > 0
const lacksCase = (one: Judged) => isLate(one) && !one.hasCase

/** Money that moves, moves once; what completes has moved; what fails has not, unless its rail changed its mind. */
export function assertRight(one: Judged): void {
  const { status, had, moved, digits, missed, providerId } = one
  const words = JSON.stringify(one)
  assert.ok(had <= 1 && moved <= 1, `more than once: ${words}`)
  if (status === 'completed') assert.equal(moved, 1, `completed without money: ${words}`)
  if (isLate(one)) assert.equal(digits, '012', `failed, and the rail paid: ${words}`)
  // A rail that is sick for long enough keeps payers from its page: what they would have done there never happens.
  const moves = endings[digits]!.moves && !missed
  if (had === 1) assert.equal(moved === 1, moves, `not the ending that was chosen: ${words}`)
  assert.equal(one.hasCase, isLate(one), `a case: ${words}`)
  assert.ok(hasEnded(one) || forPeople.includes(providerId), `has not ended: ${words}`)
}
