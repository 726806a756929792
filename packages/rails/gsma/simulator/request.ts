import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  callbackUrlOf,
  type DisbursementRequest,
  minorUnitsOf,
  type NewRefundRequest,
} from '@pesewa/connector-kit/simulator'
import { minorDigits } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { simulatorMerchant } from '../test-credentials.ts'
import { formatError, GsmaRailError, notFound } from './error.ts'

const strict = { additionalProperties: false } as const
const parties = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, strict), {
  minItems: 1,
  maxItems: 1,
})
const fields = {
  amount: Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,3})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  requestingOrganisationTransactionReference: Type.Optional(Type.String({ maxLength: 256 })),
  descriptionText: Type.Optional(Type.String({ maxLength: 160 })),
  customData: Type.Optional(
    Type.Array(Type.Object({ key: Type.String(), value: Type.String() }, strict), { maxItems: 20 }),
  ),
}
const transaction = Compile(Type.Object({ ...fields, debitParty: parties, creditParty: parties }, strict))
const reversal = Compile(Type.Object({ ...fields, type: Type.Literal('reversal') }, strict))

/**
 * Validates a merchant payment as the standard requires. Callbacks are only sent to the host of `baseUrl`.
 *
 * @throws GsmaRailError
 */
export function readPayment(provider: Provider, request: FastifyRequest, baseUrl: string): CollectionRequest {
  const { body } = request
  if (!transaction.Check(body)) throw formatError()
  requireMerchant(body.creditParty)
  const read = readFields(provider, request, body, baseUrl)
  return { ...read, payer: phoneOf(body.debitParty), returnUrl: null }
}

/**
 * Validates a disbursement as the standard requires.
 *
 * @throws GsmaRailError
 */
export function readDisbursement(
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
): DisbursementRequest {
  const { body } = request
  if (!transaction.Check(body)) throw formatError()
  requireMerchant(body.debitParty)
  const read = readFields(provider, request, body, baseUrl)
  return { ...read, payee: phoneOf(body.creditParty) }
}

/**
 * Validates a reversal as the standard requires.
 *
 * @param refundOf the reference of the original payment
 *
 * @throws GsmaRailError
 */
export function readReversal(
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
  refundOf: string,
): NewRefundRequest {
  const { body } = request
  if (!reversal.Check(body)) throw formatError()
  const read = readFields(provider, request, body, baseUrl)
  return { ...read, refundOf, message: read.payerMessage }
}

type Fields = Static<Type.TObject<typeof fields>>
type Parties = Static<typeof parties>

function readFields(provider: Provider, { headers }: FastifyRequest, body: Fields, baseUrl: string) {
  const reference = String(headers['x-correlationid'] ?? '')
  const isFresh = !Number.isNaN(Date.parse(String(headers['x-date'])))
  if (!uuid.test(reference) || !isFresh) throw formatError()
  const { amount, currency, descriptionText = '', customData = [] } = body
  if (!provider.currencies.includes(currency)) throw new GsmaRailError('validation', 'currencyNotSupported')
  return {
    providerId: provider.providerId,
    protocol: provider.protocol,
    reference,
    amount,
    amountMinor: minorUnits(amount, currency),
    currency,
    externalId: customData.find(({ key }) => key === 'orderNumber')?.value ?? '',
    payerMessage: descriptionText,
    callbackUrl: callbackUrlOf(headers['x-callback-url'], baseUrl, formatError()),
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function requireMerchant([party]: Parties): void {
  if (party?.key !== simulatorMerchant.key || party.value !== simulatorMerchant.value) throw notFound()
}

function phoneOf([party]: Parties): string {
  if (party?.key !== 'msisdn' || !/^\+[1-9][0-9]{5,14}$/.test(party.value)) throw formatError()
  return party.value.slice(1)
}

function minorUnits(amount: string, currency: string): bigint {
  const [, decimals = ''] = amount.split('.')
  if (decimals.length > minorDigits(currency)) throw formatError()
  return minorUnitsOf(amount, currency, new GsmaRailError('businessRule', 'greaterThanTransactionMaxValue'))
}
