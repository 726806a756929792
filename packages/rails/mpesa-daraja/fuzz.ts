import type { RailKind } from '@pesewa/connector-kit'
import {
  type FuzzCall,
  type FuzzReport,
  ours,
  type RailFuzz,
  type SeenDocument,
  type SeenResponse,
  type Supported,
} from '../../../test/fuzz/rail-fuzz.ts'
import { receivedBy } from '../../../test/fuzz/received.ts'
import { createDaraja } from './connector.ts'
import { darajaSecrets, payouts } from './testing.ts'

// Written from the documented facts in `packages/rails/mpesa-daraja`, independently of the connector.

const checkoutId = 'ws_CO_191220191020363925254708374149'
const reversalId = '71840-27539181-07'

const is = (value: unknown, ...codes: string[]) =>
  (typeof value === 'string' || Number.isFinite(value)) && codes.includes(String(value))
const isId = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && /^[\x21-\x7e]{1,64}$/.test(String(value))
/** Whether a value is written like a code. */
const isCode = (value: unknown) => /^[A-Za-z0-9_.]{1,20}$/.test(String(value)) && typeof value !== 'object'

const failedPayment = '1 2 3 4 8 17 1019 1025 1032 1037 2001 2028 SFC_IC0003 8006'.split(' ')
const failedPayout = '1 2 3 4 8 11 18 20 21 22 2001 2006 2028 8006 2040 SFC_IC0003'.split(' ')
const failedReversal = '1 11 21 2001 2006 2028 8006 R000002'.split(' ')
const endedStatus = ['failed', 'expired', 'declined', 'rejected', 'cancelled']

/** Whether status and code agree, and the code is one that the gateway returns before it forwards a request. */
const isRefusedByGateway = ({ status, document: { errorCode } }: SeenResponse) =>
  is(errorCode, '400.002.02', '403.002.1001', '404.001.01', '405.001') &&
  String(errorCode).startsWith(`${status}.`)

function prompted(response: SeenResponse): Supported {
  const { status, document } = response
  const { ResponseCode, CheckoutRequestID, errorCode, errorMessage } = document
  const isOurMistake = /merchant does not exist|wrong credentials/i.test(String(errorMessage))
  if (status !== 200)
    return {
      refused:
        isRefusedByGateway(response) || (status === 500 && is(errorCode, '500.001.1001') && isOurMistake),
    }
  return {
    accepted: is(ResponseCode, '0') && isId(CheckoutRequestID),
    refused: isCode(ResponseCode) && !is(ResponseCode, '0') && CheckoutRequestID === undefined,
  }
}

function promptQueried({ status, document }: SeenResponse): Supported {
  const { ResponseCode, ResultCode, CheckoutRequestID, errorCode, errorMessage } = document
  if (is(errorCode, '500.001.1001') && /being processed/i.test(String(errorMessage))) return { pending: true }
  if (status !== 200 || !is(ResponseCode, '0') || CheckoutRequestID !== checkoutId) return {}
  return {
    done: is(ResultCode, '0') ? 'unstated' : undefined,
    pending: is(ResultCode, '4999'),
    refused: is(ResultCode, ...failedPayment),
  }
}

const paidOut = (response: SeenResponse): Supported => {
  const { status, document } = response
  const { ResponseCode, errorCode, errorMessage } = document
  const isDuplicate =
    is(errorCode, '500.002.1001') && /duplicate originatorconversationid/i.test(String(errorMessage))
  return {
    accepted: (status === 200 && is(ResponseCode, '0')) || isDuplicate,
    refused: isRefusedByGateway(response),
  }
}

const reversed = (response: SeenResponse): Supported => {
  const { status, document } = response
  const isNamed = isId(document.OriginatorConversationID)
  return {
    accepted: status === 200 && is(document.ResponseCode, '0') && isNamed,
    refused: isRefusedByGateway(response),
  }
}

const asked = ({ status, document }: SeenResponse): Supported => ({
  asked: status === 200 && is(document.ResponseCode, '0'),
})

const taken = { MerchantRequestID: '2654-4b64', CheckoutRequestID: checkoutId, ResponseCode: '0' }
const acknowledged = { OriginatorConversationID: ours.reference, ConversationID: 'AG_1', ResponseCode: '0' }
const error = (status: number, errorCode: string, errorMessage: string) => ({
  status,
  body: { requestId: '94fc-460e', errorCode, errorMessage },
})
const badRequest = error(400, '400.002.02', 'Bad Request - Invalid Amount')
const lock = error(500, '500.001.1001', 'Unable to lock subscriber')

