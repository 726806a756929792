import type { Collection, RailOutcome, ReceivedReport } from '../connector.ts'
import { orderOf, queryOf, type SharedReport, submit, type TestBench } from './test-bench.ts'

export const pollMs = 500
const maxPolls = 40 // maximum number of consecutive queries for the outcome of a payment

export const isKnown = ({ outcome }: RailOutcome) => outcome === 'pending' || outcome === 'done'
const isFinal = ({ outcome }: RailOutcome) => outcome === 'done' || outcome === 'refused'

/**
 * Queries a payment until `isEnough` returns true, or for 20 s. If a payment for which the payer has to visit a
 * page is still open after that time, nobody is using the pages, so the run no longer waits for such payments.
 */
export async function follow(
  stand: TestBench,
  order: Collection,
  isEnough: (outcome: RailOutcome) => boolean = isFinal,
): Promise<RailOutcome> {
  for (let polls = 1; ; polls++) {
    const outcome = await queryOf(stand, order)
    if (isEnough(outcome) || polls === maxPolls || (outcome.outcome === 'pending' && isVain(stand, order))) {
      if (outcome.outcome === 'pending' && stand.seen.pages.get(order.reference))
        stand.seen.isUnattended = true
      return outcome
    }
    await stand.wait(pollMs)
  }
}

const isVain = ({ seen }: TestBench, { reference }: Collection) =>
  seen.isUnattended === true && seen.pages.get(reference) !== false

/**
 * Waits up to 20 s for the first report about a payment. After one report has failed to arrive, waits only
 * briefly for others.
 */
export async function reportOn(stand: TestBench, order: Collection): Promise<ReceivedReport | undefined> {
  const isHopeless = stand.seen.isSilent || isVain(stand, order)
  for (let polls = isHopeless ? maxPolls - 2 : 0; polls < maxPolls; polls++) {
    const [first] = stand.receiver.of(order.reference)
    if (first) return first
    await stand.wait(pollMs)
  }
  // If nobody opened this payment's page, the missing report does not mean that other reports will be missing.
  stand.seen.isSilent ||= !isVain(stand, order)
  return undefined
}

/** Submits a payment and waits for its report. All cases that only need to read a report share this one. */
export function sharedReport(stand: TestBench, account: string | null): Promise<SharedReport | undefined> {
  stand.seen.report ??= freshReport(stand, account)
  return stand.seen.report
}

export async function freshReport(
  stand: TestBench,
  account: string | null,
): Promise<SharedReport | undefined> {
  const order = orderOf(stand, account)
  await submit(stand, order)
  const report = await reportOn(stand, order)
  return report && { order, report }
}
