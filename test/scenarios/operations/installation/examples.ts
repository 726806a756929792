import { exampleCsv } from '../../../../src/operations/installation/statement-shapes.ts'
import type { SliceExamples } from '../../../support/examples.ts'

const dayBody = { environment: 'test', providerId: 'nobody', day: '2026-11-20', reason: '' }

export const examples: SliceExamples = {
  fields: { country: ['SL'], environment: ['test'], providerId: ['m17'], csv: [exampleCsv] },
  params: { connection: 'm17', statementId: '1' },
  async make(stock) {
    await stock.postExamples('installation')
    const url = '/v1/installation/statements'
    const example = stock.entries.find(({ name }) => name === `POST ${url}`)?.route.example
    if (example) await stock.post(url, example)
  },
  // A day and an open item can be closed only once, and a statement is accepted only once the previous one is
  // matched.
  withoutSuitableObject: [
    'POST /v1/installation/closed-days',
    'POST /v1/installation/closed-days/reopen',
    'POST /v1/installation/statements',
  ],
  bodies: {
    'POST /v1/installation/statements': { from: null, until: null },
    'POST /v1/installation/providers/:connection/pause': {
      until: new Date(Date.now() + 3_600_000).toISOString(),
    },
  },
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
    'POST /v1/installation/closed-days': [{ body: dayBody, shape: ['reason'], meaning: ['providerId'] }],
    'POST /v1/installation/closed-days/reopen': [
      { body: dayBody, shape: ['reason'], meaning: ['providerId'] },
    ],
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
