import {
  clearingPurpose,
  mainAccount,
  systemAccounts,
} from '../../../../packages/server/src/ledger/accounts/accounts.ts'
import { type Movement, post } from '../../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { newId } from '../../../../packages/server/src/platform/ids.ts'
import type { SliceExamples } from '../../../support/examples.ts'

const dayMs = 86_400_000
const atDays = (days: number) => [new Date(Date.now() + days * dayMs).toISOString()]

export const examples: SliceExamples = {
  // Each filter is tested alone, with the default of the other.
  filters: { from: atDays(-1), to: atDays(1), interval: ['month'], provider: ['m18'] },
  /** Receives money through a provider, with a fee. */
  async make({ t, merchant: { scope } }) {
    const { db, clock } = t.app.parts
    const at = clock.now(scope)
    await db.transaction(async (tx) => {
      const needed = { scope, currency: 'SLE', at }
      const [clearing = '', fees = ''] = await systemAccounts(tx, [
        { ...needed, ...clearingPurpose('m18', 'collection') },
        { ...needed, purpose: 'fees' },
      ])
      const main = await mainAccount(tx, scope, 'SLE', at)
      const feeCode = 'payment'
      const movements: Movement[] = [
        { accountId: clearing, amount: -100n },
        { accountId: main, amount: 100n },
        { accountId: main, amount: -1n, feeCode },
        { accountId: fees, amount: 1n, feeCode },
      ]
      const owners = [{ type: 'payment', id: newId(at) }]
      await post(tx, scope, { reference: newReference(at), at, owners, movements })
    })
  },
}
