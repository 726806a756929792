import type { SliceExamples } from '../../examples.ts'

const tokens =
  'a token is a person’s: spaces/access-tokens.test.ts tries those of others, of other Spaces and environments'

export const examples: SliceExamples = {
  params: { session: 'ses-01kaj3v5w8e4r9tbn2m6c7d0xz' },
  fields: { networks: [['0.0.0.0/0', '::/0']], duration: ['30d'] },
  faults: {
    'POST /v1/access-tokens': [
      {
        body: { name: '', scopes: ['*'], networks: ['10.0.0.0'] },
        shape: ['name'],
        meaning: ['networks'],
      },
    ],
  },
  notGuarded: {
    'DELETE /v1/sessions/:session':
      'sessions are a person’s, of no Space: console/sign-in.test.ts tries those of others',
    'GET /v1/access-tokens': tokens,
    'POST /v1/access-tokens': tokens,
    'GET /v1/access-tokens/:id': tokens,
    'DELETE /v1/access-tokens/:id': tokens,
    'POST /v1/access-tokens/:id/roll': tokens,
  },
}
