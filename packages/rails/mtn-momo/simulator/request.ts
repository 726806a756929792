import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  callbackUrlOf,
  type DisbursementRequest,
  minorUnitsOf,
  type NewRefundRequest,
} from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { badRequest, MtnError } from './error.ts'

// The real API rejects the whole request if it contains an apostrophe.
const note = Type.Optional(Type.String({ maxLength: 160, pattern: "^[^\\u0000-\\u001f']*$" }))

const party = Type.Object({
  partyIdType: Type.Literal('MSISDN'),
  partyId: Type.String({ pattern: '^[1-9][0-9]{5,14}$' }),
})
const fields = {
  amount: Type.String({ maxLength: 32 }),
  currency: Type.String(),
  externalId: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9 ._-]*$' })),
  payerMessage: note,
  payeeNote: note,
}
const requestToPay = Compile(Type.Object({ ...fields, payer: party }))
const transfer = Compile(Type.Object({ ...fields, payee: party }))

const refund = Compile(Type.Object({ ...fields, referenceIdToRefund: Type.String({ maxLength: 64 }) }))

const malformed = () => badRequest('The request does not follow the specification.')

/**
 * Validates a request to pay as MTN does. Callbacks are only sent to the host of `baseUrl`.
 *
 * @throws MtnError
 */
export function readRequestToPay(
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
): CollectionRequest {
  const { body } = request
  if (!requestToPay.Check(body)) throw malformed()
  return { ...readFields(provider, request, body, baseUrl), payer: body.payer.partyId, returnUrl: null }
}

/** Validates a transfer in the same way as a request to pay. */
export function readTransfer(
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
): DisbursementRequest {
  const { body } = request
  if (!transfer.Check(body)) throw malformed()
  return { ...readFields(provider, request, body, baseUrl), payee: body.payee.partyId }
}

/** Validates a refund in the same way as a request to pay. */
export function readRefund(provider: Provider, request: FastifyRequest, baseUrl: string): NewRefundRequest {
  const { body } = request
  if (!refund.Check(body)) throw malformed()
  const { referenceIdToRefund, payerMessage = '' } = body
  if (!uuidV4.test(referenceIdToRefund)) throw badRequest('referenceIdToRefund must be a UUID version 4.')
  const fields = readFields(provider, request, body, baseUrl)
  return { ...fields, refundOf: referenceIdToRefund, message: payerMessage }
}

type Fields = Static<Type.TObject<typeof fields>>

function readFields(provider: Provider, request: FastifyRequest, body: Fields, baseUrl: string) {
  const reference = String(request.headers['x-reference-id'] ?? '')
  if (!uuidV4.test(reference)) throw badRequest('X-Reference-Id must be a UUID version 4.')
  const { amount, currency, externalId = '', payerMessage = '', payeeNote = '' } = body
  if (!provider.currencies.includes(currency))
    throw new MtnError(500, 'INVALID_CURRENCY', 'Currency not supported.')
  return {
    providerId: provider.providerId,
    reference,
    protocol: provider.protocol,
    amount,
    amountMinor: minorUnitsOf(amount, currency, badRequest('The amount is not valid.')),
    currency,
    externalId,
    payerMessage,
    payeeNote,
    callbackUrl: callbackUrlOf(request.headers['x-callback-url'], baseUrl, unregisteredHost()),
  }
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const unregisteredHost = () =>
  new MtnError(500, 'INVALID_CALLBACK_URL_HOST', 'The host of the callback address is not registered.')
