import { about } from '@pesewa/connector-kit/testing'
import {
  type FuzzCall,
  orderNumber,
  ours,
  type RailFuzz,
  type SeenResponse,
  type Supported,
} from '../../../test/fuzz/rail-fuzz.ts'
import { receivedBy } from '../../../test/fuzz/received.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createExampleRail } from './connector.ts'

// Written from the rail's documentation, independently of the connector.

const account = '+231770123456'
const order = { ...ours, amount: 1_550n, currency: 'LRD' }
const query = about(ours.reference, { amount: 1_550n, currency: 'LRD' })

const refusing = [
  ...['account_missing', 'account_blocked', 'limit_reached', 'currency_not_supported', 'request_invalid'],
  'insufficient_funds',
]

function submitted([response]: readonly SeenResponse[]): Supported {
  const { status, document } = response!
  return {
    accepted:
      (status === 202 && document.status === 'pending') ||
      (status === 409 && document.code === 'duplicate_reference'),
    refused: status >= 400 && status < 500 && refusing.includes(document.code),
  }
}

function queried([response]: readonly SeenResponse[]): Supported {
  const { status, document } = response!
  if (status === 404) return { missing: document.code === 'not_found' }
  if (status !== 200 || document.reference !== ours.reference) return {}
  return {
    pending: document.status === 'pending',
    refused: document.status === 'failed',
    done:
      document.status === 'completed' ? statedInMajorUnits(document.amount, document.currency) : undefined,
  }
}

const submits = (path: string, name: string, ask: FuzzCall['ask']): FuzzCall => ({
  name,
  steps: [
    {
      at: new RegExp(`^POST /${path}$`),
      genuine: [
        { status: 202, body: { status: 'pending' } },
        { status: 409, body: { code: 'duplicate_reference' } },
        { status: 422, body: { code: 'insufficient_funds' } },
        { status: 500, body: { code: 'internal_error' } },
      ],
    },
  ],
  ask,
  reaches: ['accepted', 'refused', 'unknown'],
  supported: submitted,
})

const money = { reference: ours.reference, amount: '15.50', currency: 'LRD' }
const completed = { ...money, status: 'completed', transactionId: '1' }

const queries = (path: string, name: string, ask: FuzzCall['ask']): FuzzCall => ({
  name,
  steps: [
    {
      at: new RegExp(`^GET /${path}/${ours.reference}$`),
      genuine: [
        { status: 200, body: completed },
        { status: 200, body: { ...money, status: 'pending' } },
        { status: 200, body: { ...money, status: 'failed', code: 'declined' } },
        { status: 404, body: { code: 'not_found' } },
      ],
    },
  ],
  ask,
  reaches: ['done', 'missing', 'pending', 'refused'],
  supported: queried,
})

export const fuzz: RailFuzz = {
  protocol: 'example-rail',
  connect: (baseUrl, peer) => createExampleRail({ baseUrl, apiKey: 'key', timeoutMs: 20_000 }, peer),
  words: [...refusing, 'expired', 'Completed', 'successful'],
  shared: [],
  calls: [
    submits('payments', 'collect', ({ collect }) =>
      collect({ ...order, payerAccount: account, orderNumber, returnUrl: null }),
    ),
    queries('payments', 'queryCollection', ({ queryCollection }) => queryCollection(query)),
    submits('payouts', 'disburse', ({ disburse }) => disburse!({ ...order, payeeAccount: account })),
    queries('payouts', 'queryDisbursement', ({ queryDisbursement }) => queryDisbursement!(query)),
  ],
  reports: [
    {
      name: 'readReport',
      documents: [completed],
      received: (rawBody) => receivedBy(rawBody),
      // Callbacks are unsigned.
      isProved: () => false,
      supported: () => ({}),
      reaches: [],
    },
  ],
}
