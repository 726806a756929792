import { type BillNotice, type BillRefusal, type BillStage, billStages } from '@pesewa/connector-kit'
import type { FastifyRequest } from 'fastify'
import { enforceAddressLimit } from '../../platform/http/admission/address-limit.ts'
import type { RawRoute } from '../../platform/http/commands/route.ts'
import { pathParams } from '../../platform/http/server/request.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { BillConnection } from '../../rails/connections/connectors.ts'
import { receivedFrom } from '../../rails/instructions/callbacks.ts'
import type { Followers } from '../../rails/instructions/follower.ts'
import type { InstructionSettings } from '../../rails/instructions/settings.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import { validateManualPayment } from '../payment-codes/manual-payments.ts'
import { findMerchantCode } from '../payment-codes/payment-codes.ts'
import { readBillUrl } from './addresses.ts'
import { bookBill, readDigits } from './bills.ts'
import type { ReportedBill } from './store.ts'

/** Endpoints that rails call to validate and report manual payments. */
export const billRoutes = (parts: BillParts): RawRoute[] =>
  billStages.map((stage) => ({
    kind: 'raw',
    method: ['PUT', 'POST'],
    url: `/callbacks/bills/:sealed/${stage}`,
    summary: summaries[stage],
    admit: async (request) => {
      await enforceAddressLimit(parts, 'callback-limit', parts.settings.callbackLimit, request)
      findConnectionByUrl(parts, request)
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

function findConnectionByUrl(parts: BillParts, request: FastifyRequest): BillConnection {
  const address = readBillUrl(parts.seals, pathParams(request).sealed ?? '')
  const found =
    address &&
    parts.connectors
      .billConnections()
      .find((each) => each.environment === address.environment && each.connection === address.connection)
  if (found) return found
  parts.log.warn(securityLogFields(request), 'received a manual payment notice at an unknown URL')
  throw new Refusal('not_found')
}

const securityLogFields = ({ id, ip }: FastifyRequest) => ({ security: true, requestId: id, address: ip })

type ReadNotice = { connection: BillConnection; notice: BillNotice; bill: ReportedBill }

/** Parses a notice. Notices are not signed, so the sender's IP address is checked instead. */
function readNotice(parts: BillParts, request: FastifyRequest): ReadNotice {
  const found = findConnectionByUrl(parts, request)
  const { environment, connection, providerId, bills } = found
  const notice = bills.readNotice(receivedFrom(request))
  if (!notice.isAuthentic) {
    parts.log.warn(
      { ...securityLogFields(request), connection },
      'received a manual payment notice from an unknown sender',
    )
    throw new Refusal('token_invalid', {
      message: 'The notice could not be verified as coming from the provider.',
    })
  }
  if (!notice.payment) {
    parts.log.error({ connection, requestId: request.id }, 'failed to parse a manual payment notice')
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

const handlers: Record<BillStage, Handle> = { validation: validateBill, confirmation: confirmBill }

/**
 * Validates a payment without writing anything. Even if it is valid, the payment may arrive too late; an
 * operator then decides what happens to it.
 */
async function validateBill({ db, clock }: BillParts, _: BillConnection, bill: ReportedBill) {
  const dialled = await findMerchantCode(db, bill.environment, readDigits(bill.accountReference))
  if (!dialled) return 'reference'
  const { scope, code } = dialled
  return validateManualPayment(db, { ...code, scope }, bill, clock.now(scope))
}

async function confirmBill(parts: BillParts, { connection }: BillConnection, bill: ReportedBill) {
  const booked = await parts.db.transaction((tx) => bookBill(tx, parts, bill))
  if (booked === 'unallocated') parts.log.warn({ connection }, unallocatedMessage)
  return undefined
}

export const unallocatedMessage = 'a manual payment could not be allocated; see `pesewa bills list`'

export type BillParts = Platform<InstructionSettings> & Providers & { followers: Followers }
