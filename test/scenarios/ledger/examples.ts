import type { SliceExamples } from '../../examples.ts'
import { fund } from '../../money.ts'

export const examples: SliceExamples = {
  rows: {
    ledger_cases: {
      kind: `'success_after_failure'`,
      object_type: `'payment'`,
      object_id: 'gen_random_uuid()',
      direction: `'collection'`,
      amount: '1',
      currency: `'SLE'`,
      reference: `'r' || n`,
      opened_at: 'to_timestamp((1700000000000 + n) / 1000.0)',
      closed_at: 'case when n > 5 then to_timestamp((1700000000000 + n) / 1000.0) end',
    },
  },
  async make(stock) {
    await stock.postExamples('ledger')
    const { app } = stock.t
    for (const account of [...stock.ids('fac'), undefined])
      await fund(app.parts, stock.merchant.scope, 1_000_000, account === undefined ? {} : { account })
  },
}
