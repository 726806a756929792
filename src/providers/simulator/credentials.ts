/**
 * What the simulated MTN rails take from their only customer. No secret: whoever holds it can move simulated money
 * only, and make the rails call nobody but us.
 */
export const simulatorCredentials = {
  subscriptionKey: 'simulator-subscription',
  apiUser: '7c5f9f8e-5d0b-4b3c-9a55-5e1a7e0c0de0',
  apiKey: 'simulator-api-key',
} as const

export const simulatorTargetEnvironment = 'sandbox'
