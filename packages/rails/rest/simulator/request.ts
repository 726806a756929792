import type { Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  type DisbursementRequest,
  isRegistered,
  keyWith,
  type NewRefundRequest,
  pathParams,
  RailError,
} from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { flows } from '../settings.ts'

const money = {
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String(),
  description: Type.String({ maxLength: 200 }),
  callbackUrl: Type.String({ maxLength: 1000 }),
}
export const collectionFields = { ...money, orderNumber: Type.String({ maxLength: 64 }) }
export const address = Type.String({ maxLength: 1000 })
const strict = { additionalProperties: false } as const

const accountPattern = '^[\\x21-\\x7e]{3,64}$'
const party = Type.Object({ account: Type.String({ pattern: accountPattern }) }, strict)

const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })
const collection = Compile(
  Type.Object(
    {
      ...collectionFields,
      flow: Type.Enum(flows),
      payer: party,
      returnUrl: Type.Union([address, Type.Null()]),
    },
    strict,
  ),
)
const refund = Compile(Type.Object({ ...money, originalReference: uuid }, strict))
const transfer = Compile(Type.Object({ ...money, payee: party }, strict))

/** The body of a collection request in either variant. `payer` is empty for a card. */
export type CollectionBody = Static<Type.TObject<typeof collectionFields>> & {
  payer: string
  returnUrl: string | null
}

/**
 * Validates a collection request as a rail does. Callbacks are only sent to, and payers only redirected to, the
 * host of `baseUrl`.
 *
 * @throws RailError
 */
export function readRequest(
  { readBody }: { readBody(body: unknown): CollectionBody },
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
): CollectionRequest {
  const body = readBody(request.body)
  const { payer, returnUrl } = body
  if (returnUrl !== null) requireOurs(returnUrl, baseUrl)
  return {
    ...readMoney(provider, request, body, baseUrl),
    payer: storedAccount(provider, payer),
    externalId: body.orderNumber,
    payerMessage: body.description,
    returnUrl,
  }
}

/**
 * Validates a payout request.
 *
 * @throws RailError
 */
export function readTransfer(
  provider: Provider,
  request: FastifyRequest,
  baseUrl: string,
): DisbursementRequest {
  const { body } = request
  if (!transfer.Check(body)) throw new RailError(400, 'request_invalid')
  const money = readMoney(provider, request, body, baseUrl)
  const payee = storedAccount(provider, body.payee.account)
  return {
    ...money,
    payee,
    externalId: money.reference,
    payeeNote: body.description,
  }
}

/**
 * Validates a refund request.
 *
 * @throws RailError
 */
export function readRefund(provider: Provider, request: FastifyRequest, baseUrl: string): NewRefundRequest {
  const { body } = request
  if (!refund.Check(body)) throw new RailError(400, 'request_invalid')
  const money = readMoney(provider, request, body, baseUrl)
  const { description, originalReference: refundOf } = body
  return { ...money, externalId: money.reference, payeeNote: description, refundOf, message: description }
}

type Money = Static<Type.TObject<typeof money>>

function readMoney(
  provider: Provider,
  request: FastifyRequest,
  { amount, currency, callbackUrl }: Money,
  baseUrl: string,
) {
  requireOurs(callbackUrl, baseUrl)
  if (!provider.currencies.includes(currency)) throw new RailError(422, 'currency_not_supported')
  return {
    ...keyOf(provider, request),
    protocol: provider.protocol,
    amount: String(amount),
    amountMinor: BigInt(amount),
    currency,
    callbackUrl,
  }
}

function requireOurs(url: string, baseUrl: string): void {
  if (!isRegistered(url, baseUrl)) throw new RailError(400, 'address_not_registered')
}

export function readCollection(body: unknown): CollectionBody {
  if (!collection.Check(body)) throw new RailError(400, 'request_invalid')
  const isRedirect = body.flow === 'redirect'
  if (isRedirect && body.returnUrl === null) throw new RailError(400, 'request_invalid')
  return { ...body, payer: body.payer.account, returnUrl: isRedirect ? body.returnUrl : null }
}

export const keyOf = (provider: Provider, request: FastifyRequest) =>
  keyWith(provider, pathParams(request).reference, new RailError(400, 'request_invalid'))

export function accountOf(provider: Provider, request: FastifyRequest): string {
  const { account = '' } = pathParams(request)
  if (!new RegExp(accountPattern).test(account)) throw new RailError(400, 'request_invalid')
  return storedAccount(provider, account)
}

/**
 * Returns an account as the simulator stores it. The account at a mobile money provider must be a phone number
 * in E.164 format, which is stored without `+` so that its handset shows the prompt.
 *
 * @throws RailError
 */
function storedAccount({ type }: Provider, account: string): string {
  if (type !== 'momo') return account
  if (!/^\+[1-9][0-9]{5,14}$/.test(account)) throw new RailError(400, 'request_invalid')
  return account.slice(1)
}

/**
 * Refuses a request whose reference has already been used, unless the request is identical to the first one, in
 * which case it gets the same response.
 */
export function refuseUnlessSame<T extends object>(
  stored: Record<keyof NoInfer<T>, unknown> | undefined,
  request: T,
): void {
  const names = Object.keys(request) as (keyof T)[] // the keys of an object literal
  if (names.some((name) => stored?.[name] !== request[name])) throw new RailError(409, 'reference_in_use')
}