const calls: FuzzCall[] = [
  {
    name: 'collect',
    at: /^POST \/mpesa\/stkpush\/v1\/processrequest$/,
    genuine: [
      { status: 200, body: taken },
      { status: 200, body: { MerchantRequestID: '2654', ResponseCode: '1' } },
      badRequest,
      error(500, '500.001.1001', 'Merchant does not exist'),
      lock,
    ],
    supported: prompted,
  },
  {
    name: 'queryCollection',
    at: /^POST \/mpesa\/stkpushquery\/v1\/query$/,
    genuine: [
      ...['0', '1032', '4999', '9999'].map((ResultCode) => ({
        status: 200,
        body: { ...taken, ResultCode, ResultDesc: 'Words' },
      })),
      error(500, '500.001.1001', 'The transaction is being processed'),
    ],
    reaches: ['done', 'pending', 'refused', 'unknown'],
    supported: promptQueried,
  },
  {
    name: 'disburse',
    at: /^POST \/mpesa\/b2c\/v3\/paymentrequest$/,
    genuine: [
      { status: 200, body: acknowledged },
      error(500, '500.002.1001', 'Duplicate OriginatorConversationID.'),
      badRequest,
      error(403, '403.002.1001', 'Words'),
      lock,
    ],
    supported: paidOut,
  },
  {
    name: 'refund',
    at: /^POST \/mpesa\/reversal\/v1\/request$/,
    genuine: [
      { status: 200, body: { ...acknowledged, OriginatorConversationID: reversalId } },
      badRequest,
      lock,
    ],
    supported: reversed,
  },
  ...(['queryDisbursement', 'queryRefund'] as const).map(
    (name): FuzzCall => ({
      name,
      at: /^POST \/mpesa\/transactionstatus\/v1\/query$/,
      genuine: [{ status: 200, body: acknowledged }, lock],
      reaches: ['asked', 'unknown'],
      supported: asked,
    }),
  ),
  {
    name: 'verifyAccount',
    at: /^POST \/mpesa\/b2c\/hakikisha\/v1\/hakikisha$/,
    genuine: [
      {
        status: 200,
        body: { header: { status: '200' }, body: { firstName: 'Wanjiru', lastName: 'K****' } },
      },
      {
        status: 400,
        body: { header: { status: '400' }, body: { message: 'The customer does not exist.' } },
      },
    ],
    supported({ status, document }) {
      return {
        missing: status === 400 && document.body?.message === 'The customer does not exist.',
        found: status === 200 && String(document.header?.status) === '200' ? true : undefined,
      }
    },
  },
]

/** Reads an amount in shillings: 1500, `"1500"`, `"1500.00"` or 1500.5. */
function shillings(value: unknown) {
  const [, whole, cents = ''] =
    (typeof value !== 'object' && /^([0-9]+)(?:\.([0-9]+))?$/.exec(String(value))) || []
  const digits = cents.replace(/0+$/, '')
  return whole === undefined || digits.length > 2
    ? undefined
    : { amount: BigInt(whole + digits.padEnd(2, '0')), currency: 'KES' }
}

/** Returns a named value that occurs once, or several times with the same value. */
function valueIn(list: unknown, nameField: 'Name' | 'Key', name: string): unknown {
  const entries: SeenDocument[] = Array.isArray(list) ? list : [list]
  const values = entries.filter((entry) => entry?.[nameField] === name).map(({ Value }) => Value)
  return values.every((value) => value === values[0]) ? values[0] : undefined
}

/** Returns the outcomes that a result code supports. A success counts only with its amount. */
const endedBy = (code: unknown, failures: readonly string[], amount: unknown): Supported => ({
  done: is(code, '0') ? shillings(amount) : undefined,
  refused: is(code, ...failures),
})

const parameters = (more: object) => ({
  ResultParameters: { ResultParameter: Object.entries(more).map(([Key, Value]) => ({ Key, Value })) },
})

const report = (
  name: string,
  kind: RailKind,
  notice: string | undefined,
  documents: readonly unknown[],
  supported: (document: SeenDocument) => Supported,
  named: string = ours.reference,
): FuzzReport => ({
  name: `readReport of ${name}`,
  documents,
  received: (rawBody) => receivedBy(rawBody, { notice, address: '196.201.214.200' }),
  // Proved by the sender's address.
  isProved: () => true,
  named,
  supported: (document, of) => (of === kind ? supported(document) : {}),
  reaches: [`${kind} done`, `${kind} refused`],
})

