import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  // The rail has reported the outcome of every payment, payout and refund.
  withoutSuitableObject: [
    'POST /v1/payments/:id/ask-provider',
    'POST /v1/payouts/:id/ask-provider',
    'POST /v1/refunds/:id/ask-provider',
  ],
}
