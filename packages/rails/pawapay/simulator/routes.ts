import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  keyWith,
  LostResponse,
  type NewRefundRequest,
  pathParams,
  providerIn,
  type RailHandle,
  type RailRoute,
  type RequestKey,
  routesFor,
  type SimulatorParts,
  type SubmitResult,
  submitCollection,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import { sameText } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import { pawapay } from '../protocol.ts'
import { simulatorToken } from '../test-credentials.ts'
import { dataOf, documentWithPage } from './documents.ts'
import { invalidInput, PawapayError, PawapayRejection, showPawapayError } from './error.ts'
import { readDeposit, readPayout, readRefund } from './request.ts'

/** Routes for deposits, payouts and refunds of every simulated provider that pawaPay reaches. */
export function moneyRoutes(parts: SimulatorParts): RailRoute[] {
  const route = pawapayRoutesFor(parts)
  return [
    route('POST', '/v2/deposits', 'collect', async (provider, request) => {
      const deposit = readDeposit(provider, request, parts.baseUrl)
      const id = { depositId: deposit.reference }
      if (deposit.returnUrl !== null)
        return respond(await submitWithPage(parts, deposit), id, { nextStep: 'GET_AUTH_URL' })
      return respond(await submitCollection(parts, deposit), id, { nextStep: 'FINAL_STATUS' })
    }),
    route('GET', '/v2/deposits/:id', 'query a deposit', async (provider, request) => {
      const deposit = await parts.store.findCollection(keyOf(provider, request))
      return found(deposit && documentWithPage(parts, deposit))
    }),
    route('POST', '/v2/payouts', 'send a payout', async (provider, request) => {
      const payout = readPayout(provider, request)
      return respond(await submitDisbursement(parts, payout), { payoutId: payout.reference })
    }),
    route('GET', '/v2/payouts/:id', 'query a payout', async (provider, request) => {
      const payout = await parts.store.findDisbursement(keyOf(provider, request))
      return found(payout && dataOf(payout))
    }),
    route('POST', '/v2/refunds', 'refund a deposit', async (provider, request) => {
      const refund = readRefund(provider, request)
      return respond(await refundDeposit(parts, refund), { refundId: refund.reference })
    }),
    route('GET', '/v2/refunds/:id', 'query a refund', async (provider, request) => {
      const refund = await parts.store.findRefund(keyOf(provider, request))
      return found(refund && dataOf(refund))
    }),
  ]
}

/** Creates routes for callers with this installation's token. */
export function pawapayRoutesFor(parts: SimulatorParts) {
  const route = routesFor({
    protocol: pawapay.name,
    name: 'pawaPay',
    showError: showPawapayError(parts.log),
    enter: (request) => enter(parts, request),
  })
  return (method: 'GET' | 'POST', path: string, summary: string, handle: RailHandle): RailRoute =>
    route(method, path, summary, async (provider, request, reply) => {
      try {
        return await handle(provider, request, reply)
      } catch (error) {
        if (error instanceof PawapayRejection) return rejectionOf(request, error)
        throw error
      }
    })
}

function enter(parts: SimulatorParts, request: FastifyRequest): Provider {
  const { authorization = '' } = request.headers
  const noSuchRail = new PawapayError(404, 'NO_SUCH_RAIL', 'This rail does not exist.')
  const provider = providerIn(parts, request, pawapay.name, noSuchRail)
  if (authorization === '') throw new PawapayError(401, 'NO_AUTHENTICATION', 'The token is missing.')
  if (!sameText(authorization, `Bearer ${simulatorToken(parts.seals)}`))
    throw new PawapayError(403, 'AUTHENTICATION_ERROR', 'The token is not valid.')
  return provider
}

/** Submits a deposit and announces its page, even if the response is lost. */
async function submitWithPage(parts: SimulatorParts, deposit: CollectionRequest): Promise<SubmitResult> {
  try {
    const result = await submitCollection(parts, deposit)
    if (result === 'accepted') await announcePage(parts, deposit)
    return result
  } catch (error) {
    if (error instanceof LostResponse) await announcePage(parts, deposit)
    throw error
  }
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

const respond = (result: SubmitResult, id: object, accepted: object = {}) =>
  result === 'again' ? { ...id, status: 'DUPLICATE_IGNORED' } : { ...id, status: 'ACCEPTED', ...accepted }

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

const keyOf = (provider: Provider, request: FastifyRequest) =>
  keyWith(provider, pathParams(request).id, invalidInput())
