import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  issues: {
    'POST /v1/installation/spaces/:id/fees': [
      {
        body: { code: 'gift', rule: '101%,min=XXX:5', reason: 'As agreed' },
        shape: ['code', 'rule'],
        meaning: [],
      },
    ],
  },
}
