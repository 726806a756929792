import { moneyIn, nameOf, phone, type SecretRail } from '../../../test/support/secret-rail.ts'

export const secrets: SecretRail = {
  protocol: 'example-rail',
  providerId: 'example-rail-lr',
  country: 'LR',
  currency: 'LRD',
  account: phone('+23177012345'),
  isPaidOut: true,
  fields: (secret) => ({ apiKey: secret('example-rail apiKey') }),
  inFile: ['apiKey'],
  referenceIn: (_headers, { reference }) => reference,
  respond({ method, path }, ordered) {
    if (method === 'POST') return [202, { status: 'pending' }]
    const reference = nameOf(path)
    const order = ordered(reference)
    return order ? [200, { reference, status: 'completed', ...moneyIn(order) }] : [404, { code: 'not_found' }]
  },
}
