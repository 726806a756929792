import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  // A phone can have only a few one-time passwords at a time.
  inSeparateSpace: ['POST /v1/ussd-otps'],
}
