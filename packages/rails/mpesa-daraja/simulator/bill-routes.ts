import { randomUUID } from 'node:crypto'
import type { Provider } from '@pesewa/connector-kit'
import type { RailRoute, SimulatorParts } from '@pesewa/connector-kit/simulator'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { momentInNairobi, timeInNairobi } from '../documents.ts'
import { simulatedShortCode } from '../test-credentials.ts'
import { darajaRoutesFor, expressRefusal } from './access.ts'
import { payBill } from './bills.ts'
import { DarajaError, invalid } from './error.ts'
import { receiptOf } from './ids.ts'
import { firstInvalidField, requireOwnUrl } from './request.ts'

// Safaricom's C2B and Pull APIs. As in the sandbox, a manual payment is made with `simulate`.

const url = Type.String({ maxLength: 1000 })
const shapes = {
  addresses: Compile(
    Type.Object({
      ShortCode: Type.String(),
      ResponseType: Type.Enum(['Completed', 'Cancelled']),
      ConfirmationURL: url,
      ValidationURL: url,
    }),
  ),
  payment: Compile(
    Type.Object({
      ShortCode: Type.String(),
      CommandID: Type.Literal('CustomerPayBillOnline'),
      Amount: Type.Integer({ minimum: 1, maximum: 250_000 }),
      Msisdn: Type.String({ pattern: '^254[17][0-9]{8}$' }),
      BillRefNumber: Type.String({ maxLength: 20 }),
    }),
  ),
  pull: Compile(
    Type.Object({
      ShortCode: Type.String(),
      RequestType: Type.Literal('Pull'),
      NominatedNumber: Type.String({ pattern: '^254[17][0-9]{8}$' }),
      CallBackURL: url,
    }),
  ),
  period: Compile(
    Type.Object({
      ShortCode: Type.String(),
      StartDate: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' }),
      EndDate: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$' }),
      OffSetValue: Type.String({ pattern: '^[0-9]{1,6}$' }),
    }),
  ),
}

export function billRoutes(parts: SimulatorParts): RailRoute[] {
  const route = darajaRoutesFor(parts, expressRefusal)
  return [
    route('POST', '/mpesa/c2b/v2/registerurl', 'register the C2B URLs', (provider, { body }) =>
      register(parts, provider, body),
    ),
    route('POST', '/mpesa/c2b/v2/simulate', 'make a manual payment', (provider, { body }) =>
      pay(parts, provider, body),
    ),
    route('POST', '/pulltransactions/v1/register', 'register for the Pull API', (_provider, { body }) => {
      if (!shapes.pull.Check(body)) throw invalid(firstInvalidField(shapes.pull, body))
      requireShortCode(body.ShortCode)
      return { ResponseRefID: randomUUID(), 'Response Status': '1000', ResponseDescription: 'Registered' }
    }),
    route('POST', '/pulltransactions/v1/query', 'list transactions', (provider, { body }) =>
      list(parts, provider, body),
    ),
  ]
}

function requireShortCode(shortCode: string): void {
  if (shortCode !== simulatedShortCode) throw invalid('ShortCode')
}

async function register(parts: SimulatorParts, { providerId }: Provider, body: unknown): Promise<object> {
  if (!shapes.addresses.Check(body)) throw invalid(firstInvalidField(shapes.addresses, body))
  requireShortCode(body.ShortCode)
  requireOwnUrl(parts, 'ConfirmationURL', body.ConfirmationURL)
  requireOwnUrl(parts, 'ValidationURL', body.ValidationURL)
  const { ValidationURL: validationUrl, ConfirmationURL: confirmationUrl } = body
  await parts.store.registerBillUrls(providerId, { validationUrl, confirmationUrl })
  return acknowledged('Success')
}

const acknowledged = (ResponseDescription: string) => ({
  OriginatorCoversationID: randomUUID(),
  ResponseCode: '0',
  ResponseDescription,
})

async function pay(parts: SimulatorParts, provider: Provider, body: unknown): Promise<object> {
  if (!shapes.payment.Check(body)) throw invalid(firstInvalidField(shapes.payment, body))
  requireShortCode(body.ShortCode)
  const { Amount, BillRefNumber: reference, Msisdn: msisdn } = body
  const result = await payBill(parts, provider, { shillings: String(Amount), reference, msisdn })
  if (result === 'closed')
    throw new DarajaError(400, '400.003.02', 'Bad Request - the URLs are not registered')
  return acknowledged(
    result === 'paid' ? 'Accept the service request successfully.' : 'Rejected by the business',
  )
}

const pageSize = 1_000

async function list(parts: SimulatorParts, { providerId }: Provider, body: unknown): Promise<object> {
  if (!shapes.period.Check(body)) throw invalid(firstInvalidField(shapes.period, body))
  requireShortCode(body.ShortCode)
  const [from, to] = [body.StartDate, body.EndDate].map(momentInNairobi)
  if (!from || !to) throw invalid('StartDate')
  const page = { offset: Number(body.OffSetValue), limit: pageSize }
  const paid = await parts.store.listPaid(providerId, { from, to }, page)
  const transactions = paid.map(({ payer, amount, externalId, financialTransactionId, movedAt }) => ({
    transactionId: receiptOf(financialTransactionId),
    trxDate: timeInNairobi(movedAt),
    msisdn: payer,
    sender: 'JANE',
    transactiontype: 'c2b-pay-bill-debit',
    billreference: externalId,
    amount: `${amount}.00`,
    organizationname: 'Simulated',
  }))
  return {
    ResponseRefID: randomUUID(),
    ResponseCode: '1000',
    ResponseMessage: 'Success',
    Response: [transactions],
  }
}
