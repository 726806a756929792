import type { SliceExamples } from '../../../support/examples.ts'

const atSql = 'to_timestamp((1700000000000 + n) / 1000.0)'

export const examples: SliceExamples = {
  rows: {
    settlements: {
      kind: `'float_top_up'`,
      provider_id: `'m17'`,
      direction: `'disbursement'`,
      amount: '1',
      currency: `'SLE'`,
      bank_reference: `'b' || n`,
      value_date: `'2026-11-20'`,
      is_advance: 'false',
      created_by: `'x'`,
      ledger_reference: `'r' || n`,
      created_at: atSql,
      updated_at: atSql,
    },
  },
  // Float is for payouts.
  bodies: { 'POST /v1/settlements': { direction: 'disbursement' } },
  issues: {
    'POST /v1/settlements': [
      {
        body: {
          kind: 'float_top_up',
          direction: 'collection',
          providerId: 'nobody',
          amount: { currency: 'SLE', value: 0 },
          bankReference: 'x',
          valueDate: '2999-01-01',
        },
        shape: ['amount.value'],
        meaning: ['direction', 'providerId', 'valueDate'],
      },
    ],
  },
}
