import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import type { Reader } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { RawRoute } from '../../platform/http/route.ts'
import { must } from '../../platform/must.ts'
import { createPeer, NoAnswer, send } from '../../platform/outbound/outbound.ts'
import { momentInNairobi, timeInNairobi } from '../../providers/protocols/mpesa-daraja/documents.ts'
import { simulatedShortCode } from '../../providers/protocols/mpesa-daraja/test-credentials.ts'
import type { Provider } from '../../providers/provider.ts'
import { collections, type StoredCollection } from '../engine/collection-store.ts'
import type { SimulatorParts } from '../engine/parts.ts'
import { darajaRoute, expressRefusal } from './access.ts'
import { DarajaError, invalid } from './error.ts'
import { receiptOf } from './ids.ts'
import { faultIn, keyOf, moneyOf, requireOurs } from './request.ts'

// Payments by hand to the PayBill: Safaricom's C2B and Pull. The sandbox's own `simulate` makes one.

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

export function billRoutes(parts: SimulatorParts): RawRoute[] {
  const post = (
    path: string,
    summary: string,
    handle: (provider: Provider, request: FastifyRequest) => Promise<object>,
  ) => darajaRoute(parts, path, summary, expressRefusal, handle)
  return [
    post('/mpesa/c2b/v2/registerurl', 'where payments by hand are reported', (provider, { body }) =>
      register(parts, provider, body),
    ),
    post('/mpesa/c2b/v2/simulate', 'pay by hand', (provider, { body }) => pay(parts, provider, body)),
    post('/pulltransactions/v1/register', 'have transactions listed', async (_provider, { body }) => {
      if (!shapes.pull.Check(body)) throw invalid(faultIn(shapes.pull, body))
      requireShortCode(body.ShortCode)
      return { ResponseRefID: randomUUID(), 'Response Status': '1000', ResponseDescription: 'Registered' }
    }),
    post('/pulltransactions/v1/query', 'list transactions', (provider, { body }) =>
      list(parts, provider, body),
    ),
  ]
}

type Addresses = { validationUrl: string; confirmationUrl: string }

// every space: the simulator is the outside world
export const billAddressesOf = (db: Reader, providerId: string) =>
  db.one<Addresses>(
    sql`select validation_url, confirmation_url from simulator_bill_addresses where provider_id = ${providerId}`,
  )

function requireShortCode(shortCode: string): void {
  if (shortCode !== simulatedShortCode) throw invalid('ShortCode')
}

async function register(parts: SimulatorParts, { providerId }: Provider, body: unknown): Promise<object> {
  if (!shapes.addresses.Check(body)) throw invalid(faultIn(shapes.addresses, body))
  requireShortCode(body.ShortCode)
  requireOurs(parts, 'ConfirmationURL', body.ConfirmationURL)
  requireOurs(parts, 'ValidationURL', body.ValidationURL)
  // every space: the simulator is the outside world
  await parts.db.transaction((tx) =>
    tx.run(sql`
      insert into simulator_bill_addresses (provider_id, validation_url, confirmation_url)
      values (${providerId}, ${body.ValidationURL}, ${body.ConfirmationURL})
      on conflict (provider_id) do update
      set validation_url = excluded.validation_url, confirmation_url = excluded.confirmation_url`),
  )
  return acknowledged('Success')
}

const acknowledged = (ResponseDescription: string) => ({
  OriginatorCoversationID: randomUUID(),
  ResponseCode: '0',
  ResponseDescription,
})

/** How often the payment of a number with this ending is reported. */
const notices: Readonly<Record<string, number>> = { '005': 3, '006': 0 }

/** The payer chooses the PayBill, types reference and amount, and pays, unless we refuse. */
async function pay(parts: SimulatorParts, provider: Provider, body: unknown): Promise<object> {
  if (!shapes.payment.Check(body)) throw invalid(faultIn(shapes.payment, body))
  requireShortCode(body.ShortCode)
  const addresses = await billAddressesOf(parts.db, provider.providerId)
  if (!addresses) throw new DarajaError(400, '400.003.02', 'Bad Request - the URLs are not registered')
  const at = parts.clock.now()
  const payment = {
    ...keyOf(provider, randomUUID()),
    ...moneyOf(String(body.Amount)),
    payer: body.Msisdn,
    externalId: body.BillRefNumber,
    payerMessage: '',
    payeeNote: '',
    callbackUrl: null,
    returnUrl: null,
    noticeUrl: addresses.confirmationUrl,
  }
  const asked = noticeDocument({ ...payment, financialTransactionId: null, movedAt: at })
  if (!(await isAccepted(addresses.validationUrl, asked))) return acknowledged('Rejected by the business')
  const callbacks = notices[body.Msisdn.slice(-3)] ?? 1
  const outcomes = [{ afterMs: 0, status: 'SUCCESSFUL', reason: null, callbacks }] as const
  await parts.store(collections.kind, { request: payment, at, outcomes: [...outcomes] })
  parts.wakeAt(at)
  return acknowledged('Accept the service request successfully.')
}

const validationTimeoutMs = 8_000

/** Where nobody responds in time, nothing is paid: `ResponseType` was `Cancelled`. */
async function isAccepted(validationUrl: string, document: object): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(document)
  const peer = createPeer(1)
  try {
    const response = await send(peer, {
      method: 'POST',
      url: validationUrl,
      headers,
      body,
      timeoutMs: validationTimeoutMs,
    })
    return response.status === 200 && /"ResultCode":"0"/.test(response.body)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    return false
  } finally {
    await peer.close()
  }
}

/** A confirmation: of a payment by hand, or of what a prompt brought. */
export const confirmationOf = ({ movedAt, ...paid }: StoredCollection): object =>
  noticeDocument({ ...paid, movedAt: must(movedAt, 'time of what was paid') })

type Noticed = Pick<StoredCollection, 'payer' | 'amount' | 'externalId' | 'financialTransactionId'> & {
  movedAt: Date
}

/** The payer is hidden, as in version 2. */
const noticeDocument = ({ payer, amount, externalId, financialTransactionId, movedAt }: Noticed) => ({
  TransactionType: 'Pay Bill',
  TransID: receiptOf(financialTransactionId),
  TransTime: timeInNairobi(movedAt).replace(/[-: ]/g, ''),
  TransAmount: `${amount}.00`,
  BusinessShortCode: simulatedShortCode,
  BillRefNumber: externalId,
  InvoiceNumber: '',
  OrgAccountBalance: '0.00',
  ThirdPartyTransID: '',
  MSISDN: `${payer.slice(0, 5)}***${payer.slice(-3)}`,
  FirstName: 'JANE',
  MiddleName: '',
  LastName: '',
})

const pageSize = 1_000

async function list(parts: SimulatorParts, { providerId }: Provider, body: unknown): Promise<object> {
  if (!shapes.period.Check(body)) throw invalid(faultIn(shapes.period, body))
  requireShortCode(body.ShortCode)
  const [from, until] = [body.StartDate, body.EndDate].map(momentInNairobi)
  if (!from || !until) throw invalid('StartDate')
  // every space: the simulator is the outside world
  const paid = await parts.db.query<Noticed>(sql`
    select payer, amount, external_id, financial_transaction_id, moved_at from simulator_collections
    where provider_id = ${providerId} and moved_at >= ${from} and moved_at < ${until}
    order by moved_at, financial_transaction_id offset ${Number(body.OffSetValue)} limit ${pageSize}`)
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
