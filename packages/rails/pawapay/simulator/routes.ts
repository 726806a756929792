import type { Provider } from '@pesewa/connector-kit'
import {
  loseResponse,
  type NewRefundRequest,
  pathParams,
  type RailRoute,
  type RequestKey,
  type SimulatorParts,
  type SubmitResult,
  submitCollection,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pawapay } from '../protocol.ts'
import { simulatorToken } from '../test-credentials.ts'

import { dataOf, documentWithPage } from './documents.ts'
import { invalidInput, PawapayError, PawapayRejection, showPawapayError, unknownError } from './error.ts'
import { readDeposit, readPayout, readRefund } from './request.ts'

/** Routes for deposits, payouts and refunds of every simulated provider that pawaPay reaches. */
export const moneyRoutes = (parts: SimulatorParts): RailRoute[] => [
  pawapayRoute(parts, 'POST', '/v2/deposits', 'collect', async (provider, request, reply) => {
    const deposit = readDeposit(provider, request, parts.baseUrl)
    const result = await submitCollection(parts, deposit)
    if (deposit.returnUrl !== null && isAccepted(result)) await announcePage(parts, deposit)
    const nextStep = deposit.returnUrl === null ? 'FINAL_STATUS' : 'GET_AUTH_URL'
    return respond(result, request, reply, { depositId: deposit.reference }, { nextStep })
  }),
  pawapayRoute(parts, 'GET', '/v2/deposits/:id', 'query a deposit', async (provider, request) => {
    const deposit = await parts.store.findCollection(keyOf(provider, request))
    return found(deposit && documentWithPage(parts, deposit))
  }),
  pawapayRoute(parts, 'POST', '/v2/payouts', 'send a payout', async (provider, request, reply) => {
    const payout = readPayout(provider, request)
    const result = await submitDisbursement(parts, payout)
    return respond(result, request, reply, { payoutId: payout.reference })
  }),
  pawapayRoute(parts, 'GET', '/v2/payouts/:id', 'query a payout', async (provider, request) => {
    const payout = await parts.store.findDisbursement(keyOf(provider, request))
    return found(payout && dataOf(payout))
  }),
  pawapayRoute(parts, 'POST', '/v2/refunds', 'refund a deposit', async (provider, request, reply) => {
    const refund = readRefund(provider, request)
    const result = await refundDeposit(parts, refund)
    return respond(result, request, reply, { refundId: refund.reference })
  }),
  pawapayRoute(parts, 'GET', '/v2/refunds/:id', 'query a refund', async (provider, request) => {
    const refund = await parts.store.findRefund(keyOf(provider, request))
    return found(refund && dataOf(refund))
  }),
]

/** Returns a route for callers with this installation's token. */
export const pawapayRoute = (
  parts: SimulatorParts,
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  kind: 'raw',
  method,
  url: `/simulator/${pawapay.name}/:providerId${path}`,
  summary: `Simulated pawaPay: ${summary}`,
  showError: showPawapayError(parts.log),
  admit: (request) => enter(parts, request),
  handle: async (request, reply) => {
    try {
      return await handle(enter(parts, request), request, reply)
    } catch (error) {
      if (error instanceof PawapayRejection) return rejectionOf(request, error)
      throw error
    }
  },
})

/**
 * Returns the provider named in the path. If the provider belongs to another rail, the request is refused with
 * a 404 response. Its code differs from the code for an unknown reference, so that the two cannot be confused.
 */
function enter({ catalogue, seals }: SimulatorParts, request: FastifyRequest): Provider {
  const { providerId = '' } = pathParams(request)
  const { authorization = '' } = request.headers
  const provider = catalogue.find(providerId)
  if (provider?.protocol !== pawapay.name)
    throw new PawapayError(404, 'NO_SUCH_RAIL', 'This rail does not exist.')
  if (authorization === '') throw new PawapayError(401, 'NO_AUTHENTICATION', 'The token is missing.')
  if (!sameText(authorization, `Bearer ${simulatorToken(seals)}`))
    throw new PawapayError(403, 'AUTHENTICATION_ERROR', 'The token is not valid.')
  return provider
}

function rejectionOf({ body }: FastifyRequest, { code }: PawapayRejection): object {
  const ids = Object.entries(body ?? {}).filter(([name]) => /^(deposit|payout|refund)Id$/.test(name))
  const failureReason = { failureCode: code, failureMessage: 'Simulated rejection.' }
  return { ...Object.fromEntries(ids), status: 'REJECTED', failureReason }
}

/** Sends a callback that contains the URL of the authorization page. */
async function announcePage(parts: SimulatorParts, key: RequestKey): Promise<void> {
  const deposit = await parts.store.findCollection(key)
  if (!deposit) return
  const url = parts.connectionUrl(deposit.providerId)
  const body = JSON.stringify(documentWithPage(parts, deposit))
  await parts.store.addCallbacks([{ protocol: deposit.protocol, method: 'POST', url, body }])
  parts.wakeAt(parts.clock.now())
}

const isAccepted = (result: SubmitResult) => result === 'accept' || result === 'drop'

function respond(
  result: SubmitResult,
  request: FastifyRequest,
  reply: FastifyReply,
  id: object,
  accepted: object = {},
): unknown {
  if (result === 'fail') throw unknownError()
  if (result === 'drop') return loseResponse(request, reply)
  return result === 'again'
    ? { ...id, status: 'DUPLICATE_IGNORED' }
    : { ...id, status: 'ACCEPTED', ...accepted }
}

const found = (data: object | undefined): object =>
  data ? { status: 'FOUND', data } : { status: 'NOT_FOUND' }

/**
 * Refunds a deposit. Only one refund at a time is allowed, and only up to the amount paid. Two concurrent
 * refunds may nevertheless both be started.
 */
async function refundDeposit(parts: SimulatorParts, refund: NewRefundRequest): Promise<SubmitResult> {
  const { providerId, refundOf, amountMinor } = refund
  if (await parts.store.findRefund(refund)) return 'again'
  const deposit = await parts.store.findCollection({ providerId, reference: refundOf })
  if (!deposit) throw new PawapayRejection('NOT_FOUND')
  const { refundedMinor, isPending } = await parts.store.findRefunded({ providerId, reference: refundOf })
  if (isPending) throw new PawapayRejection('REFUND_IN_PROGRESS')
  if (refundedMinor >= deposit.amountMinor) throw new PawapayRejection('DEPOSIT_ALREADY_REFUNDED')
  if (refundedMinor + amountMinor > deposit.amountMinor) throw new PawapayRejection('AMOUNT_TOO_LARGE')
  const result = await submitRefund(parts, refund)
  if (!result) throw new PawapayRejection('INVALID_STATE')
  return result
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function keyOf({ providerId }: Provider, request: FastifyRequest) {
  const { id = '' } = pathParams(request)
  if (!uuid.test(id)) throw invalidInput()
  return { providerId, reference: id }
}
