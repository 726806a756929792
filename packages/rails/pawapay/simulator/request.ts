import { nameIn, type Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  type DisbursementRequest,
  isRegistered,
  type NewRefundRequest,
} from '@pesewa/connector-kit/simulator'
import { fromMajorUnits, minorDigits } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { pawapay } from '../protocol.ts'
import { invalidInput, PawapayError, PawapayRejection } from './error.ts'

const strict = { additionalProperties: false } as const
const id = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' })
const party = Type.Object(
  {
    type: Type.Literal('MMO'),
    accountDetails: Type.Object(
      { phoneNumber: Type.String({ pattern: '^[1-9][0-9]{5,14}$' }), provider: Type.String() },
      strict,
    ),
  },
  strict,
)
const fields = {
  amount: Type.String({ pattern: '^(0|[1-9][0-9]{0,17})(\\.[0-9]{1,3})?$' }),
  currency: Type.String({ pattern: '^[A-Z]{3}$' }),
  clientReferenceId: Type.Optional(Type.String({ maxLength: 64 })),
  customerMessage: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9 ]{4,22}$' })),
  metadata: Type.Optional(Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 10 })),
}
const address = Type.Optional(Type.String({ maxLength: 1_000 }))
const deposit = Compile(
  Type.Object(
    {
      depositId: id,
      payer: party,
      successfulUrl: address,
      failedUrl: address,
      preAuthorisationCode: Type.Optional(Type.String({ pattern: '^[0-9]{4,12}$' })),
      ...fields,
    },
    strict,
  ),
)
const payout = Compile(Type.Object({ payoutId: id, recipient: party, ...fields }, strict))
const refund = Compile(Type.Object({ refundId: id, depositId: id, ...fields }, strict))

/**
 * Validates a deposit as pawaPay does. With `isRedirect`, the payer authorizes it on a page and then returns.
 *
 * @throws PawapayError, PawapayRejection
 */
export function readDeposit(
  provider: Provider,
  { body }: FastifyRequest,
  baseUrl: string,
): CollectionRequest {
  if (!deposit.Check(body)) throw invalidInput()
  const { depositId, payer, successfulUrl, failedUrl } = body
  const isRedirect = provider.featureSet.payment.schemes.includes('redirect')
  if (isRedirect && (successfulUrl === undefined || failedUrl === undefined))
    throw new PawapayError(400, 'MISSING_PARAMETER', 'The return URLs are missing.')
  if (!isRedirect && (successfulUrl ?? failedUrl) !== undefined)
    throw new PawapayError(400, 'UNSUPPORTED_PARAMETER', 'There is no page to return from.')
  checkCode(provider, body.preAuthorisationCode)
  return {
    ...readMoney(provider, body, payer.accountDetails.provider),
    reference: depositId,
    payer: payer.accountDetails.phoneNumber,
    returnUrl: successfulUrl === undefined ? null : ourAddress(successfulUrl, baseUrl),
  }
}

const wrongCode = '000000'

/** Requires a code if payers must first generate one. Any code except `000000` is correct. */
function checkCode(provider: Provider, code: string | undefined): void {
  const isPreauth = provider.featureSet.payment.schemes.includes('preauth')
  if (isPreauth && code === undefined)
    throw new PawapayError(400, 'MISSING_PARAMETER', "The payer's code is missing.")
  if (!isPreauth && code !== undefined)
    throw new PawapayError(400, 'UNSUPPORTED_PARAMETER', 'This provider does not use payer codes.')
  if (code === wrongCode) throw new PawapayRejection('PAYMENT_NOT_APPROVED')
}

/**
 * Validates a payout request as pawaPay does.
 *
 * @throws PawapayError, PawapayRejection
 */
export function readPayout(provider: Provider, { body }: FastifyRequest): DisbursementRequest {
  if (!payout.Check(body)) throw invalidInput()
  const { phoneNumber: payee, provider: name } = body.recipient.accountDetails
  return { ...readMoney(provider, body, name), reference: body.payoutId, payee }
}

/**
 * Validates a refund request as pawaPay does.
 *
 * @throws PawapayError, PawapayRejection
 */
export function readRefund(provider: Provider, { body }: FastifyRequest): NewRefundRequest {
  if (!refund.Check(body)) throw invalidInput()
  const { refundId: reference, depositId: refundOf, metadata = [] } = body
  const message = metadata.flatMap((each) => Object.values(each)).join(' ')
  return { ...readMoney(provider, body), reference, refundOf, message }
}

type Money = Static<Type.TObject<typeof fields>>

function readMoney(provider: Provider, money: Money, name = nameOf(provider)) {
  const { amount, currency, clientReferenceId = '', customerMessage = '' } = money
  if (name !== nameOf(provider)) throw new PawapayRejection('INVALID_PROVIDER')
  if (!provider.currencies.includes(currency)) throw new PawapayRejection('INVALID_CURRENCY')
  return {
    providerId: provider.providerId,
    protocol: provider.protocol,
    amount,
    amountMinor: minorUnits(amount, currency),
    currency,
    externalId: clientReferenceId,
    payerMessage: customerMessage,
    payeeNote: name,
  }
}

/** Returns pawaPay's name for the provider. */
export const nameOf = (provider: Provider): string => nameIn(pawapay.name, provider) ?? provider.providerId

/** Returns the country code with which pawaPay's name for the provider ends, as in `ORANGE_SLE`. */
export const countryOf = (provider: Provider): string => nameOf(provider).slice(-3)

const maxAmountMinor = 9_007_199_254_740_991n // maximum amount that the simulated pawaPay accepts

function minorUnits(amount: string, currency: string): bigint {
  const [, decimals = ''] = amount.split('.')
  if (decimals.length > minorDigits(currency)) throw new PawapayRejection('INVALID_AMOUNT')
  const value = fromMajorUnits(amount, currency)
  if (value <= 0n || value > maxAmountMinor) throw new PawapayRejection('AMOUNT_OUT_OF_BOUNDS')
  return value
}

/**
 * Returns the return URL if it is allowed. The simulator's page redirects payers only to this service, so any
 * other URL is refused.
 */
function ourAddress(url: string, baseUrl: string): string {
  if (!isRegistered(url, baseUrl))
    throw new PawapayError(400, 'INVALID_PARAMETER', 'The return URL is not allowed.')
  return url
}
