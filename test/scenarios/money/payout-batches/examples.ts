import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { newId, readId } from '../../../../packages/server/src/platform/ids.ts'
import type { SliceExamples, Stock } from '../../../support/examples.ts'
import { until } from '../../../support/harness.ts'
import { copyFromTest } from '../../../support/rows.ts'

const at = 'to_timestamp((1700000000000 + n) / 1000.0)'
const [often, seldom, user, other] = [1, 2, 3, 4].map(
  (n) => `'018bcfe5-680${n}-7000-8000-000000000000'::uuid`,
)

const body = { csv: null, 'rows[].destination.accountNumber': null, 'rows[].destination.walletId': null }
const faulty = {
  rows: [
    {
      amount: { currency: 'XXX', value: 0 },
      destination: { type: 'momo', providerId: 'none', phoneNumber: '+23276123456', walletId: 'x' },
      name: '',
      reference: 'x'.repeat(65),
    },
  ],
  source: { financialAccountId: 'fac-none' },
}
const ofShape = ['rows[0].amount.value', 'rows[0].name', 'rows[0].reference']
const ofMeaning = [
  'rows[0].amount.currency',
  'rows[0].destination.providerId',
  'rows[0].destination.walletId',
  'source.financialAccountId',
]

export const examples: SliceExamples = {
  bodies: { 'POST /v1/payout-batches': body, 'POST /v1/payout-batches/check': body },
  issues: {
    'POST /v1/payout-batches': [{ body: faulty, shape: ['name', ...ofShape], meaning: ofMeaning }],
    'POST /v1/payout-batches/check': [{ body: faulty, shape: ofShape, meaning: ofMeaning }],
  },
  required: {
    'POST /v1/payout-batches': ['rows', 'rows[0].destination.phoneNumber'],
    // Missing values of a row are part of its result.
    'POST /v1/payout-batches/check': ['rows'],
  },
  // These need no approval.
  withoutSuitableObject: ['POST /v1/payout-batches/:id/approve', 'POST /v1/payout-batches/:id/reject'],
  rows: {
    payout_batches: {
      status: `case when n <= 5 then 'completed' else 'rejected' end`,
      name: `''`,
      row_count: '1',
      sums: `'[]'`,
      created_by: user!,
      approval: `case when n > 5 then 'rejected' end`,
      approval_user_id: `case when n > 5 then ${other} end`,
      approval_at: `case when n > 5 then ${at} end`,
      created_at: at,
      updated_at: at,
    },
    payout_batch_rows: {
      id: '',
      batch_id: `case when n <= 5 then ${seldom} else ${often} end`,
      number: 'n',
      amount: '1',
      currency: `'SLE'`,
      destination_type: `'momo'`,
      provider_id: `'m17'`,
      payee_account: `'+23276123456'`,
      metadata: `'{}'`,
    },
  },
  /** Creates batches that the rail has carried out. */
  async make(stock) {
    if (stock.merchant.scope.environment === 'live') return payOutInLive(stock)
    await stock.postExamples('money/payout-batches')
    await until(async () => {
      const { result } = (await stock.merchant.call('GET', '/v1/payout-batches')).body
      return result.every(({ status }: { status: string }) => status === 'completed') || stock.turn()
    })
  },
}

/** Copies a batch from test to live with new ids, because no live rail can be called here. */
async function payOutInLive({ t, merchant, ids, freeText }: Stock): Promise<void> {
  const [batchId, id] = [newId(new Date()), newId(new Date())]
  const financial_account_id = readId(accountIds, ids('fac')[0]!)
  await copyFromTest(t.app.parts.db, merchant.scope, {
    payout_batches: { id: batchId, name: freeText, financial_account_id },
    payout_batch_rows: { batch_id: batchId, number: 1, name: freeText, reference: freeText, metadata: {} },
    payouts: {
      id,
      rail_reference: id,
      ledger_reference: newReference(new Date()),
      rail_transaction: 'rail-of-batch-in-live',
      financial_account_id,
      batch_id: batchId,
      batch_row: 1,
      metadata: {},
    },
  })
}
