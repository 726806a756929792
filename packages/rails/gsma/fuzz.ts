import type { RailKind } from '@pesewa/connector-kit'
import {
  type FuzzCall,
  ours,
  type RailFuzz,
  type SeenDocument,
  type SeenResponse,
  type Supported,
  unsignedReports,
} from '../../../test/fuzz/rail-fuzz.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createGsma } from './connector.ts'

// Written from the documented facts in `packages/rails/gsma`, independently of the connector.

const typeOf = { collect: 'merchantpay', disburse: 'disbursement', refund: 'reversal' } as const

const codes =
  'lessThanTransactionMinValue greaterThanTransactionMaxValue underPaymentNotAllowed overPaymentNotAllowed samePartiesError ' +
  'transactionTypeError rateLimitError formatError lengthError negativeValue currencyNotSupported mandatoryValueNotSupplied ' +
  'clientAuthorisationError requestDeclined requestingPartyAuthorisationError genericError dailyVolumeLimitExceeded ' +
  'dailyValueLimitExceeded weeklyVolumeLimitExceeded weeklyValueLimitExceeded monthlyVolumeLimitExceeded ' +
  'monthlyValueLimitExceeded accountMaxTotalValueExceeded accountMaxTotalVolumeExceeded maxBalanceExceeded identifierError ' +
  'incorrectState insufficientFunds'
const refusing = codes.split(' ')
/** HTTP status of each error category; any other combination proves nothing. */
const statusOf = new Map([
  ['businessRule', 400],
  ['validation', 400],
  ['authorisation', 401],
  ['authorization', 401],
  ['identification', 404],
])

/** Normalizes a word, because the guidelines capitalize some words and split others. */
const wordOf = (value: unknown) =>
  typeof value === 'string' ? value.replaceAll(' ', '').replace(/^./, (first) => first.toLowerCase()) : ''

const hasError = ({ status, document }: SeenResponse) =>
  statusOf.get(wordOf(document.errorCategory)) === status

/** Whether a failure proves that no money moved; an internal failure of the wallet does not. */
const isClearFailure = ({ error }: SeenDocument) =>
  !['internal', 'serviceUnavailable'].includes(wordOf(error?.errorCategory))

function submitted(response: SeenResponse): Supported {
  const { status, document } = response
  const code = hasError(response) ? wordOf(document.errorCode) : ''
  const isTransaction = ['string', 'number'].includes(typeof document.transactionReference)
  return {
    accepted:
      (status === 202 && ['pending', 'completed'].includes(document.status)) ||
      (status === 201 && isTransaction) ||
      code === 'duplicateRequest',
    refused:
      (status === 202 && document.status === 'failed' && isClearFailure(document)) || refusing.includes(code),
  }
}

const queried =
  (kind: RailKind) =>
  (first: SeenResponse, [, ...followed]: readonly SeenResponse[]): Supported => {
    const last = followed.at(-1)
    if (!last) return { missing: hasError(first) && first.status === 404 }
    return leads(first) && followed.slice(0, -1).every(isState) ? endedBy(last, kind) : {}
  }

/** Whether a response links to a transaction or a request state below the wallet's base URL. */
const leads = ({ status, document }: SeenResponse) =>
  status === 200 &&
  /\/(transactions|requeststates)\/[A-Za-z0-9._~-]+$/.test(
    URL.parse(document.link, 'https://wallet.example')?.pathname ?? '',
  )
const isState = ({ status, document }: SeenResponse) =>
  status === 200 && document.status === 'completed' && document.objectReference !== undefined

function endedBy({ status, document }: SeenResponse, kind: RailKind): Supported {
  if (status !== 200) return {}
  const { transactionReference, transactionStatus, amount, currency } = document
  const isTransaction = transactionReference !== undefined || transactionStatus !== undefined
  const isOurs = [undefined, ours.reference].includes(document.requestingOrganisationTransactionReference)
  const isType = [undefined, typeOf[kind]].includes(document.type)
  if (isTransaction && !(isOurs && isType)) return {}
  const transactionState = typeof transactionStatus === 'string' ? transactionStatus.toLowerCase() : undefined
  const word = isTransaction ? transactionState : document.status
  return {
    pending: word === 'pending',
    refused: word === 'failed' && isClearFailure(document),
    done: word === 'completed' && isTransaction ? statedInMajorUnits(amount, currency) : undefined,
  }
}

const failed = (errorCategory: string, errorCode: string) => ({ errorCategory, errorCode })

