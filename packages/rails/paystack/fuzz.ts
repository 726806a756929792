import type { Agent } from 'undici'
import {
  type FuzzCall,
  type FuzzStep,
  ours,
  type RailFuzz,
  type SeenDocument,
  type SeenResponse,
  type Supported,
} from '../../../test/fuzz/rail-fuzz.ts'
import { receivedBy } from '../../../test/fuzz/received.ts'
import { statedInMinorUnits } from '../../../test/fuzz/stated-money.ts'
import { createPaystack } from './connector.ts'
import { signReport } from './report.ts'

// Written from the documented facts in `packages/rails/paystack`, independently of the connector.

const { reference } = ours
const order = { amount: 15_000n, currency: 'GHS', account: '+233241234567', railTransaction: '41' }
const secretKey = 'sk_live_0123456789abcdef'
const pageOrigin = 'https://checkout.paystack.com'

const isOk = ({ status, document }: SeenResponse) => status >= 200 && status < 300 && document.status === true
const dataOf = (response: SeenResponse): SeenDocument => response.document.data ?? {}
const isAboutOurs = (response: SeenResponse) => isOk(response) && dataOf(response).reference === reference
/** Whether the request was invalid and nothing was created. */
const isInvalid = (response: SeenResponse) =>
  !isOk(response) &&
  response.status === 400 &&
  response.document.type === 'validation_error' &&
  response.document.data === undefined
/** Whether a response is this error, by its code or its message. */
const says = (response: SeenResponse, code: string, words: string) =>
  [400, 404, 409, 422].includes(response.status) &&
  (response.document.code === code || String(response.document.message).toLowerCase().includes(words))

/**
 * Returns the amount in a document. In some currencies it can be read only with a setting that this connection
 * does not have.
 */
const moneyIn = ({ amount, currency }: SeenDocument) =>
  ['XOF', 'XAF', 'UGX', 'RWF'].includes(currency) ? undefined : statedInMinorUnits(amount, currency)

const isPage = (url: unknown) => typeof url === 'string' && URL.parse(url)?.origin === pageOrigin
const underWay =
  'pending processing ongoing queued pay_offline open_url send_otp send_pin send_phone send_birthday send_address'.split(
    ' ',
  )

function charged(response: SeenResponse): Supported {
  const { status, url } = dataOf(response)
  const isDuplicate = says(response, 'duplicate_reference', 'duplicate transaction reference')
  if (!isAboutOurs(response)) return { accepted: isDuplicate, refused: isInvalid(response) }
  return {
    accepted: (status !== 'open_url' || isPage(url)) && [...underWay, 'success'].includes(status),
    refused: status === 'failed',
  }
}

/** Whether a charge is older than a day, for which its page stays open, whatever its status. */
const isOld = (createdAt: unknown) =>
  typeof createdAt === 'string' && Date.now() - Date.parse(createdAt) > 24 * 3_600_000

function chargeQueried(first: SeenResponse, seen: readonly SeenResponse[]): Supported {
  const last = seen.at(-1) ?? first
  if (seen.length > 1 && !(isAboutOurs(first) && dataOf(first).status === 'success')) return {}
  if (!isOk(last)) return { missing: says(last, 'transaction_not_found', 'transaction reference not found') }
  if (!isAboutOurs(last)) return {}
  const { status, url, created_at, createdAt = created_at } = dataOf(last)
  const isOver = status === 'abandoned' && isOld(createdAt)
  return {
    done:
      status === 'success' && last.message.includes('/transaction/verify/')
        ? moneyIn(dataOf(last))
        : undefined,
    pending:
      (status === 'abandoned' && !isOver) ||
      (underWay.includes(status) && (status !== 'open_url' || isPage(url))),
    refused: status === 'failed' || isOver,
  }
}

const isMoving = (status: unknown) =>
  ['pending', 'received', 'processing', 'queued'].some((word) => word === status)
const isOver = (status: unknown) => ['failed', 'rejected', 'reversed'].some((word) => word === status)

function transferred(recipient: SeenResponse, [, transfer]: readonly SeenResponse[]): Supported {
  if (!recipient.message.endsWith('/transferrecipient')) return {}
  if (!transfer) return { refused: isInvalid(recipient) }
  if (!isOk(recipient) || !/^RCP_[A-Za-z0-9]{1,60}$/.test(dataOf(recipient).recipient_code)) return {}
  const { status } = dataOf(transfer)
  if (isAboutOurs(transfer))
    return { accepted: isMoving(status) || status === 'success', refused: isOver(status) }
  const isRepeated =
    says(transfer, 'duplicate_transfer_reference', 'reference already exists') ||
    says(transfer, 'duplicate_transfer_reference', 'unique reference')
  const isShort = transfer.status === 400 && transfer.document.code === 'insufficient_balance'
  return { accepted: isRepeated, refused: isShort || isInvalid(transfer) }
}

