import type { Provider, RailSeals } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  type DisbursementRequest,
  minorUnitsOf,
} from '@pesewa/connector-kit/simulator'
import { nationalNumberOf, parsePhone } from '@pesewa/values/phones'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { testAccount } from '../test-account.ts'
import { decryptPin } from './encryption.ts'
import { AirtelError, GatewayError, invalidRequest } from './error.ts'

const id = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const reference = Type.String({ pattern: '^[A-Za-z0-9]{4,64}$' })
const msisdn = Type.String({ pattern: '^[0-9]{5,14}$' })
const currency = Type.String()
/** The amount is parsed from the raw bytes, because a double cannot hold every amount. */
const amount = Type.Unknown()

const payment = Compile(
  Type.Object({
    reference,
    subscriber: Type.Object({ country: Type.String(), currency, msisdn }),
    transaction: Type.Object({ amount, country: Type.String(), currency, id }),
  }),
)
const disbursement = Compile(
  Type.Object({
    payee: Type.Object({ currency, msisdn }),
    reference,
    pin: Type.String({ maxLength: 1_000 }),
    transaction: Type.Object({ amount, id, type: Type.Enum(['B2C', 'B2B']) }),
  }),
)

/**
 * Validates a payment request as Airtel does.
 *
 * @throws GatewayError, AirtelError
 */
export function readPayment(provider: Provider, request: FastifyRequest): CollectionRequest {
  const { body } = request
  if (!payment.Check(body)) throw invalidRequest()
  const { subscriber, transaction } = body
  if (transaction.country !== provider.country || subscriber.country !== provider.country)
    throw new AirtelError(400, 'ESB000034', 'Invalid country')
  return {
    ...readMoney(provider, request, transaction.id, transaction.currency),
    payer: phoneOf(provider, subscriber.msisdn),
    externalId: body.reference,
    payerMessage: body.reference,
    returnUrl: null,
  }
}

/**
 * Validates a payout request, including its PIN, as Airtel does.
 *
 * @throws GatewayError, AirtelError
 */
export function readDisbursement(
  provider: Provider,
  request: FastifyRequest,
  seals: RailSeals,
): DisbursementRequest {
  const { body } = request
  if (!disbursement.Check(body)) throw invalidRequest()
  const { pin, pinPadding }: PinOfAccount = testAccount(seals, provider.country)
  if (decryptPin(body.pin, pinPadding) !== pin) throw new GatewayError(400, 'ROUTER115', 'Invalid PIN')
  return {
    ...readMoney(provider, request, body.transaction.id, body.payee.currency),
    payee: phoneOf(provider, body.payee.msisdn),
    externalId: body.reference,
  }
}

type PinOfAccount = { pin: string; pinPadding?: 'oaep' }

function readMoney(
  { providerId, protocol, currencies }: Provider,
  request: FastifyRequest,
  reference: Static<typeof id>,
  currency: string,
) {
  if (!currencies.includes(currency) || request.headers['x-currency'] !== currency)
    throw new AirtelError(400, 'ESB000035', 'Invalid currency')
  const [, amount = ''] = /"amount":([0-9.]+)[,}]/.exec(String(request.rawBody)) ?? []
  return {
    providerId,
    protocol,
    reference,
    amount,
    amountMinor: minorUnitsOf(amount, currency, new AirtelError(400, 'DP00800001004', 'Invalid Amount')),
    currency,
  }
}

/**
 * Returns the payer's phone number with its country code. Airtel expects numbers without the country code or
 * the leading zero.
 */
function phoneOf({ country }: Provider, msisdn: string): string {
  const phone = parsePhone(msisdn, country, 'test')
  if (phone === undefined || nationalNumberOf(phone, country) !== msisdn)
    throw new AirtelError(400, 'ESB000033', 'Invalid MSISDN Length')
  return phone.slice(1)
}
