import type { RailKind } from '@pesewa/connector-kit'
import {
  type FuzzCall,
  orderNumber,
  ours,
  type RailFuzz,
  type SeenResponse,
  type Supported,
  unsignedReports,
} from '../../../test/fuzz/rail-fuzz.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createMtnMomo } from './connector.ts'

// Written from the documented facts in `packages/rails/mtn-momo`, independently of the connector.

const credentials = { subscriptionKey: 'key', apiUser: 'user', apiKey: 'secret' }

/** Codes of a 400 or 404 response that prove that nothing was started. */
const ofAll =
  'NOT_ALLOWED_TARGET_ENVIRONMENT INVALID_CALLBACK_URL_HOST INVALID_CURRENCY NOT_ENOUGH_FUNDS PAYER_NOT_FOUND ' +
  'PAYER_LIMIT_REACHED SENDER_ACCOUNT_NOT_ACTIVE PAYEE_NOT_ALLOWED_TO_RECEIVE NOT_ALLOWED'
const ofPayees = `${ofAll} PAYEE_NOT_FOUND PAYEE_LIMIT_REACHED ACCOUNTHOLDER_NOT_ACTIVE`
const refusing: Record<RailKind, string[]> = {
  collect: ofAll.split(' '),
  disburse: ofPayees.split(' '),
  refund: [...ofPayees.split(' '), 'RESOURCE_NOT_FOUND'],
}
/** Codes with which MTN says that the outcome is unknown. */
const unclear = ['INTERNAL_PROCESSING_ERROR', 'SERVICE_UNAVAILABLE']

const submitted =
  (kind: RailKind) =>
  ({ status, document }: SeenResponse): Supported => {
    return {
      accepted: status === 202 || (status === 409 && document.code === 'RESOURCE_ALREADY_EXIST'),
      refused: [400, 404].includes(status) && refusing[kind].includes(document.code),
    }
  }

const queried =
  (kind: RailKind) =>
  ({ status, document }: SeenResponse): Supported => {
    if (status === 404) return { missing: document.code === 'RESOURCE_NOT_FOUND' }
    // For a payment, the external id is the order number, which a query does not know.
    const isOurs = kind === 'collect' || [undefined, ours.reference].includes(document.externalId)
    if (status !== 200 || !isOurs) return {}
    const reason = document.reason?.code ?? document.reason
    return {
      pending: document.status === 'PENDING',
      refused: document.status === 'FAILED' && (kind === 'collect' || !unclear.includes(reason)),
      done:
        document.status === 'SUCCESSFUL' ? statedInMajorUnits(document.amount, document.currency) : undefined,
    }
  }

const error = (status: number, code: string) => ({ status, body: { code, message: 'Words of MTN' } })

const submits = (kind: RailKind, path: string): FuzzCall => ({
  name: kind,
  at: new RegExp(`^POST .*${path}$`),
  genuine: [
    { status: 202 },
    error(400, 'NOT_ENOUGH_FUNDS'),
    error(404, 'PAYER_NOT_FOUND'),
    error(409, 'RESOURCE_ALREADY_EXIST'),
    error(500, 'INTERNAL_PROCESSING_ERROR'),
  ],
  supported: submitted(kind),
})

const queries = (kind: RailKind, path: string, name: FuzzCall['name']): FuzzCall => {
  const transaction = (status: string, more: object = {}) => ({
    status: 200,
    body: {
      amount: '150.50',
      currency: 'SLE',
      financialTransactionId: '363440463',
      externalId: kind === 'collect' ? orderNumber : ours.reference,
      [kind === 'collect' ? 'payer' : 'payee']: { partyIdType: 'MSISDN', partyId: '23276123456' },
      status,
      ...more,
    },
  })
  return {
    name,
    at: new RegExp(`^GET .*${path}/${ours.reference}$`),
    genuine: [
      transaction('SUCCESSFUL'),
      transaction('SUCCESSFUL', { amount: '150.5' }),
      transaction('PENDING'),
      transaction('FAILED', { reason: 'APPROVAL_REJECTED' }),
      transaction('FAILED', { reason: { code: 'EXPIRED', message: 'Words' } }),
      error(404, 'RESOURCE_NOT_FOUND'),
    ],
    supported: queried(kind),
  }
}

const holder: FuzzCall = {
  name: 'verifyAccount',
  at: /^GET .*\/basicuserinfo$/,
  genuine: [
    { status: 200, body: { given_name: 'Fatu', family_name: 'Kamara' } },
    { status: 200, body: { name: 'Fatu Kamara' } },
    error(404, 'RESOURCE_NOT_FOUND'),
  ],
  next: [
    {
      at: /^GET .*\/active$/,
      genuine: [
        { status: 200, body: { result: true } },
        { status: 200, body: { result: false } },
      ],
    },
  ],
  supported(_response, seen) {
    const name = seen.find(({ message }) => message.includes('/basicuserinfo'))
    const active = seen.find(({ message }) => message.includes('/active'))
    return {
      missing: name?.status === 404 && name.document.code === 'RESOURCE_NOT_FOUND',
      found:
        name?.status === 200 && active?.status === 200 && typeof active.document.result === 'boolean'
          ? active.document.result
          : undefined,
    }
  },
}

export const fuzz: RailFuzz = {
  protocol: 'mtn-momo',
  order: { amount: 15_050n, currency: 'SLE', account: '+23276123456', railTransaction: '36' },
  connect: (baseUrl, peer) =>
    createMtnMomo(
      {
        baseUrl,
        targetEnvironment: 'mtnsierraleone',
        collection: credentials,
        disbursement: credentials,
        timeoutMs: 20_000,
        tokenTimeoutMs: 20_000,
      },
      peer,
    ),
  words: [
    ...refusing.refund,
    ...unclear,
    ...['RESOURCE_ALREADY_EXIST', 'SUCCESSFUL', 'PENDING', 'FAILED', 'CREATED', 'REJECTED', 'TIMEOUT'],
  ],
  shared: [
    {
      at: /^POST .*\/token\/$/,
      genuine: [
        { status: 200, body: { access_token: 'token', token_type: 'access_token', expires_in: 3600 } },
      ],
    },
  ],
  calls: [
    submits('collect', '/requesttopay'),
    queries('collect', '/requesttopay', 'queryCollection'),
    submits('disburse', '/transfer'),
    queries('disburse', '/transfer', 'queryDisbursement'),
    submits('refund', '/refund'),
    queries('refund', '/refund', 'queryRefund'),
    holder,
  ],
  reports: [
    unsignedReports(
      { externalId: ours.reference, amount: '150.50', currency: 'SLE', status: 'SUCCESSFUL' },
      { externalId: ours.reference, amount: '150.50', currency: 'SLE', status: 'FAILED', reason: 'EXPIRED' },
    ),
  ],
}
