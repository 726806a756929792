import type { FastifyRequest } from 'fastify'
import { receivedFrom } from '../instructions/callbacks.ts'
import { judgeByHand } from '../payment-codes/made-by-hand.ts'
import { findDialledCode } from '../payment-codes/payment-codes.ts'
import { limitAddress } from '../platform/http/address-limit.ts'
import { pathParams } from '../platform/http/request.ts'
import type { RawRoute } from '../platform/http/route.ts'
import { Refusal } from '../platform/refusals.ts'
import { type BillNotice, type BillRefusal, type BillStage, billStages } from '../providers/connector.ts'
import type { BillConnection } from '../providers/connectors.ts'
import { readBillAddress } from './addresses.ts'
import { bookBill, digitsOf } from './bills.ts'
import type { BillParts } from './parts.ts'
import type { ReportedBill } from './store.ts'

/** Where rails ask about payments by hand, and report them. */
export const billRoutes = (parts: BillParts): RawRoute[] =>
  billStages.map((stage) => ({
    kind: 'raw',
    method: ['PUT', 'POST'],
    url: `/callbacks/bills/:sealed/${stage}`,
    summary: summaries[stage],
    admit: async (request) => {
      await limitAddress(parts, 'callback-limit', parts.settings.callbackLimit, request)
      connectionAt(parts, request)
    },
    handle: async (request, reply) => {
      const { connection, notice, bill } = readNotice(parts, request)
      const refusal = await handlers[stage](parts, connection, bill)
      const { status, contentType, body } = notice.answer(refusal)
      return reply.code(status).type(contentType).send(body)
    },
  }))

const summaries: Record<BillStage, string> = {
  validation: 'A provider asks whether a payment by hand may be made',
  confirmation: 'A provider reports a payment by hand',
}

function connectionAt(parts: BillParts, request: FastifyRequest): BillConnection {
  const address = readBillAddress(parts.seals, pathParams(request).sealed ?? '')
  const found =
    address &&
    parts.connectors
      .takingBills()
      .find((each) => each.environment === address.environment && each.connection === address.connection)
  if (found) return found
  parts.log.warn(suspectOf(request), 'a notice of a payment by hand at an address that we never issued')
  throw new Refusal('not_found')
}

const suspectOf = ({ id, ip }: FastifyRequest) => ({ security: true, requestId: id, address: ip })

type ReadNotice = { connection: BillConnection; notice: BillNotice; bill: ReportedBill }

/** Nothing is signed: the address that a notice comes from is what proves it. */
function readNotice(parts: BillParts, request: FastifyRequest): ReadNotice {
  const found = connectionAt(parts, request)
  const { environment, connection, providerId, bills } = found
  const notice = bills.readNotice(receivedFrom(request))
  if (!notice.isAuthentic) {
    parts.log.warn({ ...suspectOf(request), connection }, 'a notice of a payment by hand from elsewhere')
    throw new Refusal('token_invalid', { message: 'This notice does not come from the provider.' })
  }
  if (!notice.payment) {
    parts.log.error({ connection, requestId: request.id }, 'a notice of a payment by hand cannot be read')
    throw new Refusal('arguments_invalid', { message: 'This notice does not say what was paid.' })
  }
  const bill = { ...notice.payment, environment, connection, providerId, source: 'notice' as const }
  return { connection: found, notice, bill }
}

type Handle = (
  parts: BillParts,
  connection: BillConnection,
  bill: ReportedBill,
) => Promise<BillRefusal | undefined>

const handlers: Record<BillStage, Handle> = { validation: judge, confirmation: book }

/** Only reads. A payer who was let through may still pay too late; then the payment waits for a person. */
async function judge({ db, clock }: BillParts, _: BillConnection, bill: ReportedBill) {
  const dialled = await findDialledCode(db, bill.environment, digitsOf(bill.accountReference))
  if (!dialled) return 'reference'
  const { scope, code } = dialled
  return judgeByHand(db, { ...code, scope }, bill, clock.now(scope))
}

async function book(parts: BillParts, { connection }: BillConnection, bill: ReportedBill) {
  const booked = await parts.db.transaction((tx) => bookBill(tx, parts, bill))
  if (booked === 'unallocated') parts.log.warn({ connection }, unallocated)
  return undefined
}

export const unallocated =
  'a payment by hand names nothing that is to be paid like this; `pesewa bills list` shows it'
