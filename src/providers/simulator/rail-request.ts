import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Provider } from '../provider.ts'
import { flows } from '../rest/settings.ts'
import { RailError } from './rail-error.ts'
import type { Asked } from './store.ts'

const common = {
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String(),
  description: Type.String({ maxLength: 200 }),
  orderNumber: Type.String({ maxLength: 64 }),
  callbackUrl: Type.String({ maxLength: 1000 }),
}
const address = Type.String({ maxLength: 1000 })
const strict = { additionalProperties: false } as const

const collection = Compile(
  Type.Object(
    {
      ...common,
      flow: Type.Enum(flows),
      payer: Type.Object({ account: Type.String({ pattern: '^[\\x21-\\x7e]{3,64}$' }) }, strict),
      returnUrl: Type.Union([address, Type.Null()]),
    },
    strict,
  ),
)
const session = Compile(Type.Object({ ...common, returnUrl: address }, strict))

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * What a bank, a wallet or the acquirer is asked for, checked as a rail checks it. The callback goes to the host of
 * `baseUrl` only, and the payer back there.
 *
 * @throws RailError
 */
export function readAsked(provider: Provider, request: FastifyRequest, baseUrl: string): Asked {
  const { body } = request
  const isOurs = (url: string) => URL.parse(url)?.host === new URL(baseUrl).host
  const asked = provider.protocol === 'acquirer' ? readSession(body) : readCollection(body)
  if (!isOurs(asked.callbackUrl) || (asked.returnUrl !== null && !isOurs(asked.returnUrl)))
    throw new RailError(400, 'address_not_registered')
  if (!provider.currencies.includes(asked.currency)) throw new RailError(422, 'currency_not_supported')
  return {
    providerId: provider.providerId,
    protocol: provider.protocol,
    reference: referenceOf(request),
    payer: asked.payer,
    amount: String(asked.amount),
    amountMinor: BigInt(asked.amount),
    currency: asked.currency,
    externalId: asked.orderNumber,
    payerMessage: asked.description,
    payeeNote: '',
    callbackUrl: asked.callbackUrl,
    returnUrl: asked.returnUrl,
  }
}

function readCollection(body: unknown) {
  if (!collection.Check(body)) throw new RailError(400, 'request_invalid')
  const isRedirect = body.flow === 'redirect'
  if (isRedirect && body.returnUrl === null) throw new RailError(400, 'request_invalid')
  return { ...body, payer: body.payer.account, returnUrl: isRedirect ? body.returnUrl : null }
}

function readSession(body: unknown) {
  if (!session.Check(body)) throw new RailError(400, 'request_invalid')
  return { ...body, payer: '' }
}

export function referenceOf(request: FastifyRequest): string {
  const { reference } = request.params as { reference: string }
  if (!uuid.test(reference)) throw new RailError(400, 'request_invalid')
  return reference
}
