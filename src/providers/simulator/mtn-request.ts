import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { fromMajorUnits } from '../../countries/money.ts'
import type { Provider } from '../provider.ts'
import { badRequest, MtnError } from './mtn-error.ts'
import type { Asked } from './store.ts'

// The real one refuses a whole request for an apostrophe.
const note = Type.Optional(Type.String({ maxLength: 160, pattern: "^[^\\u0000-\\u001f']*$" }))

const shape = Compile(
  Type.Object({
    amount: Type.String({ maxLength: 32 }),
    currency: Type.String(),
    externalId: Type.Optional(Type.String({ maxLength: 64, pattern: '^[A-Za-z0-9 ._-]*$' })),
    payer: Type.Object({
      partyIdType: Type.Literal('MSISDN'),
      partyId: Type.String({ pattern: '^[1-9][0-9]{5,14}$' }),
    }),
    payerMessage: note,
    payeeNote: note,
  }),
)

/**
 * A request to pay, checked as MTN checks it. Callbacks go to the host of `baseUrl` only.
 *
 * @throws MtnError
 */
export function readRequestToPay(provider: Provider, request: FastifyRequest, baseUrl: string): Asked {
  const reference = String(request.headers['x-reference-id'] ?? '')
  if (!uuidV4.test(reference)) throw badRequest('X-Reference-Id must be a UUID version 4.')
  const { body } = request
  if (!shape.Check(body)) throw badRequest('The request does not follow the specification.')
  const { amount, currency, payer, externalId = '', payerMessage = '', payeeNote = '' } = body
  if (!provider.currencies.includes(currency))
    throw new MtnError(500, 'INVALID_CURRENCY', 'Currency not supported.')
  return {
    providerId: provider.providerId,
    reference,
    protocol: 'mtn-momo',
    payer: payer.partyId,
    amount,
    amountMinor: minorUnits(amount, currency),
    currency,
    externalId,
    payerMessage,
    payeeNote,
    callbackUrl: readCallbackUrl(request.headers['x-callback-url'], baseUrl),
    returnUrl: null,
  }
}

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const maxAmountMinor = 9_007_199_254_740_991n

function minorUnits(amount: string, currency: string): bigint {
  try {
    const value = fromMajorUnits(amount, currency)
    if (value > 0n && value <= maxAmountMinor) return value
  } catch {
    // Refused below, like what is nothing or too much.
  }
  throw badRequest('The amount is not valid.')
}

function readCallbackUrl(given: string | string[] | undefined, baseUrl: string): string | null {
  if (given === undefined) return null
  const url = URL.parse(String(given))
  if (url?.host !== new URL(baseUrl).host)
    throw new MtnError(
      500,
      'INVALID_CALLBACK_URL_HOST',
      'The host of the callback address is not registered.',
    )
  return url.href
}
