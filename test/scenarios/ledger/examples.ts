import type { SliceExamples } from '../../examples.ts'
import { fund } from '../../money.ts'

export const examples: SliceExamples = {
  async make(stock) {
    await stock.postExamples('ledger')
    const { app } = stock.t
    for (const account of [...stock.ids('fac'), undefined])
      await fund(app.parts, stock.merchant.scope, 1_000_000, account === undefined ? {} : { account })
  },
}
