import type { Provider } from '@pesewa/connector-kit'
import {
  loseResponse,
  type NewRefundRequest,
  pathParams,
  type RailRoute,
  type SimulatorParts,
  type SubmitResult,
  submitCollection,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gsma } from '../protocol.ts'

import { enter, requireHash } from './access.ts'
import { linkOf, pendingState, referenceIn, type StoredRequest, stateOf, transactionOf } from './documents.ts'
import { broken, GsmaRailError, notFound, showGsmaError } from './error.ts'
import { readDisbursement, readPayment, readReversal } from './request.ts'

/** Routes for payments, disbursements, reversals and queries of every simulated wallet. */
export const moneyRoutes = (parts: SimulatorParts): RailRoute[] => [
  walletRoute(
    parts,
    'POST',
    '/transactions/type/merchantpay',
    'collect',
    async (provider, request, reply) => {
      const payment = readPayment(provider, request, parts.baseUrl)
      return respond(await submitCollection(parts, payment), request, reply, payment)
    },
  ),
  walletRoute(
    parts,
    'POST',
    '/transactions/type/disbursement',
    'send a payout',
    async (provider, request, reply) => {
      const disbursement = readDisbursement(provider, request, parts.baseUrl)
      return respond(await submitDisbursement(parts, disbursement), request, reply, disbursement)
    },
  ),
  walletRoute(
    parts,
    'POST',
    '/transactions/:id/reversals',
    'refund a payment',
    async (provider, request, reply) => {
      const paid = await parts.store.findCollectionByTransaction(
        provider.providerId,
        transactionNumberOf(request),
      )
      if (!paid) throw notFound()
      const refund = readReversal(provider, request, parts.baseUrl, paid.reference)
      return respond(await giveBack(parts, refund), request, reply, refund)
    },
  ),
  walletRoute(parts, 'GET', '/responses/:id', 'get the result of a request', async (provider, request) => ({
    link: linkOf(await storedUnder(parts, provider, idOf(request))),
  })),
  walletRoute(parts, 'GET', '/requeststates/:id', 'get the state of a request', async (provider, request) =>
    stateOf(await storedUnder(parts, provider, referenceIn(idOf(request)))),
  ),
  walletRoute(parts, 'GET', '/transactions/:id', 'get a transaction', async (provider, request) => {
    const [{ providerId }, number] = [provider, transactionNumberOf(request)]
    const key =
      (await parts.store.findCollectionByTransaction(providerId, number)) ??
      (await parts.store.findDisbursementByTransaction(providerId, number))
    return transactionOf(await storedUnder(parts, provider, key?.reference ?? ''))
  }),
]

/** Returns a route for callers with this installation's credentials. */
export const walletRoute = (
  parts: SimulatorParts,
  method: 'GET' | 'POST',
  path: string,
  summary: string,
  handle: (provider: Provider, request: FastifyRequest, reply: FastifyReply) => unknown,
): RailRoute => ({
  kind: 'raw',
  method,
  url: `/simulator/${gsma.name}/:providerId${path}`,
  summary: `Simulated GSMA wallet: ${summary}`,
  showError: showGsmaError(parts.log),
  admit: (request) => enter(parts, request),
  handle: async (request, reply) => {
    requireHash(request)
    return handle(enter(parts, request), request, reply)
  },
})

const idOf = (request: FastifyRequest): string => pathParams(request).id ?? ''

function transactionNumberOf(request: FastifyRequest): bigint {
  const [, number] = /^REF-([0-9]{1,18})$/.exec(idOf(request)) ?? []
  if (number === undefined) throw notFound()
  return BigInt(number)
}

async function storedUnder(
  { store }: SimulatorParts,
  { providerId }: Provider,
  reference: string,
): Promise<StoredRequest> {
  const key = { providerId, reference }
  const stored =
    isUuid(reference) &&
    ((await store.findCollection(key)) ??
      (await store.findDisbursement(key)) ??
      (await store.findRefund(key)))
  if (!stored) throw notFound()
  return stored
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

function respond(
  result: SubmitResult,
  request: FastifyRequest,
  reply: FastifyReply,
  submitted: { reference: string },
): unknown {
  if (result === 'fail') throw broken()
  if (result === 'again') throw new GsmaRailError('businessRule', 'duplicateRequest')
  return result === 'drop' ? loseResponse(request, reply) : reply.code(202).send(pendingState(submitted))
}

/**
 * Refunds a payment, but refuses to refund more than was paid. Two concurrent refunds may nevertheless both be
 * started.
 */
async function giveBack(parts: SimulatorParts, refund: NewRefundRequest): Promise<SubmitResult> {
  const { providerId, refundOf, amountMinor } = refund
  if (await parts.store.findRefund(refund)) return 'again'
  const paid = await parts.store.findCollection({ providerId, reference: refundOf })
  const { refundedMinor } = await parts.store.findRefunded({ providerId, reference: refundOf })
  if (refundedMinor + amountMinor > (paid?.amountMinor ?? 0n))
    throw new GsmaRailError('businessRule', 'overPaymentNotAllowed')
  const result = await submitRefund(parts, refund)
  if (!result) throw new GsmaRailError('businessRule', 'incorrectState')
  return result
}
