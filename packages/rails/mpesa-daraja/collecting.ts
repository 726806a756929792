import {
  type Collection,
  type Connector,
  type Failure,
  failures,
  msisdnOf,
  type OutboundAnswer,
  parseFields,
  type RailOutcome,
  type RailQuery,
  type SubmitOutcome,
  unknown,
} from '@pesewa/connector-kit'
import { wholeNumber } from '@pesewa/values'
import { collectionFailures, gatewayFailures, noAccount, withCents } from './codes.ts'
import {
  codeOf,
  errorOf,
  idOf,
  isRefusal,
  nairobiNow,
  plainText,
  shillingsOf,
  shownCode,
  shownError,
} from './documents.ts'
import type { DarajaGateway } from './gateway.ts'
import type { DarajaSettings } from './settings.ts'

type Business = Pick<DarajaSettings, 'shortCode' | 'passkey' | 'till'>

/**
 * Collects with M-Pesa Express, which shows a prompt on the payer's phone. The prompt does not contain our
 * reference, so repeating a request creates another payment. Only the `CheckoutRequestID` in the response or
 * callback identifies the payment.
 */
export const openCollecting = (business: Business, gateway: DarajaGateway) =>
  ({
    collect: async (order) => {
      const shillings = shillingsOf(order.amount)
      if (shillings === undefined) return { outcome: 'refused', ...withCents }
      const prompt = promptOf(business, order, shillings)
      return gateway.post('/mpesa/stkpush/v1/processrequest', prompt, prompted, order)
    },
    async queryCollection({ providerReference }: RailQuery): Promise<RailOutcome> {
      if (providerReference === undefined) return unknown('no report has identified the payment yet')
      const { shortCode } = business
      const query = {
        BusinessShortCode: shortCode,
        ...signed(business),
        CheckoutRequestID: providerReference,
      }
      return gateway.post('/mpesa/stkpushquery/v1/query', query, (response) =>
        outcomeOf(response, providerReference),
      )
    },
  }) satisfies Partial<Connector>

/**
 * Builds the request for a prompt. Safaricom's live system expects numbers in the numeric fields: when they
 * were sent as text, it responded that the payer could not be reached.
 */
function promptOf(business: Business, order: Collection, shillings: bigint) {
  const { shortCode, till } = business
  const payer = Number(msisdnOf(order.payerAccount ?? ''))
  return {
    BusinessShortCode: Number(shortCode),
    ...signed(business),
    TransactionType: till === undefined ? 'CustomerPayBillOnline' : 'CustomerBuyGoodsOnline',
    Amount: wholeNumber(shillings),
    PartyA: payer,
    PartyB: Number(till ?? shortCode),
    PhoneNumber: payer,
    CallBackURL: order.callbackUrl,
    AccountReference: plainText(order.orderNumber, maxReferenceLength, 'Payment'),
    TransactionDesc: plainText(order.description, maxDescriptionLength, 'Payment'),
  }
}

const maxReferenceLength = 12 // maximum length of the account reference in M-Pesa’s message
const maxDescriptionLength = 13 // maximum length of a description in a request to M-Pesa

function signed({ shortCode, passkey }: Business) {
  const stamp = nairobiNow()
  return { Password: Buffer.from(`${shortCode}${passkey}${stamp}`).toString('base64'), Timestamp: stamp }
}

function prompted(response: OutboundAnswer): SubmitOutcome {
  const { ResponseCode, CheckoutRequestID } = parseFields(response.body) ?? {}
  const [code, providerReference] = [codeOf(ResponseCode), idOf(CheckoutRequestID)]
  if (response.status !== 200) {
    const failure = refusalOf(response)
    return failure ? { outcome: 'refused', ...failure } : unknown(shownError(response))
  }
  if (code === '0' && providerReference !== undefined) return { outcome: 'accepted', providerReference }
  if (code === undefined || code === '0' || CheckoutRequestID !== undefined)
    return unknown('the response does not identify its payment')
  return { outcome: 'refused', ...failures.requestRejected }
}

/**
 * Returns the reason that a request was refused. Only refusals by the gateway itself are definite. A response
 * with HTTP status 500 is definite only if it contains a certain code with one of two texts; the same code also
 * has many other meanings.
 */
function refusalOf(response: OutboundAnswer): Failure | undefined {
  const { code, text } = errorOf(response)
  if (response.status === 500)
    return code === '500.001.1001' && ourConfiguration.test(text) ? failures.notSetUp : undefined
  if (!isRefusal(response)) return undefined
  return code === '400.002.02' && /PhoneNumber/i.test(text) ? noAccount : gatewayFailures.refusalOf(code)
}

const ourConfiguration = /\b(merchant does not exist|wrong credentials)\b/i

/**
 * Reads the response to a query. It contains neither the amount nor a receipt, but a prompt cannot be paid in
 * part.
 */
function outcomeOf(response: OutboundAnswer, checkoutId: string): RailOutcome {
  const fields = parseFields(response.body) ?? {}
  const { code: error, text } = errorOf(response)
  if (error === '500.001.1001' && /being processed/i.test(text)) return { outcome: 'pending' }
  if (response.status !== 200 || codeOf(fields.ResponseCode) !== '0') return unknown(shownError(response))
  if (fields.CheckoutRequestID !== checkoutId) return unknown('the response is for another payment')
  const code = codeOf(fields.ResultCode)
  if (code === '0') return { outcome: 'done', ...unstated, railTransaction: undefined }
  if (code === '4999') return { outcome: 'pending' }
  const failure = collectionFailures.refusalOf(code)
  return failure ? { outcome: 'refused', ...failure } : unknown(`ResultCode ${shownCode(code) ?? 'missing'}`)
}

const unstated = { amount: undefined, currency: undefined, isAmountUnstated: true } as const
