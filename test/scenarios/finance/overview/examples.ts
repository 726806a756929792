import { matchStatements } from '../../../../src/finance/reconciliation/matching.ts'
import { findReconciled } from '../../../../src/slices.ts'
import type { SliceExamples } from '../../../support/examples.ts'

const account = '00000000-0000-0000-0000-000000000001'

export const examples: SliceExamples = {
  // Matching reads the bookings.
  async make({ t, merchant: { scope } }) {
    await matchStatements(t.app.parts.db, await findReconciled(), { environment: scope.environment })
  },
  filters: { date: ['2023-11-14', '2026-11-20'] },
  rows: {
    open_clearing_lines: {
      id: '',
      account_id: `'${account}'`,
      seq: 'n',
      provider_id: `'m17'`,
      direction: `'collection'`,
      amount: '1',
      currency: `'SLE'`,
      booked_at: 'to_timestamp((1700000000000 + n) / 1000.0)',
    },
    item_closings: {
      id: '',
      provider_id: `'m17'`,
      account_id: `'${account}'`,
      seq: '-n',
      state: `'missing_there'`,
      closed_at: 'now()',
      closed_by: `'x'`,
      reason: `'x'`,
    },
  },
}