const submits = (name: FuzzCall['name'], at: RegExp): FuzzCall => ({
  name,
  at,
  genuine: [
    {
      status: 202,
      body: { serverCorrelationId: 'srv-1', status: 'pending', notificationMethod: 'callback' },
    },
    { status: 201, body: { transactionReference: 'REF-1', transactionStatus: 'completed' } },
    { status: 202, body: { status: 'failed', error: failed('businessRule', 'insufficientFunds') } },
    { status: 400, body: failed('BusinessRule', 'InsufficientFunds') },
    { status: 400, body: failed('businessRule', 'duplicateRequest') },
    { status: 401, body: failed('authorisation', 'requestDeclined') },
    { status: 404, body: failed('identification', 'identifierError') },
    { status: 500, body: failed('internal', 'genericError') },
  ],
  supported: submitted,
})

const queries = (kind: RailKind, name: FuzzCall['name']): FuzzCall => {
  const transaction = {
    transactionReference: 'REF-1',
    transactionStatus: 'completed',
    type: typeOf[kind],
    amount: '15.50',
    currency: 'SLE',
    requestingOrganisationTransactionReference: ours.reference,
  }
  const error = failed('businessRule', 'insufficientFunds')
  const link = (path: string) => ({ status: 200, body: { link: path } })
  return {
    name,
    at: new RegExp(`^GET /responses/${ours.reference}$`),
    genuine: [
      link('/transactions/REF-1'),
      link('/requeststates/srv-1'),
      link('/transactions/REF-1'),
      link('/transactions/REF-1'),
      { status: 404, body: failed('identification', 'identifierError') },
    ],
    next: [
      {
        at: /^GET \/requeststates\//,
        genuine: [
          {
            status: 200,
            body: { serverCorrelationId: 'srv-1', status: 'completed', objectReference: 'REF-1' },
          },
          { status: 200, body: { serverCorrelationId: 'srv-1', status: 'pending' } },
          { status: 200, body: { serverCorrelationId: 'srv-1', status: 'failed', error } },
        ],
      },
      {
        at: /^GET \/transactions\//,
        genuine: [
          { status: 200, body: transaction },
          { status: 200, body: { ...transaction, transactionStatus: 'pending' } },
          { status: 200, body: { ...transaction, transactionStatus: 'failed', error } },
          { status: 200, body: { ...transaction, transactionStatus: 'Completed' } },
        ],
      },
    ],
    supported: queried(kind),
  }
}

const holder: FuzzCall = {
  name: 'verifyAccount',
  at: /^GET .*\/accountname$/,
  genuine: [
    { status: 200, body: { name: { fullName: 'Fatu Kamara' } } },
    { status: 200, body: { name: { firstName: 'Fatu', lastName: 'Kamara' } } },
    { status: 404, body: failed('identification', 'identifierError') },
  ],
  next: [
    {
      at: /^GET .*\/status$/,
      genuine: [
        { status: 200, body: { status: 'available' } },
        { status: 200, body: { accountStatus: 'unregistered' } },
      ],
    },
  ],
  supported(_response, seen) {
    const name = seen.find(({ message }) => message.endsWith('/accountname'))
    const state = seen.find(({ message }) => message.endsWith('/status'))
    const word = state?.document.status ?? state?.document.accountStatus
    const isFound = name?.status === 200 && state?.status === 200 && typeof word === 'string'
    return {
      missing: name !== undefined && name.status === 404 && hasError(name),
      found: isFound ? word.toLowerCase() === 'available' : undefined,
    }
  },
}

export const fuzz: RailFuzz = {
  protocol: 'gsma',
  order: { amount: 1_550n, currency: 'SLE', account: '+23276123456', railTransaction: 'REF-0' },
  connect: (baseUrl, peer) =>
    createGsma(
      {
        baseUrl,
        merchant: { key: 'accountid', value: '2000' },
        oauth: { key: 'user', secret: 'secret' },
        currency: 'SLE',
        timeoutMs: 20_000,
      },
      peer,
    ),
  words: [
    ...[
      ...refusing,
      ...statusOf.keys(),
      ...Object.values(typeOf),
      'internal',
      'serviceUnavailable',
      'reversed',
    ],
    ...[
      'https://evil.example/transactions/REF-1',
      '//evil.example/transactions/REF-1',
      '/mm/requeststates/srv-2',
    ],
    ...['requestingOrganisationTransactionReference', 'Failed', 'PENDING', '/transactions/../heartbeat'],
  ],
  shared: [
    {
      at: /^POST \/oauth\/accesstoken$/,
      genuine: [{ status: 200, body: { access_token: 't', expires_in: 3600 } }],
    },
  ],
  calls: [
    submits('collect', /^POST .*\/merchantpay$/),
    queries('collect', 'queryCollection'),
    submits('disburse', /^POST .*\/disbursement$/),
    queries('disburse', 'queryDisbursement'),
    submits('refund', /^POST .*\/reversals$/),
    queries('refund', 'queryRefund'),
    holder,
  ],
  reports: [
    unsignedReports({
      transactionReference: 'REF-1',
      transactionStatus: 'completed',
      amount: '15.50',
      currency: 'SLE',
      requestingOrganisationTransactionReference: ours.reference,
    }),
  ],
}
