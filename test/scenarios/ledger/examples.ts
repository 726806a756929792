import type { SliceExamples } from '../../examples.ts'
import { fund } from '../../money.ts'

const dayMs = 86_400_000
const atDays = (days: number) => [new Date(Date.now() + days * dayMs).toISOString()]

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
  // Of statements, where one alone stands beside the other's default.
  filters: { from: atDays(-1), to: atDays(1), limit: ['50'], after: [''] },
  async make(stock) {
    await stock.postExamples('ledger')
    const { app } = stock.t
    for (const account of [...stock.ids('fac'), undefined])
      await fund(app.parts, stock.merchant.scope, 1_000_000, account === undefined ? {} : { account })
  },
}
