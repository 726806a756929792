import type { SliceExamples } from '../../examples.ts'
import { fund } from '../../money.ts'

const dayMs = 86_400_000
const atDays = (days: number) => [new Date(Date.now() + days * dayMs).toISOString()]

export const examples: SliceExamples = {
  // Of statements, where one alone stands beside the other's default.
  filters: { from: atDays(-1), to: atDays(1), limit: ['50'], after: [''] },
  async make(stock) {
    await stock.postExamples('ledger')
    const { app } = stock.t
    for (const account of [...stock.ids('fac'), undefined])
      await fund(app.parts, stock.merchant.scope, 1_000_000, account === undefined ? {} : { account })
  },
}
