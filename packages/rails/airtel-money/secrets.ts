import { nameOf, phone, type SecretRail } from '../../../test/support/secret-rail.ts'
import { airtelSecrets, keyOf, statusOf } from './testing.ts'

export const secrets: SecretRail = {
  protocol: 'airtel-money',
  providerId: 'airtel-ug',
  country: 'UG',
  currency: 'UGX',
  account: phone('+25675260439'),
  isPaidOut: true,
  fields: (secret) => ({
    clientId: airtelSecrets.clientId,
    clientSecret: secret('airtel clientSecret'),
    pin: secret('airtel pin', { digits: 8 }),
    callbackKey: secret('airtel callbackKey', { bytes: 16 }),
  }),
  inFile: ['clientSecret'],
  tokenPath: '/auth/oauth2/token',
  referenceIn: (_headers, { transaction }) => transaction?.id,
  respond({ method, path, reference }, ordered, token) {
    if (path.endsWith('/token')) return [200, { access_token: token, expires_in: 180 }]
    if (path.endsWith('/encryption-keys')) return [200, keyOf('31-12-2999 21:29:26')]
    if (path.includes('/users/balance')) return [200, { data: { balance: '37,600', currency: 'UGX' } }]
    if (path.includes('/users/'))
      return [200, { data: { first_name: 'Aminah', last_name: 'Nakato', is_barred: false } }]
    const id = method === 'POST' ? reference : nameOf(path)
    if (method !== 'POST' && !ordered(id)) return [200, { status: statusOf('DP00800001025') }]
    return [200, { data: { transaction: { id, status: 'TS' } }, status: statusOf('DP00800001001') }]
  },
}
