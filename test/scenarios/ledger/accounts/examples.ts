import { reserveEach } from '../../../../packages/server/src/ledger/accounts/holds.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import type { SliceExamples, Stock } from '../../../support/examples.ts'
import { fund } from '../../../support/money.ts'

const dayMs = 86_400_000
const atDays = (days: number) => [new Date(Date.now() + days * dayMs).toISOString()]

export const examples: SliceExamples = {
  rows: {
    ledger_holds: {
      account_id: `'018bcfe5-6801-7000-8000-000000000000'`,
      amount: '1',
      captured: 'case when n <= 5 then 0 else 1 end',
      owner: `'{"id": "018bcfe5-6801-7000-8000-000000000000", "type": "payout"}'`,
      created_at: 'to_timestamp((1700000000000 + n) / 1000.0)',
      updated_at: 'to_timestamp((1700000000000 + n) / 1000.0)',
    },
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
  // For statements, which have a single currency.
  filters: { from: atDays(-1), to: atDays(1), limit: ['50'], after: [''] },
  async make(stock) {
    await stock.postExamples('ledger/accounts')
    const { app } = stock.t
    for (const account of [...stock.ids('fac'), undefined])
      await fund(app.parts, stock.merchant.scope, 1_000_000, account === undefined ? {} : { account })
    await holdSome(stock)
  },
}

/** Creates a hold on each account, which stays open whatever else is paid from the account. */
async function holdSome({ t, merchant, ids }: Stock): Promise<void> {
  const { db, clock } = t.app.parts
  const { scope } = merchant
  const holds = ids('fac').map((shown) => {
    const accountId = readId(accountIds, shown)!
    const owner = { id: accountId, type: 'financial_account' }
    return { scope, accountId, amount: 1n, owner, at: clock.now(scope) }
  })
  await db.transaction((tx) => reserveEach(tx, holds))
}
