import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  notGuarded: {
    'GET /v1/test-clock': 'it names no object',
    'POST /v1/test-clock': 'it names no object; its effect on other Spaces has a test next to this file',
  },
  inSeparateSpace: ['POST /v1/test-clock'],
}
