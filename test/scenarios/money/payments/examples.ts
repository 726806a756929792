import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { paymentIds } from '../../../../packages/server/src/money/payments/resources.ts'
import { newId, readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { sessionIds } from '../../../../packages/server/src/ways-to-pay/checkout/resources.ts'
import type { SliceExamples, Stock } from '../../../support/examples.ts'
import { until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'
import { copyFromTest } from '../../../support/rows.ts'

type Session = { id: string; redirectUrl: string; orderNumber: string; financialAccountId: string }

export const examples: SliceExamples = {
  fields: { 'entitlements[].key': ['seat'] },
  filters: { amount: ['5000'] },
  withoutSuitableObject: ['POST /v1/payments/:id/submit-code'],
  /** Creates a paid session. */
  async make(stock) {
    const name = stock.freeText ?? 'Concert'
    const session: Session = await stock.post('/v1/checkout-sessions', {
      name,
      lineItems: [{ name, price: { currency: 'SLE', value: 1_000 }, quantity: 5, reference: 'seat' }],
      financialAccountId: 'fac-01kaj3v5w8e4r9tbn2m6c7d0xz',
      metadata: { [name]: name },
    })
    if (stock.merchant.scope.environment === 'live') return payInLive(stock, session)
    const payer = createPayer(session.redirectUrl)
    await payer.pay('m17', '076 123 456')
    await until(async () => (await payer.status()) === 'done' || stock.turn())
    const [payment] = (await stock.merchant.call('GET', '/v1/payments')).body.result
    stock.add(payment.id)
    await stock.merchant.call('PATCH', `/v1/payments/${payment.id}`, { name, metadata: { [name]: name } })
  },
}

/** Copies the test payment and its receipt to live under new ids, because no live rail can be called here. */
async function payInLive({ t, merchant, freeText, add }: Stock, session: Session): Promise<void> {
  const { db } = t.app.parts
  const order = await db.pool.query('select id from orders where number = $1', [session.orderNumber])
  const [id, at] = [newId(new Date()), new Date()]
  await copyFromTest(db, merchant.scope, {
    payments: {
      id,
      rail_reference: id,
      name: freeText,
      reference: freeText,
      metadata: {},
      ledger_reference: newReference(at),
      origin_id: readId(sessionIds, session.id),
      origin_metadata: { [String(freeText)]: freeText },
      order_number: session.orderNumber,
      financial_account_id: readId(accountIds, session.financialAccountId),
    },
    receipts: { order_id: order.rows[0].id },
  })
  add(showId(paymentIds, id))
}
