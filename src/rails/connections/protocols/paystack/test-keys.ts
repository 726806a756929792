import type { Seals } from '../../../../platform/seals.ts'

/** Returns this deployment's secret key for the simulated Paystack. */
export const simulatedSecretKey = (seals: Seals) => `sk_test_${seals.tag('simulator', 'paystack key')}`
