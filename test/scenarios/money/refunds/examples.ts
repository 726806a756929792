import { openCases } from '../../../../packages/server/src/ledger/accounts/cases.ts'
import { applyLedgerWork } from '../../../../packages/server/src/ledger/accounts/holds.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { newId, readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { sessionIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import type { SliceExamples, Stock } from '../../../support/examples.ts'
import { until } from '../../../support/harness.ts'
import { copyFromTest } from '../../../support/rows.ts'

const at = 'to_timestamp((1700000000000 + n) / 1000.0)'
const [often, seldom] = ['018bcfe5-6801-7000-8000-000000000000', '018bcfe5-6802-7000-8000-000000000000']
const [anId, another] = [`'${often}'`, `'${seldom}'`]

export const examples: SliceExamples = {
  issues: {
    'POST /v1/refunds': [
      {
        body: {
          paymentId: 'pay-01kaj3v5w8e4r9tbn2m6c7d0xz',
          amount: { currency: 'SLE', value: -1 },
          reason: 'none',
          bearer: 'nobody',
        },
        shape: ['amount.value', 'bearer', 'reason'],
        meaning: ['paymentId'],
      },
    ],
  },
  filters: {
    paymentId: [seldom, often].map((id) => showId(paymentIds, id!)),
    status: ['completed'],
    amount: ['500'],
  },
  rows: {
    refunds: {
      status: `case when n <= 5 then 'cancelled' else 'completed' end`,
      payment_id: `(case when n <= 5 then ${another} else ${anId} end)::uuid`,
      order_number: 'n',
      amount: '1',
      net: '1',
      reserved: 'case when n <= 5 then 0 else 1 end',
      currency: `'SLE'`,
      fees: `'[]'`,
      bearer: `'merchant'`,
      financial_account_id: anId,
      method: `'payout'`,
      destination_type: `'momo'`,
      provider_id: `'m17'`,
      payer_account: `'+23276123456'`,
      original: `'{}'`,
      reason: `'other'`,
      rail_reference: 'gen_random_uuid()',
      hold_id: anId,
      ledger_reference: `case when n > 5 then 'r' || n end`,
      created_by: anId,
      counts_unapproved: 'false',
      origin: `'${JSON.stringify({ id: often, type: 'checkout_session' })}'`,
      payment_metadata: `'{}'`,
      metadata: `'{}'`,
      created_at: at,
      updated_at: at,
      completed_at: `case when n > 5 then ${at} end`,
    },
  },
  // These refunds need no approval, the rail has executed them, and the payment of the case did not fail.
  withoutSuitableObject: [
    'POST /v1/refunds/:id/approve',
    'POST /v1/refunds/:id/reject',
    'POST /v1/refunds/:id/cancel',
    'POST /v1/cases/:id/return',
    'POST /v1/installation/cases/:id/return',
  ],
  /** Creates refunds that the rail has executed. */
  async make(stock) {
    await openCase(stock)
    if (stock.merchant.scope.environment === 'live') return giveBackInLive(stock)
    await stock.postExamples('money/refunds')
    await until(async () => {
      const { result } = (await stock.merchant.call('GET', '/v1/refunds')).body
      return result.every(({ status }: { status: string }) => status === 'completed') || stock.turn()
    })
  },
}

/** Makes a case's payment look like a late one. */
async function openCase({ t, merchant, ids }: Stock): Promise<void> {
  const object = { type: 'payment', id: readId(paymentIds, ids('pay')[0]!)! }
  const money = { amount: 1n, currency: 'SLE', providerId: 'm17', direction: 'collection' } as const
  await t.app.parts.db.transaction(async (tx) => {
    const late = {
      scope: merchant.scope,
      kind: 'success_after_failure',
      object,
      ...money,
      at: new Date(),
    } as const
    const { work } = await openCases(tx, [late])
    await applyLedgerWork(tx, work)
  })
}

/** Copies a test refund to live under a new id, because no live rail can be called here. */
async function giveBackInLive({ t, merchant, ids, freeText }: Stock): Promise<void> {
  const id = newId(new Date())
  await copyFromTest(t.app.parts.db, merchant.scope, {
    refunds: {
      id,
      payment_id: readId(paymentIds, ids('pay')[0]!),
      rail_reference: id,
      ledger_reference: newReference(new Date()),
      rail_transaction: 'rail-in-live',
      financial_account_id: readId(accountIds, ids('fac')[0]!),
      note: freeText,
      payer_message: freeText,
      origin: { id: readId(sessionIds, ids('cos')[0]!), type: 'checkout_session' },
      order_number: '482915037264',
      payment_metadata: {},
      metadata: {},
    },
  })
}
