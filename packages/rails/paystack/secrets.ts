import { moneyIn, nameOf, phone, type RailReply, type SecretRail } from '../../../test/support/secret-rail.ts'

export const secrets: SecretRail = {
  protocol: 'paystack',
  providerId: 'telecel-gh',
  country: 'GH',
  currency: 'GHS',
  account: phone('+23320123445'),
  isPaidOut: true,
  fields: (secret) => ({ secretKey: secret('paystack secretKey', { prefix: 'sk_live_', bytes: 12 }) }),
  inFile: ['secretKey'],
  referenceIn: (_headers, { reference }) => reference,
  respond({ method, path, reference }, ordered) {
    const yes = (data: unknown): RailReply => [200, { status: true, message: 'Words', data }]
    if (path.includes('/bank/resolve')) return yes({ account_name: 'AMA MENSAH' })
    if (path.endsWith('/transferrecipient')) return yes({ recipient_code: 'RCP_1' })
    if (path.endsWith('/balance')) return yes([{ currency: 'GHS', balance: 1_000 }])
    if (path.includes('/refund')) return yes(method === 'POST' ? { status: 'pending' } : [])
    if (method === 'POST')
      return yes({ reference, status: path.endsWith('/charge') ? 'pay_offline' : 'pending' })
    const order = ordered(nameOf(path))
    if (!order) return [404, { status: false, code: 'transaction_not_found' }]
    return yes({ id: 42, reference: nameOf(path), status: 'success', ...moneyIn(order) })
  },
}
