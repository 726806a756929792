import { moneyIn, nameOf, type SecretRail } from '../../../test/support/secret-rail.ts'

export const secrets: SecretRail = {
  protocol: 'rest',
  providerId: 'slb001',
  country: 'SL',
  currency: 'SLE',
  account: (digit) => ({ accountNumber: `001122334${digit}` }),
  isPaidOut: true,
  fields: (secret) => ({
    key: secret('rest key'),
    callbackKey: secret('rest callbackKey', { bytes: 24 }),
  }),
  inFile: ['key'],
  respond({ method, path }, ordered) {
    if (path.includes('/accounts/')) return [200, { holderName: 'Fatu Kamara', active: true }]
    if (method === 'PUT') return [202, { status: 'pending' }]
    const order = ordered(nameOf(path))
    return order ? [200, { status: 'done', ...moneyIn(order) }] : [404, { code: 'not_found' }]
  },
}
