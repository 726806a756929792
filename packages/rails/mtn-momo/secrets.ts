import { nameOf, phone, type SecretRail } from '../../../test/support/secret-rail.ts'

export const secrets: SecretRail = {
  protocol: 'mtn-momo',
  providerId: 'm17',
  country: 'SL',
  currency: 'SLE',
  account: phone('+2327612345'),
  isPaidOut: true,
  fields: (secret) => ({
    targetEnvironment: 'mtnsierraleone',
    collection: {
      subscriptionKey: secret('mtn collection subscriptionKey'),
      apiUser: 'user',
      apiKey: secret('mtn collection apiKey'),
    },
    disbursement: {
      subscriptionKey: secret('mtn disbursement subscriptionKey'),
      apiUser: 'user',
      apiKey: secret('mtn disbursement apiKey'),
    },
  }),
  inFile: ['collection', 'apiKey'],
  tokenPath: '/token/',
  referenceIn: (headers) => headers['x-reference-id'],
  respond({ method, path }, ordered, token) {
    if (path.endsWith('/token/')) return [200, { access_token: token, expires_in: 3600 }]
    if (path.endsWith('/basicuserinfo')) return [200, { name: 'Fatu Kamara' }]
    if (path.endsWith('/active')) return [200, { result: true }]
    if (method === 'POST') return [202, '']
    const order = ordered(nameOf(path))
    return order ? [200, { ...order, status: 'SUCCESSFUL' }] : [404, { code: 'RESOURCE_NOT_FOUND' }]
  },
}
