import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  fields: { country: ['SL'], environment: ['test'], providerId: ['m17'] },
  params: { connection: 'm17' },
  async make(stock) {
    await stock.postExamples('operations/installation')
  },
  bodies: {
    'POST /v1/installation/providers/:connection/pause': {
      until: new Date(Date.now() + 3_600_000).toISOString(),
    },
  },
  issues: {
    'POST /v1/installation/spaces/:id/rules': [
      {
        body: {
          payoutApprovalAbove: [{ currency: 'XXX', value: 1 }],
          refundsWhenShort: 'perhaps',
          reason: 'As agreed',
        },
        shape: ['refundsWhenShort'],
        meaning: ['payoutApprovalAbove[0].currency'],
      },
    ],
    'POST /v1/installation/spaces': [
      { body: { name: '', country: 'XX' }, shape: ['name'], meaning: ['country'] },
    ],
    'POST /v1/installation/providers/:connection/pause': [
      {
        body: {
          environment: 'test',
          direction: 'both',
          providerId: 'm18',
          words: 'one\nanother',
          until: '2020-01-01T00:00:00Z',
        },
        shape: ['direction'],
        meaning: ['providerId', 'words', 'until'],
      },
    ],
    'POST /v1/installation/providers/:connection/resume': [
      {
        body: { environment: 'test', direction: 'both', providerId: 'm18' },
        shape: ['direction'],
        meaning: ['providerId'],
      },
    ],
  },
}
