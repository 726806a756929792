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
import { statedInMinorUnits } from '../../../test/fuzz/stated-money.ts'
import { createRest } from './connector.ts'
import { signReport } from './report.ts'

// Written from `docs/guides/rest-rail.md`.

const pageOrigin = 'https://pay.bank.example'
const callbackKey = 'callback-key-of-32-characters-and-more'
export const settings = { key: 'rail-key', pageOrigin, timeoutMs: 20_000 }

const atOnce = [
  ...['insufficient_funds', 'account_missing', 'account_blocked', 'limit_reached', 'not_allowed'],
  'currency_not_supported',
]
const later = ['declined', 'expired', 'not_confirmed', 'not_authenticated', 'cancelled']

/** Whether a URL is on the rail's own site; otherwise nothing can be concluded. */
const isPage = (url: unknown) => typeof url === 'string' && URL.parse(url)?.origin === pageOrigin
const hasNoForeignPage = ({ redirectUrl }: SeenDocument) => redirectUrl === undefined || isPage(redirectUrl)

const submitted =
  (codes: string[], needsPage: boolean) =>
  ({ status, document }: SeenResponse): Supported => {
    const isTaken = status === 202 && document.status === 'pending' && hasNoForeignPage(document)
    return {
      accepted: isTaken && (!needsPage || isPage(document.redirectUrl)),
      refused: status >= 400 && status < 500 && codes.includes(document.code),
    }
  }

function ended(document: SeenDocument): Supported {
  if (![undefined, ours.reference].includes(document.reference)) return {}
  return {
    refused: document.status === 'failed',
    done: document.status === 'done' ? statedInMinorUnits(document.amount, document.currency) : undefined,
  }
}

function queried({ status, document }: SeenResponse): Supported {
  if (status === 404) return { missing: document.code === 'not_found' }
  if (status === 202) return { asked: document.status === 'asked' }
  if (status !== 200) return {}
  return { ...ended(document), pending: document.status === 'pending' && hasNoForeignPage(document) }
}

const submits = (path: string, name: FuzzCall['name'], codes: string[]): FuzzCall => ({
  name,
  at: new RegExp(`^PUT /${path}/${ours.reference}$`),
  genuine: [
    {
      status: 202,
      body: { status: 'pending', redirectUrl: `${pageOrigin}/1`, providerReference: 'B-1' },
    },
    {
      status: 202,
      body: {
        status: 'pending',
        redirectUrl: `${pageOrigin}/2`,
        instructions: { texts: { en: 'Dial' }, dialString: '*144*4#' },
      },
    },
    { status: 400, body: { code: codes[0] } },
    { status: 422, body: { code: codes.at(-1) } },
    { status: 500, body: { code: 'internal_error' } },
  ],
  supported: submitted(codes, path === 'sessions'),
})

const queries = (path: string, name: FuzzCall['name'], card?: object): FuzzCall => ({
  name,
  at: new RegExp(`^GET /${path}/${ours.reference}$`),
  genuine: [
    {
      status: 200,
      body: {
        status: 'done',
        amount: 15_050,
        currency: 'SLE',
        transactionId: 'T-1',
        ...(card && { card }),
      },
    },
    { status: 200, body: { reference: ours.reference, status: 'done', amount: 15_050, currency: 'SLE' } },
    { status: 200, body: { status: 'pending', redirectUrl: `${pageOrigin}/1` } },
    { status: 200, body: { status: 'failed', code: 'declined' } },
    { status: 202, body: { status: 'asked' } },
    { status: 404, body: { code: 'not_found' } },
  ],
  reaches: ['asked', 'done', 'missing', 'pending', 'refused'],
  supported: queried,
})

export const givesBack = [
  submits('refunds', 'refund', [...atOnce, 'original_missing']),
  queries('refunds', 'queryRefund'),
]
export const collects = (path: string, card?: object) => [
  submits(path, 'collect', atOnce),
  queries(path, 'queryCollection', card),
]

const holder: FuzzCall = {
  name: 'verifyAccount',
  at: /^GET \/accounts\/0011223344$/,
  genuine: [
    { status: 200, body: { holderName: 'Aminata Kamara', active: true } },
    { status: 200, body: { holderName: 'Aminata Kamara', active: false } },
    { status: 404, body: { code: 'account_missing' } },
  ],
  supported({ status, document }) {
    const isFound = status === 200 && typeof document.active === 'boolean'
    return {
      missing: status === 404 && document.code === 'account_missing',
      found: isFound ? document.active : undefined,
    }
  },
}

const words = [
  ...[...atOnce, ...later, 'original_missing', 'done', 'pending', 'failed', 'asked', 'not_found', 'Done'],
  ...[
    `${pageOrigin}.evil.example/1`,
    `${pageOrigin}@evil.example`,
    'http://pay.bank.example/1',
    `${pageOrigin}/3`,
  ],
]

export const railOf = (account: string | null, connect: RailFuzz['connect']) => ({
  connect,
  order: {
    amount: 15_050n,
    currency: 'SLE',
    account,
    returnUrl: 'https://pay.example/return',
    railTransaction: 'T-0',
  },
  words,
  pageOrigin,
})

export const fuzz: RailFuzz = {
  ...railOf('0011223344', (baseUrl, peer) =>
    createRest({ ...settings, baseUrl, flow: 'push', callbackKey }, peer),
  ),
  protocol: 'rest',
  calls: [
    ...collects('collections'),
    submits('transfers', 'disburse', atOnce),
    queries('transfers', 'queryDisbursement'),
    ...givesBack,
    holder,
  ],
  reports: [
    {
      name: 'readReport',
      documents: [
        { reference: ours.reference, status: 'done', amount: 15_050, currency: 'SLE', transactionId: 'T-1' },
        { reference: ours.reference, status: 'failed', code: 'declined' },
        { reference: ours.reference, status: 'pending' },
      ],
      received: (rawBody, signed) =>
        receivedBy(rawBody, { headers: signed ? signReport(callbackKey, signed) : {} }),
      supported: (document) => (document.reference === ours.reference ? ended(document) : {}),
      reaches: (['collect', 'disburse', 'refund'] satisfies RailKind[]).flatMap((kind) => [
        `${kind} done`,
        `${kind} refused`,
      ]),
    },
  ],
}
