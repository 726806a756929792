import type { Seals } from '../../../platform/seals.ts'

/** This deployment's secret key for the simulated Paystack. */
export const simulatedSecretKey = (seals: Seals) => `sk_test_${seals.tag('simulator', 'paystack key')}`
