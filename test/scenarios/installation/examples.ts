import type { SliceExamples } from '../../examples.ts'

export const examples: SliceExamples = {
  fields: { country: ['SL'] },
  faults: {
    'POST /v1/installation/spaces': [
      { body: { name: '', country: 'XX' }, shape: ['name'], meaning: ['country'] },
    ],
    'POST /v1/installation/spaces/:id/fees': [
      {
        body: { code: 'gift', rule: '101%,min=XXX:5', reason: 'As agreed' },
        shape: ['code'],
        meaning: ['rule'],
      },
    ],
  },
}
