import { randomUUID } from 'node:crypto'
import type { Provider } from '@pesewa/connector-kit'
import {
  holderOf,
  type RailRoute,
  type SimulatorParts,
  type SubmitResult,
  submitCollection,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf } from '@pesewa/values'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { darajaRoutesFor, expressRefusal, payoutRefusal, statusRefusal, tokenRoute } from './access.ts'
import { billRoutes } from './bill-routes.ts'
import { idsOf, merchantRequestId, resultOfExpress, statusReportOf } from './documents.ts'
import { DarajaError, invalid, muddled } from './error.ts'
import { checkoutIdOf, conversationIdOf, originatorIdOf, referenceOf, transactionOfReceipt } from './ids.ts'
import { readExpress, readPayout, readReversal, readStatusQuery, requireSigned } from './request.ts'

/** Safaricom's Daraja: M-Pesa Express, B2C, reversals and status queries. */
export function darajaRoutes(parts: SimulatorParts): RailRoute[] {
  const express = darajaRoutesFor(parts, expressRefusal)
  const payouts = darajaRoutesFor(parts, payoutRefusal)
  const statuses = darajaRoutesFor(parts, statusRefusal)
  const isMuddled = everyFifth()
  return [
    tokenRoute(parts),
    express('POST', '/mpesa/stkpush/v1/processrequest', 'request a payment', (provider, { body }) =>
      ask(parts, provider, body),
    ),
    express('POST', '/mpesa/stkpushquery/v1/query', 'query a payment', (provider, { body }) =>
      answerQuery(parts, provider, fieldsOf(body), isMuddled),
    ),
    ...billRoutes(parts),
    payouts('POST', '/mpesa/b2c/v3/paymentrequest', 'send a payout', async (provider, { body }) => {
      const payout = readPayout(parts, provider, body)
      return respond(await submitDisbursement(parts, payout), idsOf(payout))
    }),
    express('POST', '/mpesa/reversal/v1/request', 'reverse a payment', (provider, { body }) =>
      reverse(parts, provider, body),
    ),
    statuses('POST', '/mpesa/transactionstatus/v1/query', 'query a payout', (provider, { body }) =>
      reportStatus(parts, provider, body),
    ),
    payouts('POST', '/mpesa/b2c/hakikisha/v1/hakikisha', 'look up an account holder', (_, ...call) =>
      showHolder(...call),
    ),
  ]
}

/**
 * Returns a function that decides whether a query fails although the payment is known. As in the sandbox, every
 * fifth query does.
 */
function everyFifth(): () => boolean {
  let count = 0
  return () => {
    count = (count + 1) % 5
    return count === 0
  }
}

async function ask(parts: SimulatorParts, provider: Provider, body: unknown) {
  const asked = readExpress(parts, provider, body)
  // A prompted payment is also reported as a payment to the PayBill number.
  const urls = await parts.store.findBillUrls(provider.providerId)
  const collection = { ...asked, noticeUrl: urls?.confirmationUrl ?? null }
  return respond(await submitCollection(parts, collection), {
    MerchantRequestID: merchantRequestId,
    CheckoutRequestID: checkoutIdOf(collection.reference),
    CustomerMessage: 'Success. Request accepted for processing',
  })
}

function respond(result: SubmitResult, ids: object) {
  if (result === 'again') throw new DarajaError(500, '500.002.1001', 'Duplicate OriginatorConversationID.')
  return acknowledged(ids)
}

const acknowledged = (ids: object) => ({
  ...ids,
  ResponseCode: '0',
  ResponseDescription: 'Accept the service request successfully.',
})

async function answerQuery(
  parts: SimulatorParts,
  { providerId }: Provider,
  body: Record<string, unknown>,
  isMuddled: () => boolean,
) {
  const { CheckoutRequestID, BusinessShortCode, Password, Timestamp } = body
  requireSigned(parts, { BusinessShortCode, Password, Timestamp })
  const reference = referenceOf(CheckoutRequestID)
  const stored = reference && (await parts.store.findCollection({ providerId, reference }))
  if (!stored) throw muddled('The transaction does not Exist')
  if (isMuddled()) throw muddled('')
  const [code, ResultDesc] = resultOfExpress(stored)
  const result = { ResultCode: String(code), ResultDesc }
  return { ...acknowledged({ MerchantRequestID: merchantRequestId, CheckoutRequestID }), ...result }
}

/**
 * Reverses a payment. An unknown or already reversed payment is refused immediately, whereas the real rail
 * reports this later, in the result.
 */
async function reverse(parts: SimulatorParts, provider: Provider, body: unknown) {
  const { receipt, ...reversal } = readReversal(parts, provider, body)
  const transaction = transactionOfReceipt(receipt)
  const original =
    transaction && (await parts.store.findCollectionByTransaction(provider.providerId, transaction))
  if (!original) throw invalid('TransactionID')
  const refund = { ...reversal, refundOf: original.reference }
  const result = await submitRefund(parts, refund)
  if (!result) throw invalid('TransactionID')
  return respond(result, idsOf(refund))
}

/** Acknowledges a status query. The status itself is sent later, in a report. */
async function reportStatus(parts: SimulatorParts, provider: Provider, body: unknown) {
  const { OriginalConversationID: id, ResultURL: url } = readStatusQuery(parts, body)
  const { providerId, protocol } = provider
  const own = referenceOf(id)
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
  const stored = own
    ? await parts.store.findRefund({ providerId, reference: own })
    : isUuid
      ? await parts.store.findDisbursement({ providerId, reference: id })
      : undefined
  const query = randomUUID()
  const callback = {
    protocol,
    method: 'POST',
    url,
    body: JSON.stringify(statusReportOf(stored, query)),
  } as const
  await parts.store.addCallbacks([callback])
  parts.wakeAt(parts.clock.now())
  return acknowledged({
    OriginatorConversationID: originatorIdOf(query),
    ConversationID: conversationIdOf(query),
  })
}

function showHolder(request: FastifyRequest, reply: FastifyReply) {
  const { msisdn } = fieldsOf(fieldsOf(request.body).body)
  const holder = holderOf(String(msisdn))
  if (!holder) return reply.code(400).send({ body: { message: 'The customer does not exist.' } })
  const body = {
    firstName: holder.givenName,
    middleName: 'M******',
    lastName: `${holder.familyName.slice(0, 1)}******`,
  }
  return { header: { status: '200' }, body }
}
