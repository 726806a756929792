import type { ReceivedReport } from '../connector.ts'
import {
  describeAuthenticity,
  describeOutcomes,
  type Finding,
  found,
  noPerson,
  noReader,
  noReport,
  notApplicable,
  notRun,
} from './findings.ts'
import { orderOf, queryOf, submit, type TestBench } from './test-bench.ts'
import { follow, isKnown, reportOn } from './waiting.ts'

// Cases about the content and the timing of the rail's later reports.

type Account = string | null

export async function lateSuccess(stand: TestBench, account: Account): Promise<Finding> {
  const order = orderOf(stand, account)
  await submit(stand, order)
  const first = await follow(stand, order)
  if (first.outcome === 'pending') return notRun(noPerson)
  if (first.outcome === 'done') return notRun('the payment from --late succeeded immediately')
  const last = await follow(stand, order, ({ outcome }) => outcome === 'done')
  return found(
    first.outcome === 'refused' && last.outcome === 'done',
    'the rail reported a failure, then success',
    describeOutcomes(first, last),
    'refused; then done, in which case the service books the payment or opens a case',
  )
}

export async function callbackNever(stand: TestBench, account: Account): Promise<Finding> {
  const silent = orderOf(stand, account)
  const submitted = await submit(stand, silent)
  const queried = await follow(stand, silent)
  return found(
    submitted.outcome === 'accepted' && ['done', 'pending'].includes(queried.outcome),
    'no report was read; the rail was only queried',
    describeOutcomes(submitted, queried),
    'accepted; then the final outcome from queries alone',
  )
}

export async function callbackBeforeAnswer(stand: TestBench, account: Account): Promise<Finding> {
  if (!stand.connector.readReport) return notApplicable(noReader)
  const order = orderOf(stand, account)
  let report: ReceivedReport | undefined
  stand.proxy.interfere(order.reference, async (forward) => {
    const answer = await forward()
    report = await reportOn(stand, order)
    return answer
  })
  const submitted = await submit(stand, order)
  stand.proxy.interfere(order.reference, (forward) => forward())
  report ??= await reportOn(stand, order)
  if (!report) return notRun(noReport)
  const read = stand.connector.readReport(report)
  const queried = await follow(stand, order)
  if (queried.outcome === 'pending') return notRun(noPerson)
  return found(
    ['accepted', 'unknown'].includes(submitted.outcome) && queried.outcome === 'done',
    'the response to the submit request was held until the rail had reported',
    `a report, ${describeAuthenticity(read)}; then ${describeOutcomes(submitted, queried)}`,
    'accepted, or unknown if the response took too long; then done',
  )
}

/**
 * Checks that a query finds what the rail has just reported. The query is sent before we respond to the report,
 * because a rail that reports from within its transaction waits for our response.
 */
export async function commitBeforeAnswer(stand: TestBench, account: Account): Promise<Finding> {
  if (!stand.conformance.commitsBeforeAnswering)
    return notApplicable('the protocol does not guarantee that queries immediately see what was reported')
  const order = orderOf(stand, account)
  const reported = stand.receiver.onFirst(order.reference, () => queryOf(stand, order))
  const submitted = await submit(stand, order)
  const atOnce = await queryOf(stand, order)
  const report = stand.connector.readReport && (await reportOn(stand, order))
  const atReport = report ? [await reported] : []
  return found(
    submitted.outcome === 'accepted' &&
      isKnown(atOnce) &&
      atReport.every(({ outcome }) => outcome === 'done'),
    `the payment was queried when it was accepted${atReport.length > 0 ? ', and when the rail reported' : ''}`,
    describeOutcomes(submitted, atOnce, ...atReport),
    'accepted; then pending or done; done after the report',
  )
}
