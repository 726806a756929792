import { matchStatements } from '../../../../packages/server/src/finance/reconciliation/matching.ts'
import { exampleCsv } from '../../../../packages/server/src/finance/reconciliation/statement-shapes.ts'
import { findReconciled } from '../../../../packages/server/src/slices.ts'
import type { SliceExamples } from '../../../support/examples.ts'

const dayBody = { environment: 'test', providerId: 'nobody', day: '2026-11-20', reason: '' }
const account = '00000000-0000-0000-0000-000000000001'

export const examples: SliceExamples = {
  fields: { environment: ['test'], providerId: ['m17'], csv: [exampleCsv] },
  params: { statementId: '1' },
  async make({ t, merchant: { scope }, entries, post }) {
    // Matching reads the bookings.
    await matchStatements(t.app.parts.db, await findReconciled(), { environment: scope.environment })
    const url = '/v1/installation/statements'
    const example = entries.find(({ name }) => name === `POST ${url}`)?.route.example
    if (example) await post(url, example)
  },
  // A day and an open item can be closed only once, and a statement is accepted only once the previous one is
  // matched.
  withoutSuitableObject: [
    'POST /v1/installation/closed-days',
    'POST /v1/installation/closed-days/reopen',
    'POST /v1/installation/statements',
  ],
  bodies: { 'POST /v1/installation/statements': { from: null, until: null } },
  issues: {
    'POST /v1/installation/statements': [
      {
        body: { providerId: 'nobody', environment: 'test', mapping: 'another', csv: 'a,b' },
        shape: ['mapping'],
        meaning: ['providerId'],
      },
    ],
    'POST /v1/installation/open-items/close': [
      { body: { id: 'no item', reason: '' }, shape: ['reason'], meaning: ['id'] },
    ],
    'POST /v1/installation/reconciliation/match': [
      {
        body: { environment: 'moon', providerId: 'nobody' },
        shape: ['environment'],
        meaning: ['providerId'],
      },
    ],
    'POST /v1/installation/closed-days': [{ body: dayBody, shape: ['reason'], meaning: ['providerId'] }],
    'POST /v1/installation/closed-days/reopen': [
      { body: dayBody, shape: ['reason'], meaning: ['providerId'] },
    ],
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
