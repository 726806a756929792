import type { FastifyRequest } from 'fastify'
import { type Batches, createBatches, laneOf } from '../platform/batches.ts'
import { byName, nameIn } from '../platform/db/scoped.ts'
import { limitAddress } from '../platform/http/address-limit.ts'
import type { RateLimiter } from '../platform/http/rate-limits.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { Refusal } from '../platform/refusals.ts'
import type { Connectors } from '../providers/connectors.ts'
import { readSealed } from './callback-url.ts'
import { askNow } from './instructions.ts'
import { nounOf } from './nouns.ts'
import { type Instruction, type InstructionKey, type InstructionKind, selectInstructions } from './store.ts'

type CallbackParts = Platform & { connectors: Connectors; limiter: RateLimiter }
type Report = { key: InstructionKey; body: unknown }
/** What a report is about; what it says that was not asked. */
type Received = { instruction: Instruction | undefined; other: Difference | undefined }
type Difference = 'reference' | 'amount' | 'currency'

/**
 * Providers' callbacks. What one says is not believed, only compared with what was asked: it makes us ask the provider
 * now instead of later. One that is about something else than its address makes us do nothing. Rails differ in whether
 * they PUT or POST.
 */
export function callbackRoutes(parts: CallbackParts): RawRoute[] {
  const reports = createReports(parts)
  return (['collect', 'disburse'] as const).map((kind) => ({
    kind: 'raw',
    method: ['PUT', 'POST'],
    url: `/callbacks/${nounOf[kind]}s/:sealed`,
    summary: `A provider reports on a ${nounOf[kind]}`,
    admit: async (request) => {
      await limitAddress(parts, 'callback-limit', parts.settings.callbackLimit, request)
      readAddress(parts, kind, request)
    },
    handle: async (request, reply) => {
      await receive(parts, reports, kind, request)
      return reply.code(200).send()
    },
  }))
}

const suspectOf = (request: FastifyRequest) => ({
  security: true,
  requestId: request.id,
  address: request.ip,
})

function readAddress(
  { seals, log }: Platform,
  kind: InstructionKind,
  request: FastifyRequest,
): InstructionKey {
  const { sealed } = request.params as { sealed: string }
  const key = readSealed(seals, kind, sealed)
  if (key) return key
  log.warn(suspectOf(request), 'a callback to an address we never gave out')
  throw new Refusal('not_found')
}

async function receive(
  parts: CallbackParts,
  reports: Batches<Report, Received>,
  kind: InstructionKind,
  request: FastifyRequest,
): Promise<void> {
  const key = readAddress(parts, kind, request)
  const { instruction, other } = await reports.submit('', { key, body: request.body })
  const suspect = { ...suspectOf(request), [`${nounOf[kind]}Id`]: showId(nounOf[kind], key.id) }
  if (!instruction) {
    parts.log.warn(suspect, `a callback about a ${nounOf[kind]} that is not there`)
    throw new Refusal('not_found')
  }
  if (other) parts.log.warn({ ...suspect, other }, 'a callback says something else than was asked')
}

/** Those that come at the same time are received together. */
function createReports({ db, clock, connectors }: CallbackParts): Batches<Report, Received> {
  return createBatches({
    partOf: ({ key }) => laneOf(key.scope),
    run: (reports, bounds) =>
      db.transaction(async (tx) => {
        const found = await selectInstructions(
          tx,
          reports.map(({ key }) => key),
        )
        const byKey = byName(found)
        const received = reports.map(({ key, body }): Received => {
          const instruction = byKey.get(nameIn(key.scope, key.id))
          return { instruction, other: instruction && otherThanAsked(connectors, instruction, body) }
        })
        const due = new Map(
          received.flatMap(({ instruction, other }) =>
            instruction && !other ? [[instruction.id, instruction] as const] : [],
          ),
        )
        await askNow(
          tx,
          [...due.values()].map((instruction) => ({ ...instruction, at: clock.now(instruction.scope) })),
        )
        return received.map((answer) => ({ answer }))
      }, bounds),
  })
}

/** What a callback says that was not asked, as far as it can be read. */
function otherThanAsked(
  connectors: Connectors,
  instruction: Instruction,
  body: unknown,
): Difference | undefined {
  const connector = connectors.connectorOf(instruction.providerId, instruction.scope.environment)
  if (!connector?.readReport || !isFields(body)) return undefined
  const { reference, amount, currency } = connector.readReport(body)
  if (reference !== undefined && reference !== instruction.reference && reference !== instruction.orderNumber)
    return 'reference'
  if (currency !== undefined && currency !== instruction.currency) return 'currency'
  return amount !== undefined && amount !== instruction.amount ? 'amount' : undefined
}

const isFields = (body: unknown): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Buffer.isBuffer(body)
