import { generateKeyPairSync } from 'node:crypto'
import type { RailKind } from '@pesewa/connector-kit'
import {
  type FuzzCall,
  ours,
  type RailFuzz,
  type SeenDocument,
  type SeenResponse,
  type Supported,
} from '../../../test/fuzz/rail-fuzz.ts'
import { receivedBy } from '../../../test/fuzz/received.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createPawapay } from './connector.ts'
import { signRequest } from './message-signatures.ts'

// Written from the documented facts in `packages/rails/pawapay`, independently of the connector.

const pageOrigin = 'https://pay.wave.example'
const theirs = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const keyId = 'HTTP_EC_P256_KEY:1'

const ofTheRequest =
  'NO_AUTHENTICATION AUTHENTICATION_ERROR AUTHORISATION_ERROR HTTP_SIGNATURE_ERROR INVALID_INPUT MISSING_PARAMETER ' +
  'UNSUPPORTED_PARAMETER INVALID_PARAMETER DUPLICATE_METADATA_FIELD INVALID_AMOUNT AMOUNT_OUT_OF_BOUNDS INVALID_CURRENCY ' +
  'INVALID_PROVIDER PROVIDER_TEMPORARILY_UNAVAILABLE INVALID_PHONE_NUMBER PAYER_NOT_FOUND RECIPIENT_NOT_FOUND ' +
  'PAYER_LIMIT_REACHED RECIPIENT_LIMIT_REACHED WALLET_LIMIT_REACHED'
const refusing: Record<RailKind, string> = {
  collect: `${ofTheRequest} DEPOSITS_NOT_ALLOWED PAYMENT_IN_PROGRESS TRANSACTION_ALREADY_IN_PROCESS`,
  disburse: `${ofTheRequest} PAWAPAY_WALLET_OUT_OF_FUNDS PAYOUTS_NOT_ALLOWED`,
  refund:
    `${ofTheRequest} PAWAPAY_WALLET_OUT_OF_FUNDS REFUNDS_NOT_ALLOWED REFUND_IN_PROGRESS AMOUNT_TOO_LARGE ` +
    'DEPOSIT_ALREADY_REFUNDED NOT_FOUND INVALID_STATE',
}
const idOf = { collect: 'depositId', disburse: 'payoutId', refund: 'refundId' } as const
const pathOf = { collect: 'deposits', disburse: 'payouts', refund: 'refunds' } as const

/** Whether a document is about our order. The id of a refund may be in `payoutId`. */
function isOurs(document: SeenDocument, kind: RailKind): boolean {
  const named = [document[idOf[kind]], ...(kind === 'refund' ? [document.payoutId] : [])]
  return named.every((id) => id === undefined) || named.includes(ours.reference)
}
const codeOf = ({ failureReason, rejectionReason }: SeenDocument) =>
  failureReason?.failureCode ?? rejectionReason?.rejectionCode

const submitted =
  (kind: RailKind) =>
  ({ status, document }: SeenResponse): Supported => {
    if (!isOurs(document, kind)) return {}
    const code = codeOf(document)
    if (status === 200)
      return {
        accepted: ['ACCEPTED', 'DUPLICATE_IGNORED'].includes(document.status),
        refused: document.status === 'REJECTED' && code !== 'UNKNOWN_ERROR',
      }
    return { refused: [400, 401, 403].includes(status) && refusing[kind].split(' ').includes(code) }
  }

function ended(document: SeenDocument): Supported {
  return {
    refused: document.status === 'FAILED' && codeOf(document) !== 'UNKNOWN_ERROR',
    done:
      document.status === 'COMPLETED' ? statedInMajorUnits(document.amount, document.currency) : undefined,
  }
}

const queried =
  (kind: RailKind) =>
  ({ status, document }: SeenResponse): Supported => {
    if (status !== 200) return {}
    if (document.status === 'NOT_FOUND') return { missing: true }
    const { data } = document
    if (document.status !== 'FOUND' || typeof data !== 'object' || data === null || !isOurs(data, kind))
      return {}
    const page = data.authorizationUrl
    const hasNoForeignPage = page === undefined || URL.parse(page)?.origin === pageOrigin
    const isUnderWay = 'ACCEPTED SUBMITTED ENQUEUED PROCESSING IN_RECONCILIATION'
      .split(' ')
      .includes(data.status)
    return { ...ended(data), pending: isUnderWay && hasNoForeignPage }
  }

