import { generateKeyPairSync } from 'node:crypto'
import { moneyIn, nameOf, phone, type SecretRail } from '../../../test/support/secret-rail.ts'

const signing = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
export const signingKey = String(signing.privateKey.export({ type: 'pkcs8', format: 'pem' }))

export const secrets: SecretRail = {
  protocol: 'pawapay',
  providerId: 'orange-cm',
  country: 'CM',
  currency: 'XAF',
  account: phone('+23769012345'),
  isPaidOut: true,
  fields: (secret) => ({ token: secret('pawapay token'), signingKey, signingKeyId: 'OURS:1' }),
  inFile: ['token'],
  referenceIn: (_headers, { depositId, payoutId, refundId }) => refundId ?? depositId ?? payoutId,
  respond({ method, path }, ordered) {
    const [, what = ''] = /\/v2\/(deposits|payouts|refunds)/.exec(path) ?? []
    if (!what) return [200, {}]
    if (method === 'POST') return [200, { status: 'ACCEPTED' }]
    const order = ordered(nameOf(path))
    return [
      200,
      order ? { status: 'FOUND', data: { ...moneyIn(order), status: 'COMPLETED' } } : { status: 'NOT_FOUND' },
    ]
  },
}
