import { randomUUID } from 'node:crypto'
import { nameIn, type Provider } from '@pesewa/connector-kit'
import {
  holderOf,
  pathParams,
  type RailRoute,
  type SimulatorParts,
  submitDisbursement,
  submitRefund,
} from '@pesewa/connector-kit/simulator'
import { fieldsOf } from '@pesewa/values'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { paystack, simulatedBankCode } from '../protocol.ts'

import { keyOf, paystackRoutesFor } from './access.ts'
import { charged, minorOf, money } from './charges.ts'
import { refundDocument, transferDocument } from './documents.ts'
import { badRequest, PaystackError, transactionNotFound } from './error.ts'

const recipient = Compile(
  Type.Object({
    type: Type.Enum(['mobile_money', 'nuban']),
    name: Type.String({ minLength: 1 }),
    account_number: Type.String({ pattern: '^[0-9]{6,15}$' }),
    bank_code: Type.String({ pattern: '^([A-Z]{2,10}|[0-9]{3,6})$' }),
    currency: Type.String(),
  }),
)
const transfer = Compile(
  Type.Object({
    ...money,
    source: Type.Literal('balance'),
    recipient: Type.String(),
    // maximum length of a transfer's reference
    reference: Type.String({ pattern: '^[a-z0-9_-]{16,50}$' }),
    reason: Type.String({ maxLength: 200 }),
  }),
)
const refund = Compile(
  Type.Object({
    ...money,
    transaction: Type.String({ maxLength: 64 }),
    merchant_note: Type.String({ maxLength: 200 }),
    customer_note: Type.String({ maxLength: 200 }),
  }),
)

/** Routes for payouts, refunds, name look-ups and balances of the simulated Paystack. */
export function payoutRoutes(parts: SimulatorParts): RailRoute[] {
  const route = paystackRoutesFor(parts)
  return [
    route('POST', '/transferrecipient', 'create a recipient', makeRecipient),
    route('POST', '/transfer', 'send a payout', (provider, { body }) => payOut(parts, provider, body)),
    route('GET', '/transfer/verify/:reference', 'query a transfer', async (provider, request) => {
      const stored = await parts.store.findDisbursement(keyOf(provider, pathParams(request).reference))
      if (!stored) throw new PaystackError(404, 'transfer_not_found', 'Transfer not found')
      return charged('Transfer retrieved', transferDocument(stored))
    }),
    route('POST', '/refund', 'refund a transaction', (provider, { body }) =>
      refundTransaction(parts, provider, body),
    ),
    route('GET', '/refund', 'list the refunds of a transaction', async (provider, request) => {
      const { reference } = await findOriginal(parts, provider, fieldsOf(request.query).transaction)
      const refunds = await parts.store.listRefundsOf({ providerId: provider.providerId, reference })
      return { status: true, message: 'Refunds retrieved', data: refunds.map(refundDocument), meta: {} }
    }),
    route('GET', '/bank/resolve', 'look up an account holder', (_provider, request) => {
      const { account_number } = fieldsOf(request.query)
      const holder = typeof account_number === 'string' ? holderOf(account_number) : undefined
      if (!holder) throw new PaystackError(422, 'invalid_params', 'Could not resolve account name.')
      const account_name = `${holder.givenName} ${holder.familyName}`
      return charged('Account number resolved', { account_number, account_name })
    }),
    route('GET', '/bank', 'list banks and wallets', (provider, request) => {
      const { type, currency } = fieldsOf(request.query)
      const isOurs = type === typeOf(provider) && provider.currencies.includes(String(currency))
      const as = nameIn(paystack.name, provider)?.toUpperCase()
      const code = provider.type === 'bank' ? simulatedBankCode : as
      return charged('Banks retrieved', isOurs ? [{ name: provider.name, code, type, currency }] : [])
    }),
    route('GET', '/balance', 'get our balances', ({ currencies }) => {
      const balances = currencies.map((currency) => ({ currency, balance: 100_000_000 }))
      return charged('Balances retrieved', balances)
    }),
  ]
}

/** Returns a recipient. Its code is derived from the account, so nothing needs to be stored. */
function makeRecipient(provider: Provider, { body }: FastifyRequest) {
  if (!recipient.Check(body) || body.type !== typeOf(provider)) throw badRequest('Account number is invalid')
  return charged('Transfer recipient created', {
    recipient_code: `RCP_${body.bank_code}x${body.account_number}`,
  })
}

const typeOf = ({ type }: Provider) => (type === 'bank' ? 'nuban' : 'mobile_money')

async function payOut(parts: SimulatorParts, provider: Provider, body: unknown) {
  if (!transfer.Check(body)) throw badRequest('Invalid transfer')
  const [, payee] = /^RCP_[A-Z0-9]+x([0-9]+)$/.exec(body.recipient) ?? []
  if (payee === undefined) throw badRequest('Recipient specified is invalid')
  const { reference } = keyOf(provider, body.reference)
  const disbursement = { ...storedOf(provider, body), payeeNote: body.reason, reference, payee }
  if ((await submitDisbursement(parts, disbursement)) === 'again')
    throw new PaystackError(400, 'duplicate_transfer_reference', 'Please provide a unique reference.')
  const transfer_code = `TRF_${reference}`
  return charged('Transfer has been queued', { reference, status: 'pending', transfer_code })
}

/** Refunds a transaction. There is no idempotency key, so a repeated request refunds the transaction twice. */
async function refundTransaction(parts: SimulatorParts, provider: Provider, body: unknown) {
  if (!refund.Check(body)) throw badRequest('Invalid refund')
  const { reference: refundOf } = await findOriginal(parts, provider, body.transaction)
  const { merchant_note: payeeNote, customer_note: message } = body
  const stored = { ...storedOf(provider, body), reference: randomUUID(), payerMessage: message, payeeNote }
  const result = await submitRefund(parts, { ...stored, refundOf, message })
  if (!result) throw badRequest('Transaction cannot be refunded')
  return charged('Refund has been queued', { status: 'pending' })
}

const storedOf = (provider: Provider, { amount, currency }: { amount: number; currency: string }) => ({
  providerId: provider.providerId,
  protocol: paystack.name,
  amount: String(amount),
  amountMinor: minorOf(provider, { amount, currency }),
  currency,
})

/** Returns the transaction that `transaction` identifies, either by Paystack's id or by our reference. */
async function findOriginal({ store }: SimulatorParts, provider: Provider, transaction: unknown) {
  const isNumber = typeof transaction === 'string' && /^[0-9]{1,18}$/.test(transaction)
  const original = isNumber
    ? await store.findCollectionByTransaction(provider.providerId, BigInt(transaction))
    : await store.findCollection(keyOf(provider, transaction))
  if (!original) throw transactionNotFound()
  return original
}
