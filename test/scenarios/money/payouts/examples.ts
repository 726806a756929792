import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { batchIds } from '../../../../packages/server/src/money/payouts/resources.ts'
import { newId, readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import type { SliceExamples, Stock } from '../../../support/examples.ts'
import { until } from '../../../support/harness.ts'
import { copyFromTest } from '../../../support/rows.ts'

export const examples: SliceExamples = {
  // The payee's account is in the field of its type.
  bodies: { 'POST /v1/payouts': { 'destination.accountNumber': null, 'destination.walletId': null } },
  required: { 'POST /v1/payouts': ['destination.phoneNumber'] },
  filters: { batchId: [showId(batchIds, '018bcfe5-6802-7000-8000-000000000000')] },
  // These need no approval.
  withoutSuitableObject: ['POST /v1/payouts/:id/approve', 'POST /v1/payouts/:id/reject'],
  /** Creates payouts that the rail has carried out. */
  async make(stock) {
    if (stock.merchant.scope.environment === 'live') return payOutInLive(stock)
    await stock.postExamples('money/payouts')
    await until(async () => {
      const { result } = (await stock.merchant.call('GET', '/v1/payouts')).body
      return result.every(({ status }: { status: string }) => status === 'completed') || stock.turn()
    })
  },
}

/** Copies a payout from test to live with a new id, because no live rail can be called here. */
async function payOutInLive({ t, merchant, ids }: Stock): Promise<void> {
  const id = newId(new Date())
  await copyFromTest(t.app.parts.db, merchant.scope, {
    payouts: {
      id,
      rail_reference: id,
      ledger_reference: newReference(new Date()),
      rail_transaction: 'rail-in-live',
      financial_account_id: readId(accountIds, ids('fac')[0]!),
      metadata: {},
    },
  })
}
