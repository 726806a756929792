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

/** Endpoints through which rails validate and report manual payments. */
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
  validation: 'Validate a manual payment for a provider',
  confirmation: 'Receive a provider’s report of a manual payment',
}

function connectionAt(parts: BillParts, request: FastifyRequest): BillConnection {
  const address = readBillAddress(parts.seals, pathParams(request).sealed ?? '')
  const found =
    address &&
    parts.connectors
      .takingBills()
      .find((each) => each.environment === address.environment && each.connection === address.connection)
  if (found) return found
  parts.log.warn(suspectOf(request), 'received manual payment notice at an unknown URL')
  throw new Refusal('not_found')
}

const suspectOf = ({ id, ip }: FastifyRequest) => ({ security: true, requestId: id, address: ip })

type ReadNotice = { connection: BillConnection; notice: BillNotice; bill: ReportedBill }

/** Reads a notice. Notices are unsigned, so the sender's IP address is the proof. */
function readNotice(parts: BillParts, request: FastifyRequest): ReadNotice {
  const found = connectionAt(parts, request)
  const { environment, connection, providerId, bills } = found
  const notice = bills.readNotice(receivedFrom(request))
  if (!notice.isAuthentic) {
    parts.log.warn(
      { ...suspectOf(request), connection },
      'received manual payment notice from an unknown sender',
    )
    throw new Refusal('token_invalid', { message: 'This notice does not come from the provider.' })
  }
  if (!notice.payment) {
    parts.log.error({ connection, requestId: request.id }, 'failed to read manual payment notice')
    throw new Refusal('arguments_invalid', { message: 'This notice does not contain a payment.' })
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

/**
 * Validates without writing anything. An accepted payer may still pay too late; an operator then decides about
 * the payment.
 */
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

export const unallocated = 'manual payment could not be allocated; see `pesewa bills list`'
