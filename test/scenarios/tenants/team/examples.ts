import { randomUUID } from 'node:crypto'
import type { SliceExamples } from '../../../support/examples.ts'

const people = 'members belong to both environments: team/members.test.ts covers those of other Spaces'
const tokens =
  'a token belongs to a user: team/access-tokens.test.ts covers those of others, of other Spaces and environments'

export const examples: SliceExamples = {
  fields: { networks: [['0.0.0.0/0', '::/0']], duration: ['30d'] },
  issues: {
    'POST /v1/access-tokens': [
      {
        body: { name: '', scopes: ['*'], networks: ['10.0.0.0'] },
        shape: ['name'],
        meaning: ['networks'],
      },
    ],
  },
  rows: {
    audit_entries: {
      at: 'to_timestamp((1700000000000 + n) / 1000.0)',
      actor: `case when n <= 5 then 'seldom@shop.example' else 'often@shop.example' end`,
      action: `case when n <= 5 then 'token.roll' else 'token.create' end`,
      object_type: `'payment'`,
      object_id: `('018bcfe5-680' || case when n <= 5 then 2 else 1 end || '-7000-8000-000000000000')::uuid`,
      reason: `'as agreed'`,
      details: `'{}'`,
    },
  },
  filters: {
    actor: ['seldom@shop.example', 'often@shop.example', 'nobody@shop.example'],
    action: ['token.roll', 'token.create'],
    email: ['nobody@shop.example'],
  },
  // The user is the caller, who cannot change their own access.
  withoutSuitableObject: [
    'POST /v1/installation/users/:id/rights',
    'POST /v1/installation/users/:id/remove',
    'POST /v1/installation/spaces/:id/members',
    'POST /v1/installation/spaces/:id/members/remove',
  ],
  async make(stock) {
    const name = stock.freeText ?? 'Website'
    for (const duration of ['30d', 'never'])
      await stock.post('/v1/access-tokens', { name, scopes: ['*'], duration })
    // Each person has one open invitation.
    await stock.post('/v1/invitations', { email: `${randomUUID()}@shop.example`, role: 'developer' })
  },
  notGuarded: {
    'GET /v1/audit-entries':
      'an actor can have entries in several Spaces: team/audit-entries.test.ts covers those of others',
    'GET /v1/access-tokens': tokens,
    'POST /v1/access-tokens': tokens,
    'GET /v1/access-tokens/:id': tokens,
    'DELETE /v1/access-tokens/:id': tokens,
    'POST /v1/access-tokens/:id/roll': tokens,
    'GET /v1/members': people,
    'GET /v1/members/:id': people,
    'PATCH /v1/members/:id': people,
    'DELETE /v1/members/:id': people,
    'GET /v1/invitations': people,
    'POST /v1/invitations': people,
    'DELETE /v1/invitations/:id': people,
    'POST /v1/invitations/:id/resend': people,
  },
}
