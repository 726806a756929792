import type { SliceExamples } from '../../../support/examples.ts'

const atSql = 'to_timestamp((1700000000000 + n) / 1000.0)'

const invalid = {
  kind: 'float_top_up',
  direction: 'collection',
  providerId: 'nobody',
  amount: { currency: 'SLE', value: 0 },
  bankReference: 'x',
  valueDate: '2999-01-01',
}
const reported = { shape: ['amount.value'], meaning: ['direction', 'providerId', 'valueDate'] }

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
  // The settlement has been reversed when this route is called.
  withoutSuitableObject: ['POST /v1/installation/settlements/:id/reverse'],
  // Float is for payouts, and a bank entry is booked only once.
  bodies: {
    'POST /v1/settlements': { direction: 'disbursement' },
    'POST /v1/installation/spaces/:id/settlements': {
      direction: 'disbursement',
      bankReference: 'FT26325-0043',
    },
  },
  issues: {
    'POST /v1/settlements': [{ body: invalid, ...reported }],
    'POST /v1/installation/spaces/:id/settlements': [
      { body: { environment: 'test', ...invalid }, ...reported },
    ],
  },
}
