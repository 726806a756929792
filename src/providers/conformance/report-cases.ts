import type { ReceivedReport } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import { type Finding, found, notRun, wordsOf } from './findings.ts'
import { follow, orderOf, reportOn, type Stand } from './stand.ts'

// Cases about what the rail says later: its outcomes and its reports.

const noReader = 'the connector reads no reports: outcomes come from queries only'
const noReport = 'no report came: the rail sends none, or cannot reach the kit'

export async function lateSuccess(stand: Stand, account: string): Promise<Finding> {
  const order = orderOf(stand, account)
  await stand.connector.collect(order)
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
  const submitted = await stand.connector.collect(silent)
  const queried = await follow(stand, silent)
  return found(
    submitted.outcome === 'accepted' && ['done', 'pending'].includes(queried.outcome),
    'no report was read; the rail was only queried',
    wordsOf(submitted, queried),
    'accepted; then the truth by queries alone',
  )
}

export async function callbackBeforeAnswer(stand: Stand, account: string): Promise<Finding> {
  if (!stand.connector.readReport) return notRun(noReader)
  const order = orderOf(stand, account)
  let report: ReceivedReport | undefined
  stand.proxy.interfere(order.reference, async (forward) => {
    const answer = await forward()
    report = await reportOn(stand, order)
    return answer
  })
  const submitted = await stand.connector.collect(order)
  stand.proxy.interfere(order.reference, (forward) => forward())
  report ??= await reportOn(stand, order)
  if (!report) return notRun(noReport)
  const read = stand.connector.readReport(report)
  const queried = await follow(stand, order)
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
  if (!readReport || typeof report === 'string') return notRun(typeof report === 'string' ? report : noReader)
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
  const headers = Object.fromEntries(
    Object.entries(read.report.headers).map(([name, value]) => [name, anHourOn(value)]),
  )
  const skewed = read.readReport({ ...read.report, headers })
  return found(
    !skewed.isAuthentic,
    'the time in the headers of a genuine report was moved by an hour',
    isProven(skewed),
    'not authentic',
  )
}

const anHourOn = (value: string | string[] | undefined) =>
  typeof value === 'string' && /^\d{10}$/.test(value) ? String(BigInt(value) + 3600n) : value

export async function unauthenticCallback(stand: Stand, account: string): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notRun(noReader)
  const report = await freshReport(stand, account)
  if (typeof report === 'string') return notRun(report)
  const forged = Buffer.from(`${report.rawBody} `)
  const altered = readReport({ ...report, rawBody: forged, fields: parseFields(forged.toString()) })
  const bare = readReport({ ...report, headers: {} })
  return found(
    !altered.isAuthentic && !bare.isAuthentic,
    'a genuine report was altered by a blank; then it came without its headers',
    `${isProven(altered)}; then ${isProven(bare)}`,
    'not authentic, both times',
  )
}

async function authenticReport(stand: Stand, account: string) {
  const { readReport } = stand.connector
  if (!readReport) return notRun(noReader)
  const report = await freshReport(stand, account)
  if (typeof report === 'string') return notRun(report)
  if (!readReport(report).isAuthentic) return notRun('the rail signs no reports: none is ever believed')
  return { readReport, report }
}

/** Of a new payment; or why there is none. */
async function freshReport(stand: Stand, account: string): Promise<ReceivedReport | string> {
  if (!stand.connector.readReport) return noReader
  const order = orderOf(stand, account)
  await stand.connector.collect(order)
  return (await reportOn(stand, order)) ?? noReport
}

const isProven = ({ isAuthentic }: { isAuthentic: boolean }) => (isAuthentic ? 'authentic' : 'not authentic')