function transferQueried(response: SeenResponse): Supported {
  if (!isOk(response)) return { missing: says(response, 'transfer_not_found', 'transfer not found') }
  if (!isAboutOurs(response)) return {}
  const { status } = dataOf(response)
  return {
    pending: isMoving(status),
    refused: isOver(status),
    done: status === 'success' ? moneyIn(dataOf(response)) : undefined,
  }
}

/** Finds our refund in a list. It is found only if it occurs once, and missing only if the list is complete. */
function listed(response: SeenResponse): { ours?: SeenDocument; isMissing: boolean } {
  const refunds: SeenDocument[] =
    isOk(response) && Array.isArray(response.document.data) ? response.document.data : [{}]
  const named = refunds.filter((refund) => refund?.merchant_note === reference)
  const isWhole = refunds.length < 100 && refunds.every((refund) => typeof refund?.merchant_note === 'string')
  return { ...(named.length === 1 && { ours: named[0] }), isMissing: named.length === 0 && isWhole }
}

const refundStates = ['pending', 'processing', 'needs-attention', 'processed']

function refunded(list: SeenResponse, [, made]: readonly SeenResponse[]): Supported {
  if (!list.message.startsWith('GET')) return {}
  if (!made) return { accepted: listed(list).ours !== undefined }
  if (!listed(list).isMissing) return {}
  return {
    accepted: isOk(made) && refundStates.includes(dataOf(made).status),
    refused: isInvalid(made),
  }
}

function refundQueried(list: SeenResponse): Supported {
  const { ours: refund, isMissing } = listed(list)
  if (!refund) return { missing: isMissing }
  return {
    pending: ['pending', 'processing'].includes(refund.status),
    refused: refund.status === 'failed',
    done: refund.status === 'processed' ? moneyIn(refund) : undefined,
  }
}

const yes = (data: unknown) => ({ status: 200, body: { status: true, message: 'Words', data } })
const no = (status: number, message: string, code: string, type = 'validation_error') => ({
  status,
  body: { status: false, message, type, code },
})
const data = (status: string, more: object = {}) =>
  yes({ id: 42, reference, status, amount: 15_000, currency: 'GHS', ...more })
const invalid = no(400, 'Invalid amount', 'invalid_params')
const unavailable = no(500, 'An error occurred', 'unknown', 'api_error')
const notFound = no(404, 'Transaction reference not found', 'transaction_not_found')
const duplicateReference = no(400, 'Duplicate Transaction Reference', 'duplicate_reference')

const charge = (path: RegExp): FuzzStep => ({
  at: path,
  genuine: [
    data('pay_offline', { display_text: 'Please dial *170#' }),
    data('open_url', { url: `${pageOrigin}/1` }),
    data('send_otp', { display_text: 'Dial *110#' }),
    data('failed', { gateway_response: 'Declined' }),
    duplicateReference,
    invalid,
    unavailable,
  ],
})
const verified: FuzzStep = {
  at: /^GET \/transaction\/verify\//,
  genuine: [
    data('success', { gateway_response: 'Approved', created_at: '2026-01-01T00:00:00Z' }),
    data('success', {
      channel: 'card',
      authorization: { brand: 'visa', last4: '4081', signature: 'SIG_1234567' },
    }),
    data('failed', { gateway_response: 'Declined' }),
    data('abandoned', { created_at: '2126-01-01T00:00:00Z' }),
    data('abandoned', { created_at: '2016-01-01T00:00:00Z' }),
    notFound,
  ],
}

const ofWallets: FuzzCall[] = [
  {
    name: 'collect',
    ...charge(/^POST \/charge$/),
    supported: charged,
  },
  {
    name: 'queryCollection',
    at: /^GET \/charge\//,
    genuine: [data('success'), data('pending'), data('failed'), data('success'), notFound],
    next: [verified],
    supported: chargeQueried,
  },
  {
    name: 'submitCode',
    ...charge(/^POST \/charge\/submit_otp$/),
    // A wrong code may be entered again, so no error fails the payment.
    supported: (response) => (isAboutOurs(response) ? charged(response) : {}),
  },
  {
    name: 'disburse',
    at: /^POST \/transferrecipient$/,
    genuine: [yes({ recipient_code: 'RCP_2x5j67tnnw1t98k' }), yes({ recipient_code: 'RCP_1' })],
    next: [
      {
        at: /^POST \/transfer$/,
        genuine: [
          data('success', { transfer_code: 'TRF_1' }),
          data('otp', { transfer_code: 'TRF_1' }),
          data('failed', { transfer_code: 'TRF_1' }),
          no(400, 'Your balance is not enough', 'insufficient_balance', 'api_error'),
          no(400, 'Reference already exists', 'duplicate_transfer_reference'),
          invalid,
          unavailable,
        ],
      },
    ],
    supported: transferred,
  },
  {
    name: 'queryDisbursement',
    at: /^GET \/transfer\/verify\//,
    genuine: [
      data('success', { transfer_code: 'TRF_1' }),
      data('pending'),
      data('reversed'),
      no(404, 'Transfer not found', 'transfer_not_found'),
    ],
    supported: transferQueried,
  },
  {
    name: 'verifyAccount',
    at: /^GET \/bank\/resolve\?/,
    genuine: [
      yes({ account_number: '0241234567', account_name: 'AMA MENSAH' }),
      no(422, 'Could not resolve account name. Check parameters or try again.', 'invalid_bank_code'),
    ],
    supported(response) {
      const isUnresolved = /^could not resolve account name/i.test(response.document.message)
      return {
        missing: response.status === 422 && isUnresolved,
        found: isOk(response) && /\p{L}/u.test(dataOf(response).account_name) ? true : undefined,
      }
    },
  },
]

