import type { Seals } from '../../../platform/seals.ts'

/** The secret key of this deployment at the simulated Paystack. */
export const simulatedSecretKey = (seals: Seals) => `sk_test_${seals.tag('simulator', 'paystack key')}`
