import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  params: { session: 'ses-01kaj3v5w8e4r9tbn2m6c7d0xz' },
  notGuarded: {
    'DELETE /v1/sessions/:session':
      'sessions belong to a user, not a Space: sign-in/links.test.ts covers those of others',
  },
}
