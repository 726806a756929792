import type { SliceExamples } from '../../support/examples.ts'

export const examples: SliceExamples = {
  params: { phoneNumber: '+23276123456' },
  notGuarded: {
    'GET /v1/phone-numbers/:phoneNumber': 'it names a number, and nothing of a Space',
    'GET /v1/provider-kyc/:providerId': 'it names an account of a provider, and nothing of a Space',
  },
}
