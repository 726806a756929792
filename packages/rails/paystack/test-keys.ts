import type { RailSeals } from '@pesewa/connector-kit'

/** Returns this deployment's secret key for the simulated Paystack. */
export const simulatedSecretKey = (seals: RailSeals) => `sk_test_${seals.tag('simulator', 'paystack key')}`
