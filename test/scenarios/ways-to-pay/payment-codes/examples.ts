import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  fields: { 'authorizedProviders[]': ['m17', 'm18'] },
  // Providers and a phone number are mutually exclusive.
  bodies: { 'POST /v1/payment-codes': { mode: 'recurrent', authorizedPhoneNumber: null } },
}