const result = (ResultCode: unknown, id: string, more: object = {}) => ({
  Result: { ResultType: 0, ResultCode, OriginatorConversationID: id, TransactionID: 'NLJ7RT61SV', ...more },
})

const reports: FuzzReport[] = [
  report(
    'a prompt',
    'collect',
    undefined,
    [
      {
        Body: {
          stkCallback: {
            CheckoutRequestID: checkoutId,
            ResultCode: 0,
            CallbackMetadata: {
              Item: [
                { Name: 'Amount', Value: 1500 },
                { Name: 'MpesaReceiptNumber', Value: 'NLJ7RT61SV' },
              ],
            },
          },
        },
      },
      { Body: { stkCallback: { CheckoutRequestID: checkoutId, ResultCode: 1032 } } },
    ],
    ({ Body }) => {
      const { CheckoutRequestID, ResultCode, CallbackMetadata } = Body?.stkCallback ?? {}
      const amount = valueIn(CallbackMetadata?.Item, 'Name', 'Amount')
      return CheckoutRequestID === checkoutId ? endedBy(ResultCode, failedPayment, amount) : {}
    },
    checkoutId,
  ),
  report(
    'a payout',
    'disburse',
    undefined,
    [
      result(0, ours.reference, parameters({ TransactionAmount: 1500, TransactionReceipt: 'NLJ7RT61SV' })),
      result('2040', ours.reference),
    ],
    ({ Result }) => {
      const { OriginatorConversationID, ResultCode, ResultParameters } = Result ?? {}
      const amount = valueIn(ResultParameters?.ResultParameter, 'Key', 'TransactionAmount')
      return OriginatorConversationID === ours.reference ? endedBy(ResultCode, failedPayout, amount) : {}
    },
  ),
  report(
    'a reversal',
    'refund',
    'reversal',
    [result('0', reversalId, parameters({ Amount: '1500.00' })), result('R000002', reversalId)],
    ({ Result }) => {
      const { OriginatorConversationID, ResultCode, ResultParameters } = Result ?? {}
      const amount = valueIn(ResultParameters?.ResultParameter, 'Key', 'Amount')
      return OriginatorConversationID === reversalId ? endedBy(ResultCode, failedReversal, amount) : {}
    },
    reversalId,
  ),
  ...(
    [
      ['disburse', 'status', ours.reference],
      ['refund', 'reversal-status', reversalId],
    ] as const
  ).map(([kind, notice, id]) =>
    report(
      `the requested ${notice}`,
      kind,
      notice,
      ['Completed', 'Failed', 'Reversed'].map((TransactionStatus) =>
        result(
          '0',
          'of-the-query',
          parameters({
            TransactionStatus,
            Amount: '1500.00',
            OriginatorConversationID: id,
            ReceiptNo: 'NLJ7RT61SV',
          }),
        ),
      ),
      ({ Result }) => {
        const { ResultCode, ResultParameters } = Result ?? {}
        const value = (name: string) => valueIn(ResultParameters?.ResultParameter, 'Key', name)
        const status =
          typeof value('TransactionStatus') === 'string' ? String(value('TransactionStatus')) : ''
        if (!is(ResultCode, '0') || value('OriginatorConversationID') !== id) return {}
        const code = status.toLowerCase() === 'completed' ? '0' : status.toLowerCase()
        return endedBy(code, endedStatus, value('Amount'))
      },
      id,
    ),
  ),
]

export const fuzz: RailFuzz = {
  protocol: 'mpesa-daraja',
  order: {
    amount: 150_000n,
    currency: 'KES',
    account: '+254708374149',
    providerReference: checkoutId,
    railTransaction: 'NLJ7RT61SV',
  },
  connect(baseUrl, peer) {
    const { consumerKey, consumerSecret, passkey } = darajaSecrets
    const business = { consumerKey, consumerSecret, passkey, shortCode: '600111', payouts }
    return createDaraja({ ...business, baseUrl, timeoutMs: 20_000 }, peer)
  },
  words: [
    ...new Set([...failedPayment, ...failedPayout, ...failedReversal, ...endedStatus]),
    ...[
      '00',
      '15',
      '26',
      '9999',
      'R000001',
      '404.001.01',
      '405.001',
      '500.002.1001',
      'Wrong credentials',
      '-0',
    ],
    ...['Reversed', 'Pending', 'Amount', 'TransactionAmount', '1500', '1500.00', 'errorCode'],
  ],
  shared: [
    {
      at: /^GET \/oauth\/v1\/generate/,
      genuine: [{ status: 200, body: { access_token: 'token', expires_in: '3599' } }],
    },
  ],
  calls,
  reports,
}
