import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  // Only a live rail reports manual payments.
  withoutSuitableObject: ['POST /v1/installation/bills/assign', 'POST /v1/installation/bills/close'],
}
