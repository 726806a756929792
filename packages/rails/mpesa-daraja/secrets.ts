import { phone, type SecretRail } from '../../../test/support/secret-rail.ts'
import { certificate } from './testing.ts'

export const secrets: SecretRail = {
  protocol: 'mpesa-daraja',
  providerId: 'mpesa-ke',
  country: 'KE',
  currency: 'KES',
  account: phone('+25470812345'),
  isPaidOut: true,
  fields: (secret) => ({
    consumerKey: secret('daraja consumerKey'),
    consumerSecret: secret('daraja consumerSecret'),
    passkey: secret('daraja passkey'),
    shortCode: '600111',
    payouts: {
      shortCode: '600222',
      initiatorName: 'operator',
      initiatorPassword: secret('daraja initiatorPassword'),
      certificate,
      checksNames: true,
      reverses: true,
    },
  }),
  inFile: ['consumerSecret'],
  tokenPath: '/oauth/v1/generate',
  referenceIn: (_headers, body) => body.OriginatorConversationID,
  respond({ path, body }, _ordered, token) {
    if (path.includes('/oauth/')) return [200, { access_token: token, expires_in: '3599' }]
    if (path.includes('/hakikisha'))
      return [200, { header: { status: '200' }, body: { firstName: 'Wanjiru' } }]
    const CheckoutRequestID = body.CheckoutRequestID ?? 'ws_CO_191220191020363925254708374149'
    const done = path.includes('/stkpushquery/') ? { ResultCode: '0' } : {}
    const OriginatorConversationID = body.OriginatorConversationID ?? 'AG_1'
    return [200, { CheckoutRequestID, OriginatorConversationID, ResponseCode: '0', ...done }]
  },
}
