import { newReference } from '../../../src/ledger/reference.ts'
import { accountIds } from '../../../src/ledger/resources.ts'
import { paymentIds } from '../../../src/payments/resources.ts'
import { newId, readId } from '../../../src/platform/ids.ts'
import type { SliceExamples, Stock } from '../../examples.ts'
import { until } from '../../harness.ts'
import { copyFromTest } from '../../rows.ts'

export const examples: SliceExamples = {
  // Nobody has to approve these.
  inConflict: ['POST /v1/refunds/:id/approve', 'POST /v1/refunds/:id/reject'],
  /** Refunds that the rail has carried out. */
  async make(stock) {
    if (stock.merchant.scope.environment === 'live') return giveBackInLive(stock)
    await stock.postExamples('refunds')
    await until(async () => {
      const { result } = (await stock.merchant.call('GET', '/v1/refunds')).body
      return result.every(({ status }: { status: string }) => status === 'completed') || stock.turn()
    })
  },
}

/** No live rail can be called from here: copies a refund in test, with an id of its own. */
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
      metadata: {},
    },
  })
}
