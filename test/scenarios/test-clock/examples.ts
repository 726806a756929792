import type { SliceExamples } from '../../support/examples.ts'

export const examples: SliceExamples = {
  notGuarded: {
    'GET /v1/test-clock': 'it names nothing, and goes on by itself',
    'POST /v1/test-clock':
      'it names nothing; what it does to other Spaces has a test of its own beside this file',
  },
  apart: ['POST /v1/test-clock'],
}
