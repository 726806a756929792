import type { RailReport, ReceivedReport } from '@pesewa/connector-kit'
import { hasFields } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { enforceAddressLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { isEnvironment } from '../../platform/scope.ts'
import { openCallbackUrl } from './callback-url.ts'
import { type OwnerType, ownerTypes } from './owner-types.ts'
import type { InstructionParts } from './parts.ts'
import { instructionRoute } from './payment-route.ts'
import { type ArrivedReport, createReports, type ReportResult } from './reports.ts'
import type { InstructionKey } from './store.ts'
import { joinTraceOf } from './traces.ts'
import { logFields } from './updates.ts'

type ReceiveReport = (arrived: ArrivedReport) => Promise<ReportResult>

/**
 * Serves the URLs to which providers send reports. A URL belongs either to a single instruction, and then
 * cannot be guessed, or to a connection.
 */
export function callbackRoutes(parts: InstructionParts): RawRoute[] {
  const receiveReport = createReports(parts)
  return [
    ...ownerTypes.map((ownerType) =>
      callbackRoute(
        parts,
        {
          url: `/callbacks/${ownerType}s/:sealed/:notice?`,
          summary: `Receive a provider’s report on a ${ownerType}`,
        },
        (request) => readAddress(parts, ownerType, request),
        (request) => receive(parts, receiveReport, ownerType, request),
      ),
    ),
    callbackRoute(
      parts,
      {
        url: '/callbacks/connections/:environment/:connection',
        summary: 'Receive a provider’s report on a payment, payout or refund named in the report',
      },
      (request) => findReportReader(parts, request),
      (request) => receiveSigned(parts, receiveReport, request),
    ),
  ]
}

/** Returns a route for PUT and POST requests, because some rails use PUT and others use POST. */
const callbackRoute = (
  parts: InstructionParts,
  named: Pick<RawRoute, 'url' | 'summary'>,
  admit: (request: FastifyRequest) => unknown,
  handle: (request: FastifyRequest) => Promise<RailReport | undefined>,
): RawRoute => ({
  kind: 'raw',
  method: ['PUT', 'POST'],
  ...named,
  admit: async (request) => {
    await enforceAddressLimit(parts, 'callback-limit', parts.settings.callbackLimit, request)
    admit(request)
  },
  handle: async (request, reply) => acknowledge(reply, await handle(request)),
})

const acknowledge = (reply: FastifyReply, report: RailReport | undefined) =>
  (report?.isAuthentic || report?.isHint) && report.answer
    ? reply.code(report.answer.status).type(report.answer.contentType).send(report.answer.body)
    : reply.code(200).send()

const requestLogFields = ({ id, ip }: FastifyRequest) => ({ security: true, requestId: id, address: ip })

function readAddress(parts: InstructionParts, ownerType: OwnerType, request: FastifyRequest): InstructionKey {
  const { sealed = '' } = pathParams(request)
  const key = openCallbackUrl(parts, ownerType, sealed)
  if (key) return key
  parts.log.warn(requestLogFields(request), 'received a callback at a URL that was never issued')
  throw new Refusal('not_found')
}

async function receive(
  parts: InstructionParts,
  receiveReport: ReceiveReport,
  ownerType: OwnerType,
  request: FastifyRequest,
): Promise<RailReport | undefined> {
  const key = readAddress(parts, ownerType, request)
  const result = await receiveReport({ key, received: receivedFrom(request) })
  const suspect = { ...requestLogFields(request), ...logFields({ ownerType, id: key.id }) }
  if (!result.instruction) {
    parts.log.warn(suspect, `received a callback for an unknown ${ownerType}`)
    throw new Refusal('not_found')
  }
  parts.connectionStats.noteReport(instructionRoute(result.instruction))
  joinTraceOf(result.instruction)
  warnOfMismatch(parts, suspect, result)
  return result.report
}

/**
 * Receives a report at the URL of a connection. This URL is not secret, so the report has to be authenticated.
 * If the rail does not sign its reports, a report is only a hint: it triggers a query by our reference, which
 * is known only to the rail and to us.
 */
async function receiveSigned(
  parts: InstructionParts,
  receiveReport: ReceiveReport,
  request: FastifyRequest,
): Promise<RailReport> {
  const { environment, connection, reached, readReport } = findReportReader(parts, request)
  const report = readReport(receivedFrom(request))
  const suspect = { ...requestLogFields(request), connection }
  if (!report.isAuthentic && !report.isHint) {
    parts.log.warn(suspect, 'rejected a callback that failed authentication')
    throw new Refusal('token_invalid', {
      message: 'The report could not be verified as coming from the provider.',
    })
  }
  const reference = report.reference !== undefined && isUuid(report.reference) ? report.reference : null
  const providerReference = (report.isAuthentic && report.providerReference) || null
  if (reference === null && providerReference === null) return report
  const named = { environment, connection, reached, reference, providerReference }
  const result = await receiveReport({ named, report })
  if (result.instruction) joinTraceOf(result.instruction)
  if (!result.instruction)
    parts.log.info({ connection }, 'received a callback for an unknown or already successful instruction')
  else if (report.isAuthentic) parts.connectionStats.noteReport(instructionRoute(result.instruction))
  warnOfMismatch(parts, suspect, result)
  return report
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

function warnOfMismatch({ log }: Platform, suspect: object, { mismatch }: ReportResult): void {
  if (mismatch) log.warn({ ...suspect, other: mismatch }, 'a callback does not match its instruction')
}

/** Returns the function that reads a connection's reports. Refuses the request if the connection is unknown. */
function findReportReader({ connectors }: InstructionParts, request: FastifyRequest) {
  const { environment = '', connection = '' } = pathParams(request)
  const reader = isEnvironment(environment) ? connectors.findReportReader(connection, environment) : undefined
  if (!reader || !isEnvironment(environment)) throw new Refusal('not_found')
  return { environment, connection, ...reader }
}

/** Converts a request from a rail to the form that connectors read. */
export function receivedFrom(request: FastifyRequest): ReceivedReport {
  const { method, url, headers, ip, body, rawBody } = request
  const [path = ''] = url.split('?', 1)
  return {
    method,
    path,
    headers,
    address: ip,
    rawBody: rawBody ?? (Buffer.isBuffer(body) ? body : Buffer.alloc(0)),
    fields: hasFields(body) && !Buffer.isBuffer(body) ? body : undefined,
    notice: pathParams(request).notice || undefined,
  }
}
