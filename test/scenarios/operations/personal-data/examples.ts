import type { SliceExamples } from '../../../support/examples.ts'

const at = 'to_timestamp((1700000000000 + n) / 1000.0)'
const person = { person_hash: `'hash'`, person_mask: `'+23276****56'`, reason: `'Request of 3 May'` }
const made = { created_by: `'owner@shop.example'`, created_at: at }

const noPerson = { 'person.providerId': null, 'person.account': null }
const badPerson = {
  body: { person: { phoneNumber: '12', account: '0011223344' }, reason: '' },
  shape: ['reason'],
  meaning: ['person.account', 'person.phoneNumber'],
}

export const examples: SliceExamples = {
  bodies: {
    'POST /v1/personal-data-exports': noPerson,
    'POST /v1/personal-data-erasures': noPerson,
    'POST /v1/legal-holds': noPerson,
    'PATCH /v1/retention-periods': { 'periods[].class': 'contact_details', 'periods[].days': 365 },
  },
  issues: {
    'POST /v1/personal-data-exports': [badPerson],
    'POST /v1/personal-data-erasures': [badPerson],
    'POST /v1/legal-holds': [
      {
        body: { person: { providerId: 'm17' }, endTime: '2001-01-01T00:00:00Z', reason: '' },
        shape: ['reason'],
        meaning: ['person.account', 'endTime'],
      },
    ],
    'PATCH /v1/retention-periods': [
      {
        body: { periods: [{ class: 'financial_records', days: 1 }], reason: '' },
        shape: ['reason'],
        meaning: ['periods[0].days'],
      },
    ],
  },
  rows: {
    legal_holds: { ...person, placed_by: `'owner@shop.example'`, created_at: at },
    personal_data_exports: { ...person, ...made, found: `'[]'`, expires_at: at },
    personal_data_erasures: {
      ...person,
      ...made,
      status: `'cancelled'`,
      erasable: `'[]'`,
      erased: `'[]'`,
      kept: `'[]'`,
      updated_at: at,
    },
  },
}
