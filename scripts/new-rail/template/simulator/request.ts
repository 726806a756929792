import { majorAmountOf, type Provider } from '@pesewa/connector-kit'
import { isRegistered, RailError } from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'

/** Replace: the rail's own rules, as strict as the rail is. */
const order = Compile(
  Type.Object(
    {
      reference: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
      amount: Type.String({ pattern: '^(0|[1-9][0-9]{0,12})(\\.[0-9]{1,3})?$' }),
      currency: Type.String({ pattern: '^[A-Z]{3}$' }),
      account: Type.String({ pattern: '^\\+[1-9][0-9]{5,14}$' }),
      description: Type.String({ maxLength: 200 }),
      callbackUrl: Type.String({ maxLength: 1000 }),
    },
    { additionalProperties: false },
  ),
)

/**
 * Validates a request for a payment or a payout as the rail does. Callbacks are only sent to the host of
 * `baseUrl`.
 *
 * @throws RailError
 */
export function readOrder(provider: Provider, { body }: FastifyRequest, baseUrl: string) {
  if (!order.Check(body) || !isRegistered(body.callbackUrl, baseUrl)) throw invalid()
  const { reference, amount, currency, account, description, callbackUrl } = body
  if (!provider.currencies.includes(currency)) throw new RailError(422, 'currency_not_supported')
  const amountMinor = majorAmountOf(amount, currency)
  if (!amountMinor) throw invalid()
  return {
    providerId: provider.providerId,
    protocol: provider.protocol,
    reference,
    account: account.slice(1),
    amount,
    amountMinor,
    currency,
    payerMessage: description,
    callbackUrl,
  }
}

const invalid = () => new RailError(400, 'request_invalid')
