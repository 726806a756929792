import {
  type FuzzCall,
  ours,
  type RailFuzz,
  type SeenResponse,
  type Supported,
  unsignedReports,
} from '../../../test/fuzz/rail-fuzz.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createExampleRail } from './connector.ts'

// Written from the rail's documentation, independently of the connector.

const refusing = [
  ...['account_missing', 'account_blocked', 'limit_reached', 'currency_not_supported', 'request_invalid'],
  'insufficient_funds',
]

function submitted({ status, document }: SeenResponse): Supported {
  return {
    accepted:
      (status === 202 && document.status === 'pending') ||
      (status === 409 && document.code === 'duplicate_reference'),
    refused: status >= 400 && status < 500 && refusing.includes(document.code),
  }
}

function queried({ status, document }: SeenResponse): Supported {
  if (status === 404) return { missing: document.code === 'not_found' }
  if (status !== 200 || document.reference !== ours.reference) return {}
  return {
    pending: document.status === 'pending',
    refused: document.status === 'failed',
    done:
      document.status === 'completed' ? statedInMajorUnits(document.amount, document.currency) : undefined,
  }
}

const submits = (path: string, name: FuzzCall['name']): FuzzCall => ({
  name,
  at: new RegExp(`^POST /${path}$`),
  genuine: [
    { status: 202, body: { status: 'pending' } },
    { status: 409, body: { code: 'duplicate_reference' } },
    { status: 422, body: { code: 'insufficient_funds' } },
    { status: 500, body: { code: 'internal_error' } },
  ],
  supported: submitted,
})

const money = { reference: ours.reference, amount: '15.50', currency: 'LRD' }
const completed = { ...money, status: 'completed', transactionId: '1' }

const queries = (path: string, name: FuzzCall['name']): FuzzCall => ({
  name,
  at: new RegExp(`^GET /${path}/${ours.reference}$`),
  genuine: [
    { status: 200, body: completed },
    { status: 200, body: { ...money, status: 'pending' } },
    { status: 200, body: { ...money, status: 'failed', code: 'declined' } },
    { status: 404, body: { code: 'not_found' } },
  ],
  supported: queried,
})

export const fuzz: RailFuzz = {
  protocol: 'example-rail',
  order: { amount: 1_550n, currency: 'LRD', account: '+231770123456' },
  connect: (baseUrl, peer) => createExampleRail({ baseUrl, apiKey: 'key', timeoutMs: 20_000 }, peer),
  words: [...refusing, 'expired', 'Completed', 'successful'],
  calls: [
    submits('payments', 'collect'),
    queries('payments', 'queryCollection'),
    submits('payouts', 'disburse'),
    queries('payouts', 'queryDisbursement'),
  ],
  reports: [unsignedReports(completed)],
}
