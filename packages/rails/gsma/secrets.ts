import { moneyIn, nameOf, phone, type SecretRail } from '../../../test/support/secret-rail.ts'

export const secrets: SecretRail = {
  protocol: 'gsma',
  providerId: 'afrimoney-gm',
  country: 'GM',
  currency: 'GMD',
  account: phone('+220720123'),
  isPaidOut: true,
  fields: (secret) => ({
    merchant: { key: 'accountid', value: '2000' },
    clientId: secret('gsma clientId'),
    oauth: { key: 'user', secret: secret('gsma oauth secret') },
  }),
  inFile: ['oauth', 'secret'],
  tokenPath: '/oauth/accesstoken',
  referenceIn: (headers) => headers['x-correlationid'],
  respond({ method, path }, ordered, token) {
    if (path.endsWith('/accesstoken')) return [200, { access_token: token, expires_in: 3600 }]
    if (path.endsWith('/accountname')) return [200, { name: { fullName: 'Fatou Ceesay' } }]
    if (path.endsWith('/status')) return [200, { status: 'available' }]
    if (path.endsWith('/heartbeat')) return [200, { serviceStatus: 'available' }]
    if (path.endsWith('/balance')) return [200, { availableBalance: '10.00', currency: 'GMD' }]
    if (method === 'POST') return [202, { serverCorrelationId: 'srv-1', status: 'pending' }]
    const order = ordered(nameOf(path))
    if (!order) return [404, { errorCategory: 'identification', errorCode: 'identifierError' }]
    if (path.includes('/responses/')) return [200, { link: `/transactions/${nameOf(path)}` }]
    const transaction = { transactionReference: nameOf(path), transactionStatus: 'completed' }
    return [200, { ...moneyIn(order), ...transaction }]
  },
}
