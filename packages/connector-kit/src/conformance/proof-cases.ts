import type { Collection, RailReport, ReceivedReport } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import {
  describeAuthenticity,
  describeOutcomes,
  type Finding,
  found,
  noReader,
  noReport,
  notApplicable,
  notRun,
} from './findings.ts'
import type { TestBench } from './test-bench.ts'
import { freshReport, sharedReport } from './waiting.ts'

// Cases that check which of the rail's reports are trusted.

type Account = string | null

const notGenuine = 'no report from the rail is trusted; see "genuine callback"'

export async function doubledCallback(stand: TestBench, account: Account): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  const { report } = (await freshReport(stand, account)) ?? {}
  if (!report) return notRun(noReport)
  const [first, second] = [readReport(report), readReport(report)]
  const isSame =
    first.isAuthentic === second.isAuthentic &&
    first.reference === second.reference &&
    first.verdictOn?.('collect')?.outcome === second.verdictOn?.('collect')?.outcome
  return found(
    isSame,
    'one report was read twice',
    `${describeAuthenticity(first)}; then ${describeAuthenticity(second)}`,
    'the same result twice',
  )
}

export async function genuineCallback(stand: TestBench, account: Account): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  if (stand.noProof !== undefined) return notApplicable(stand.noProof)
  const { order, report } = (await sharedReport(stand, account)) ?? {}
  if (!order || !report) return notRun(noReport)
  const read = readReport(report)
  const verdict = read.verdictOn?.('collect')
  const isAbout = isNamed(stand, order, read)
  const isRight =
    verdict?.outcome !== 'done' ||
    'isAmountUnstated' in verdict ||
    (verdict.amount === order.amount && verdict.currency === order.currency)
  return found(
    read.isAuthentic && isAbout && isRight && verdict?.outcome !== 'refused',
    'a report from the rail was read unchanged',
    [
      `${describeAuthenticity(read)}, about ${isAbout ? 'the payment' : 'no payment in this run'}`,
      ...(verdict ? [`${describeOutcomes(verdict)}${isRight ? '' : ', with a different amount'}`] : []),
    ].join('; '),
    'authentic and about the payment; with the ordered amount if the outcome is done',
  )
}

function isNamed({ seen }: TestBench, { reference }: Collection, read: RailReport): boolean {
  const named = seen.named.get(reference)
  return read.reference === reference || (named !== undefined && read.providerReference === named)
}

export async function clockSkew(stand: TestBench, account: Account): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  if (stand.noProof !== undefined) return notApplicable(stand.noProof)
  const { report } = (await sharedReport(stand, account)) ?? {}
  if (!report) return notRun(noReport)
  if (!readReport(report).isAuthentic) return notRun(notGenuine)
  const [later, earlier] = [anHourMs, -anHourMs].map((ms) =>
    readReport({ ...report, receivedAtMs: Date.now() + ms }),
  )
  return found(
    later?.isAuthentic === false && earlier?.isAuthentic === false,
    'a genuine report was read with the clock set an hour ahead, then an hour behind',
    [later, earlier].map((each) => (each ? describeAuthenticity(each) : '')).join('; then '),
    'not authentic, both times',
  )
}

const anHourMs = 3_600_000

export async function unauthenticCallback(stand: TestBench, account: Account): Promise<Finding> {
  const { readReport } = stand.connector
  if (!readReport) return notApplicable(noReader)
  const { report } = (await sharedReport(stand, account)) ?? {}
  if (!report) return notRun(noReport)
  if (stand.noProof === undefined && !readReport(report).isAuthentic) return notRun(notGenuine)
  const { provesReportsByAddress } = stand.conformance
  const forgeries = provesReportsByAddress
    ? [{ ...report, address: foreignAddress }]
    : [altered(report), unsigned(report)]
  const read = forgeries.map((forgery) => readReport(forgery))
  return found(
    read.every(({ isAuthentic }) => !isAuthentic),
    provesReportsByAddress
      ? 'a genuine report came from another address'
      : 'a genuine report was altered to refer to another payment; then its signature was removed',
    read.map(describeAuthenticity).join('; then '),
    'not authentic, each time',
  )
}

/** An IP address that is reserved for documentation and is never in use. */
const foreignAddress = '192.0.2.1'

function withBody(report: ReceivedReport, text: string): ReceivedReport {
  return { ...report, rawBody: Buffer.from(text), fields: parseFields(text) }
}

/** Returns a copy of the report in which every reference is replaced and a space is appended to the body. */
const altered = (report: ReceivedReport) =>
  withBody(report, `${report.rawBody.toString().replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}/g, otherUuid)} `)

const otherUuid = '00000000-0000-4000-8000'

/** Returns the report without its signature, which some rails send in a header and others in a field. */
const unsigned = (report: ReceivedReport) => {
  const { hash: _, signature: __, ...fields } = parseFields(report.rawBody.toString()) ?? {}
  return withBody({ ...report, headers: {} }, JSON.stringify(fields))
}