const submits = (kind: RailKind): FuzzCall => {
  const id = { [idOf[kind]]: ours.reference }
  const failureReason = { failureCode: 'AMOUNT_OUT_OF_BOUNDS', failureMessage: 'Words' }
  return {
    name: kind,
    at: new RegExp(`^POST /v2/${pathOf[kind]}$`),
    genuine: [
      { status: 200, body: { ...id, status: 'ACCEPTED', created: '2026-01-01T00:00:00Z' } },
      { status: 200, body: { ...id, status: 'DUPLICATE_IGNORED' } },
      { status: 200, body: { ...id, status: 'REJECTED', failureReason } },
      {
        status: 200,
        body: { ...id, status: 'REJECTED', rejectionReason: { rejectionCode: 'INVALID_AMOUNT' } },
      },
      { status: 400, body: { failureReason: { failureCode: 'INVALID_INPUT' } } },
      { status: 500, body: { failureReason: { failureCode: 'UNKNOWN_ERROR' } } },
    ],
    supported: submitted(kind),
  }
}

const queries = (kind: RailKind, name: FuzzCall['name']): FuzzCall => {
  const found = (status: string, more: object = {}) => ({
    status: 200,
    body: {
      status: 'FOUND',
      data: {
        [idOf[kind]]: ours.reference,
        status,
        amount: '15.50',
        currency: 'SLE',
        country: 'SLE',
        providerTransactionId: 'MP-1',
        ...more,
      },
    },
  })
  return {
    name,
    at: new RegExp(`^GET /v2/${pathOf[kind]}/${ours.reference}$`),
    genuine: [
      found('COMPLETED'),
      found('PROCESSING'),
      found('FAILED', { failureReason: { failureCode: 'PAYMENT_NOT_APPROVED' } }),
      { status: 200, body: { status: 'NOT_FOUND' } },
    ],
    supported: queried(kind),
  }
}

const url = 'https://pay.example/callbacks/connections/live/africa'

function headersOf(signed: Buffer | undefined) {
  const { host, pathname } = new URL(url)
  const headers = signed
    ? signRequest({ key: theirs.privateKey, keyId }, { method: 'POST', url, body: signed.toString() })
    : {}
  return { path: pathname, headers: { ...headers, host } }
}

export const fuzz: RailFuzz = {
  protocol: 'pawapay',
  order: {
    amount: 1_550n,
    currency: 'SLE',
    account: '+23276123456',
    returnUrl: 'https://pay.example/return',
    railTransaction: 'MP-0',
  },
  connect: (baseUrl, peer) =>
    createPawapay(
      {
        baseUrl,
        token: 'token',
        name: 'ORANGE_SLE',
        isRedirect: true,
        isPreauth: false,
        pageOrigin,
        signer: undefined,
        callbackKeys: { [keyId]: String(theirs.publicKey.export({ type: 'spki', format: 'pem' })) },
        timeoutMs: 20_000,
      },
      peer,
    ),
  pageOrigin,
  words: [
    ...refusing.collect.split(' '),
    ...refusing.refund.split(' '),
    ...['UNKNOWN_ERROR', 'UNSPECIFIED_FAILURE', 'COMPLETED', 'FAILED', 'ENQUEUED', 'SUBMITTED', 'FOUND'],
    ...[`${pageOrigin}/1`, `${pageOrigin}.evil.example/1`, 'authorizationUrl'],
  ],
  shared: [{ at: /^GET \/v2\/active-conf/, genuine: [{ status: 200, body: { countries: [] } }] }],
  calls: [
    submits('collect'),
    queries('collect', 'queryCollection'),
    submits('disburse'),
    queries('disburse', 'queryDisbursement'),
    submits('refund'),
    queries('refund', 'queryRefund'),
  ],
  reports: [
    {
      name: 'readReport',
      documents: (['collect', 'disburse', 'refund'] satisfies RailKind[]).flatMap((kind) => {
        const money = { [idOf[kind]]: ours.reference, amount: '15.50', currency: 'SLE' }
        const failureReason = { failureCode: 'MANUALLY_CANCELLED' }
        return [
          { ...money, status: 'COMPLETED', providerTransactionId: 'MP-1' },
          { ...money, status: 'FAILED', failureReason },
        ]
      }),
      received: (rawBody, signed) => receivedBy(rawBody, headersOf(signed)),
      supported(document, kind) {
        const named = [document[idOf[kind]], ...(kind === 'refund' ? [document.payoutId] : [])]
        return named.includes(ours.reference) ? ended(document) : {}
      },
      // A refund's report may look like a payout's; the reference decides which it is.
      reaches: ['collect', 'disburse', 'refund'].flatMap((kind) => [`${kind} done`, `${kind} refused`]),
    },
  ],
}
