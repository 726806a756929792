import type { ReceivedReport } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import { type Finding, found, notApplicable, notRun, wordsOf } from './findings.ts'
import { follow, orderOf, reportOn, type Stand, submit } from './stand.ts'

// Cases about what the rail says later: its outcomes and its reports.

const noReader = 'the connector reads no reports: outcomes come from queries only'
const noReport = 'no report came: the rail sends none, or cannot reach the kit'

export async function lateSuccess(stand: Stand, account: string): Promise<Finding> {
  const order = orderOf(stand, account)
  await submit(stand, order)
  const first = await follow(stand, order)
  if (first.outcome === 'pending')
    return notRun('the payment does not end without a person at the rail’s page')
  const last = await follow(stand, order, ({ outcome }) => outcome === 'done')
  return found(
    first.outcome === 'refused' && last.outcome === 'done',
    'the rail reported a failure, and success later',
    wordsOf(first, last),
    'refused; then done, which the service books or opens a case for',
  )
}

export async function callbackNever(stand: Stand, account: string): Promise<Finding> {
  const silent = orderOf(stand, account)
  const submitted = await submit(stand, silent)
  const queried = await follow(stand, silent)
  return found(
    submitted.outcome === 'accepted' && ['done', 'pending'].includes(queried.outcome),
    'no report was read; the rail was only queried',
    wordsOf(submitted, queried),
    'accepted; then the truth by queries alone',
  )
}

export async function callbackBeforeAnswer(stand: Stand, account: string): Promise<Finding> {
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
  if (queried.outcome === 'pending')
    return notRun('the payment does not complete without a person at the rail’s page')
  return found(
    ['accepted', 'unknown'].includes(submitted.outcome) && queried.outcome === 'done',
    'the answer to the submit was held until the rail had reported',
    `${isProven(read)} report; then ${wordsOf(submitted, queried)}`,
    'accepted, or unknown when that took too long; then done',
  )
}

export async function doubledCallback(stand: Stand, account: string): Promise<Finding> {
  const { readReport } = stand.connector
  const report = await freshReport(stand, account)
  if (!readReport) return notApplicable(noReader)
  if (typeof report === 'string') return notRun(report)
  const [first, second] = [readReport(report), readReport(report)]
  const isSame =
    first.isAuthentic === second.isAuthentic &&
    first.reference === second.reference &&
    first.verdictOn?.('collect')?.outcome === second.verdictOn?.('collect')?.outcome
  return found(
    isSame,
    'one report was read twice',
    `${isProven(first)}; then ${isProven(second)}`,
    'the same twice',
  )
}

export async function clockSkew(stand: Stand, account: string): Promise<Finding> {
  const read = await authenticReport(stand, account)
  if ('result' in read) return read
  const { readReport, report } = read
  const [later, earlier] = [anHourMs, -anHourMs].map((ms) =>
    readReport({ ...report, receivedAtMs: Date.now() + ms }),
  )
  return found(
    later?.isAuthentic === false && earlier?.isAuthentic === false,
    'a genuine report was read by a clock an hour ahead, then by one an hour behind',
    [later, earlier].map((each) => (each ? isProven(each) : '')).join('; then '),
    'not authentic, both times',
  )
}

const anHourMs = 3_600_000

export async function unauthenticCallback(stand: Stand, account: string): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  const report = await freshReport(stand, account)
  if (typeof report === 'string') return notRun(report)
  const { provesReportsByAddress } = stand.conformance
  const forgeries = provesReportsByAddress
    ? [{ ...report, address: foreignAddress }]
    : [altered(report), unsigned(report)]
  const read = forgeries.map((forgery) => readReport(forgery))
  return found(
    read.every(({ isAuthentic }) => !isAuthentic),
    provesReportsByAddress
      ? 'a genuine report came from another address'
      : 'a genuine report was altered to be about another payment; then it came without its signature',
    read.map(isProven).join('; then '),
    'not authentic, each time',
  )
}

/** Of no network: for documentation only. */
const foreignAddress = '192.0.2.1'

function withBody(report: ReceivedReport, text: string): ReceivedReport {
  return { ...report, rawBody: Buffer.from(text), fields: parseFields(text) }
}

/** Every reference in it is another, and a blank follows. */
const altered = (report: ReceivedReport) =>
  withBody(report, `${report.rawBody.toString().replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}/g, otherUuid)} `)

const otherUuid = '00000000-0000-4000-8000'

/** Some rails sign in a header, some in a field. */
const unsigned = (report: ReceivedReport) => {
  const { hash: _, signature: __, ...fields } = parseFields(report.rawBody.toString()) ?? {}
  return withBody({ ...report, headers: {} }, JSON.stringify(fields))
}

async function authenticReport(stand: Stand, account: string) {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  const report = await freshReport(stand, account)
  if (typeof report === 'string') return notRun(report)
  if (!readReport(report).isAuthentic)
    return notApplicable('the rail signs no reports: none is ever believed')
  return { readReport, report }
}

/** Of a new payment; or why there is none. */
async function freshReport(stand: Stand, account: string): Promise<ReceivedReport | string> {
  if (!stand.connector.readReport) return noReader
  const order = orderOf(stand, account)
  await submit(stand, order)
  return (await reportOn(stand, order)) ?? noReport
}

const isProven = ({ isAuthentic }: { isAuthentic: boolean }) => (isAuthentic ? 'authentic' : 'not authentic')
