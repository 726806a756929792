import { nameIn, type Provider } from '@pesewa/connector-kit'
import {
  type CollectionRequest,
  isRegistered,
  pathParams,
  planFor,
  type RailRoute,
  type SimulatorParts,
  type StoredCollection,
  submitCollection,
} from '@pesewa/connector-kit/simulator'
import { minorDigits } from '@pesewa/values'
import { callingCode } from '@pesewa/values/phones'
import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { paystack } from '../protocol.ts'
import { keyOf, paystackRoutesFor } from './access.ts'
import { chargeDocument, nextStepOf, unitsPerFranc } from './documents.ts'
import { badRequest, PaystackError, transactionNotFound } from './error.ts'

export const money = {
  amount: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String(),
}
const ordered = {
  ...money,
  email: Type.String({ pattern: '^[^@\\s]{1,64}@[^@\\s]{1,190}$' }),
  reference: Type.String(),
  metadata: Type.Optional(Type.Object({ orderNumber: Type.String({ maxLength: 64 }) })),
}
const chargeShape = Type.Object({
  ...ordered,
  mobile_money: Type.Optional(
    Type.Object({ phone: Type.String({ pattern: '^\\+?[0-9]{6,15}$' }), provider: Type.String() }),
  ),
  ussd: Type.Optional(Type.Object({ type: Type.String() })),
})
const charge = Compile(chargeShape)
const session = Compile(
  Type.Object({
    ...ordered,
    callback_url: Type.String({ maxLength: 1000 }),
    channels: Type.Array(Type.String()),
  }),
)
const code = Compile(
  Type.Object({ otp: Type.String({ pattern: '^[0-9A-Za-z]{4,12}$' }), reference: Type.String() }),
)

/** Routes for payment requests and their outcomes. */
export function chargeRoutes(parts: SimulatorParts): RailRoute[] {
  const route = paystackRoutesFor(parts)
  return [
    route('POST', '/charge', 'request a payment', (provider, { body }) => {
      if (!charge.Check(body)) throw badRequest('Invalid charge')
      return submit(parts, provider, chargeOf(provider, body))
    }),
    route('GET', '/charge/:reference', 'query a charge', (provider, request) =>
      showCharge(parts, provider, request),
    ),
    route('POST', '/charge/submit_otp', 'submit the payer’s code', (provider, request) =>
      takeCode(parts, provider, request),
    ),
    route('POST', '/transaction/initialize', 'open a card payment page', (provider, { body }) => {
      if (!session.Check(body) || provider.type !== 'card') throw badRequest('Invalid transaction')
      if (!isRegistered(body.callback_url, parts.baseUrl)) throw badRequest('The address is not registered')
      return submit(parts, provider, {
        ...requestOf(provider, body),
        payer: '',
        returnUrl: body.callback_url,
      })
    }),
    route('GET', '/transaction/verify/:reference', 'verify a transaction', (provider, request) =>
      showCharge(parts, provider, request),
    ),
  ]
}

function chargeOf(provider: Provider, body: Static<typeof chargeShape>): CollectionRequest {
  const { mobile_money, ussd } = body
  const name = nameIn(paystack.name, provider)
  if ((mobile_money?.provider ?? ussd?.type) !== name) throw badRequest('Charge channel is not available')
  const phone = mobile_money?.phone ?? '+2348031234000'
  const payer = phone.replace(/^0/, callingCode(provider.country)).replace('+', '')
  // There is no page; instead, the payer first enters a code.
  return { ...requestOf(provider, body), payer, returnUrl: name === 'vod' ? '' : null }
}

function requestOf(
  provider: Provider,
  { reference, amount, currency, metadata }: Static<Type.TObject<typeof ordered>>,
): Omit<CollectionRequest, 'payer' | 'returnUrl'> {
  return {
    ...keyOf(provider, reference),
    protocol: paystack.name,
    amount: String(amount),
    amountMinor: minorOf(provider, { amount, currency }),
    currency,
    externalId: metadata?.orderNumber ?? '',
  }
}

/** Converts Paystack's amount to minor units of the currency. */
export function minorOf({ currencies }: Provider, { amount, currency }: Static<Type.TObject<typeof money>>) {
  if (!currencies.includes(currency)) throw badRequest('Currency not supported by merchant')
  const units = BigInt(amount)
  if (minorDigits(currency) > 0) return units
  if (units % unitsPerFranc !== 0n) throw badRequest('Amount is invalid')
  return units / unitsPerFranc
}

async function submit(parts: SimulatorParts, provider: Provider, collection: CollectionRequest) {
  if ((await submitCollection(parts, collection)) === 'again')
    throw new PaystackError(400, 'duplicate_reference', 'Duplicate Transaction Reference')
  const { reference, returnUrl } = collection
  if (returnUrl) {
    const page = `${parts.baseUrl}/simulator/paystack/${provider.providerId}/pages/${reference}`
    return charged('Authorization URL created', { authorization_url: page, reference })
  }
  const next = nextStepOf(collection, { as: nameIn(paystack.name, provider), isCodeDue: true })
  return charged('Charge attempted', { reference, ...next })
}

export const charged = (message: string, data: object) => ({ status: true, message, data })

async function showCharge(parts: SimulatorParts, provider: Provider, request: FastifyRequest) {
  const collection = await parts.store.findCollection(keyOf(provider, pathParams(request).reference))
  if (!collection) throw transactionNotFound()
  return charged('Reference check successful', documentOf(parts, provider, collection))
}

function documentOf(parts: SimulatorParts, provider: Provider, collection: StoredCollection): object {
  // A transaction that has a page is "abandoned" from the start.
  if (collection.returnUrl) return chargeDocument(collection, { status: 'abandoned' })
  const { asksUntil } = collection
  const isCodeDue = asksUntil !== null && asksUntil > parts.clock.now()
  return chargeDocument(
    collection,
    nextStepOf(collection, { as: nameIn(paystack.name, provider), isCodeDue }),
  )
}

const wrongCode = '000000'

/**
 * Handles the payer's code. After a wrong code, the payer is asked again. With any other code, the outcome
 * depends on the payer's number.
 */
async function takeCode(parts: SimulatorParts, provider: Provider, request: FastifyRequest) {
  const { body } = request
  if (!code.Check(body)) throw badRequest('Invalid OTP')
  const { store, clock, delays, wakeAt } = parts
  const key = keyOf(provider, body.reference)
  const collection = await store.findCollection(key)
  if (!collection) throw transactionNotFound()
  if (body.otp === wrongCode) return charged('Charge attempted', documentOf(parts, provider, collection))
  const now = clock.now()
  const { outcomes } = planFor(collection.payer, 'approve', delays)
  const isAnswered = await store.answer(key.reference, now, outcomes)
  if (!isAnswered) throw badRequest('The charge is not waiting for a code')
  for (const { afterMs } of outcomes) wakeAt(new Date(now.getTime() + afterMs))
  return charged('Charge attempted', documentOf(parts, provider, { ...collection, asksUntil: null }))
}