const refund = (status: string, note: string = reference) => ({
  id: 7,
  status,
  amount: 15_000,
  currency: 'GHS',
  merchant_note: note,
})

const ofRefunds: FuzzCall[] = [
  {
    name: 'refund',
    at: /^GET \/refund\?/,
    genuine: [yes([]), yes([refund('processed', 'another')]), yes([refund('pending')])],
    next: [{ at: /^POST \/refund$/, genuine: [yes(refund('pending')), invalid, unavailable] }],
    reaches: ['accepted', 'refused'],
    supported: refunded,
  },
  {
    name: 'queryRefund',
    at: /^GET \/refund\?/,
    genuine: [
      yes([refund('processed', 'another'), refund('processed')]),
      yes([refund('processing')]),
      yes([refund('failed')]),
      yes([refund('processed', 'another')]),
    ],
    supported: refundQueried,
  },
]

const initialized = yes({ authorization_url: `${pageOrigin}/1`, access_code: '1', reference })

const connect = (baseUrl: string, peer: Agent, type: 'momo' | 'card') =>
  createPaystack(
    {
      baseUrl,
      secretKey,
      pageOrigin,
      emailDomain: 'payers.example',
      timeoutMs: 20_000,
      missingAfterMs: 60_000,
      unitsPerFranc: undefined,
      type,
      country: 'GH',
      currency: 'GHS',
      as: type === 'momo' ? 'mtn' : undefined,
    },
    peer,
  )

const byCard = {
  order: { ...order, account: null, returnUrl: 'https://pay.example/return' },
  connect: (baseUrl: string, peer: Agent) => connect(baseUrl, peer, 'card'),
}

const ofCards: FuzzCall[] = [
  {
    name: 'collect by card',
    ...byCard,
    at: /^POST \/transaction\/initialize$/,
    genuine: [initialized, duplicateReference, invalid, unavailable],
    supported(response) {
      const isTaken = isAboutOurs(response) && isPage(dataOf(response).authorization_url)
      return isAboutOurs(response) ? { accepted: isTaken } : charged(response)
    },
  },
  { name: 'queryCollection by card', ...byCard, ...verified, supported: chargeQueried },
]

const event = (name: string, more: object = {}) => ({
  event: name,
  data: {
    id: 42,
    reference,
    status: 'success',
    amount: 15_000,
    currency: 'GHS',
    transfer_code: 'TRF_1',
    ...more,
  },
})

export const fuzz: RailFuzz = {
  protocol: 'paystack',
  connect: (baseUrl, peer) => connect(baseUrl, peer, 'momo'),
  order,
  pageOrigin,
  words: [
    ...[...underWay, 'success', 'failed', 'abandoned', 'reversed', 'rejected', 'otp', 'received', 'blocked'],
    ...[...refundStates, 'api_error', 'GHS', 'NGN', 'XOF', 'ABC', `${pageOrigin}.evil.example/1`, reference],
    ...['Success', 'Transfer not found', 'Transaction reference not found', '2016-01-01T00:00:00Z'],
  ],
  calls: [...ofWallets, ...ofRefunds, ...ofCards],
  reports: [
    {
      name: 'readReport',
      documents: [
        event('charge.success'),
        event('transfer.success'),
        event('transfer.failed', { status: 'failed' }),
        event('transfer.reversed', { status: 'reversed' }),
        event('refund.processed', { merchant_note: reference, status: 'processed' }),
      ],
      received: (rawBody, signed) =>
        receivedBy(rawBody, { headers: signed ? signReport(secretKey, signed) : {} }),
      supported({ event: name, data: about }, kind) {
        if (about?.reference !== reference) return {}
        const success = { collect: 'charge.success', disburse: 'transfer.success', refund: '' }[kind]
        const isFailure = ['transfer.failed', 'transfer.reversed'].includes(name)
        return {
          done: name === success && about.status === 'success' ? moneyIn(about) : undefined,
          refused: kind === 'disburse' && isFailure,
        }
      },
      reaches: ['collect done', 'disburse done', 'disburse refused'],
    },
  ],
}
