import type { SliceExamples } from '../../../support/examples.ts'

export const examples: SliceExamples = {
  params: { phoneNumber: '+23276123456' },
  notGuarded: {
    'GET /v1/phone-numbers/:phoneNumber': 'takes only a phone number, nothing from a Space',
    'GET /v1/provider-kyc/:providerId': 'takes only an account at a provider, nothing from a Space',
  },
}
