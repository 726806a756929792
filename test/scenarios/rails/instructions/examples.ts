import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  // The rail has reported the outcome of every payment.
  withoutSuitableObject: ['POST /v1/installation/unknown-outcomes/resolve'],
}
