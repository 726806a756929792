import type { Provider } from '@pesewa/connector-kit'
import {
  keyWith,
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
import { walletRoutesFor } from './access.ts'
import { linkOf, pendingState, referenceIn, type StoredRequest, stateOf, transactionOf } from './documents.ts'
import { GsmaRailError, notFound } from './error.ts'
import { readDisbursement, readPayment, readReversal } from './request.ts'

/** Routes for payments, disbursements, reversals and queries of every simulated wallet. */
export function moneyRoutes(parts: SimulatorParts): RailRoute[] {
  const { store, baseUrl } = parts
  const route = walletRoutesFor(parts)
  return [
    route('POST', '/transactions/type/merchantpay', 'collect', async (provider, request, reply) => {
      const payment = readPayment(provider, request, baseUrl)
      return respond(await submitCollection(parts, payment), reply, payment)
    }),
    route('POST', '/transactions/type/disbursement', 'send a payout', async (provider, request, reply) => {
      const disbursement = readDisbursement(provider, request, baseUrl)
      return respond(await submitDisbursement(parts, disbursement), reply, disbursement)
    }),
    route('POST', '/transactions/:id/reversals', 'refund a payment', async (provider, request, reply) => {
      const number = transactionNumberOf(request)
      const paid = await store.findCollectionByTransaction(provider.providerId, number)
      if (!paid) throw notFound()
      const refund = readReversal(provider, request, baseUrl, paid.reference)
      return respond(await giveBack(parts, refund), reply, refund)
    }),
    route('GET', '/responses/:id', 'get the result of a request', async (provider, request) => ({
      link: linkOf(await storedUnder(parts, provider, idOf(request))),
    })),
    route('GET', '/requeststates/:id', 'get the state of a request', async (provider, request) =>
      stateOf(await storedUnder(parts, provider, referenceIn(idOf(request)))),
    ),
    route('GET', '/transactions/:id', 'get a transaction', async (provider, request) => {
      const [{ providerId }, number] = [provider, transactionNumberOf(request)]
      const key =
        (await store.findCollectionByTransaction(providerId, number)) ??
        (await store.findDisbursementByTransaction(providerId, number))
      return transactionOf(await storedUnder(parts, provider, key?.reference ?? ''))
    }),
  ]
}

const idOf = (request: FastifyRequest): string => pathParams(request).id ?? ''

function transactionNumberOf(request: FastifyRequest): bigint {
  const [, number] = /^REF-([0-9]{1,18})$/.exec(idOf(request)) ?? []
  if (number === undefined) throw notFound()
  return BigInt(number)
}

async function storedUnder(
  { store }: SimulatorParts,
  provider: Provider,
  reference: string,
): Promise<StoredRequest> {
  const key = keyWith(provider, reference, notFound())
  const stored =
    (await store.findCollection(key)) ?? (await store.findDisbursement(key)) ?? (await store.findRefund(key))
  if (!stored) throw notFound()
  return stored
}

function respond(result: SubmitResult, reply: FastifyReply, submitted: { reference: string }): unknown {
  if (result === 'again') throw new GsmaRailError('businessRule', 'duplicateRequest')
  return reply.code(202).send(pendingState(submitted))
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
