import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { airtelSecrets, keyOf, statusOf } from '../../../../packages/rails/airtel-money/testing.ts'
import { certificate } from '../../../../packages/rails/mpesa-daraja/testing.ts'
import type { Account } from '../../../support/payer.ts'

/** A request that a rail received, and the rail's response when it works normally. */
export type RailRequest = { method: string; path: string; reference: string; body: Fields }
type RailReply = readonly [status: number, body: unknown]
// biome-ignore lint/suspicious/noExplicitAny: a request body
type Fields = any

/** A provider with its own connection that has every possible secret. */
export type SecretRail = {
  protocol: string
  providerId: string
  country: string
  currency: string
  /** Returns a payer's or payee's account, a different one for each `digit`. */
  account(digit: number): Account
  isPaidOut: boolean
  /** Returns the fields of the connection, including secrets. */
  fields(secret: PlantSecret): object
  /** The path of the field whose secret is stored in a file and replaced there. */
  inFile: readonly string[]
  /** The path of the rail's token requests, if there are any. */
  tokenPath?: string
  /** @param ordered returns the order with this request's reference, or with the reference in its path */
  respond(request: RailRequest, ordered: (reference: string) => Fields, token: string): RailReply | undefined
}

/** Creates a unique value, either of digits only or with letters. */
export type PlantSecret = (
  name: string,
  form?: { prefix?: string; digits?: number; bytes?: number },
) => string

export function createPlant() {
  const secrets = new Map<string, string>()
  const plant: PlantSecret = (name, { prefix = 'Pl', digits, bytes = 8 } = {}) => {
    const value = digits
      ? String(randomBytes(4).readUInt32BE() % 10 ** digits).padStart(digits, '7')
      : prefix + randomBytes(bytes).toString('hex')
    secrets.set(name, value)
    return value
  }
  return { plant, secrets }
}

const phone = (number: string) => (digit: number) => ({ phone: `${number}${digit}` })
const nameOf = (path: string) => path.split('?')[0]!.split('/').at(-1)!

const mtnMomo: SecretRail = {
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
  respond({ method, path }, ordered, token) {
    if (path.endsWith('/token/')) return [200, { access_token: token, expires_in: 3600 }]
    if (path.endsWith('/basicuserinfo')) return [200, { name: 'Fatu Kamara' }]
    if (path.endsWith('/active')) return [200, { result: true }]
    if (method === 'POST') return [202, '']
    const order = ordered(nameOf(path))
    return order ? [200, { ...order, status: 'SUCCESSFUL' }] : [404, { code: 'RESOURCE_NOT_FOUND' }]
  },
}

const rest: SecretRail = {
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

const acquirer: SecretRail = {
  ...rest,
  protocol: 'acquirer',
  providerId: 'card',
  account: () => ({}),
  isPaidOut: false,
  fields: (secret) => ({ key: secret('acquirer key'), pageOrigin: 'https://cards.example' }),
  respond: (request, ...rest_) =>
    request.path.includes('/sessions/') && request.method === 'PUT'
      ? [202, { status: 'pending', redirectUrl: 'https://cards.example/1' }]
      : rest.respond(request, ...rest_),
}

const moneyIn = ({ amount, currency }: Fields) => ({ amount, currency })

const signing = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
export const signingKey = String(signing.privateKey.export({ type: 'pkcs8', format: 'pem' }))

const pawapay: SecretRail = {
  protocol: 'pawapay',
  providerId: 'orange-cm',
  country: 'CM',
  currency: 'XAF',
  account: phone('+23769012345'),
  isPaidOut: true,
  fields: (secret) => ({ token: secret('pawapay token'), signingKey, signingKeyId: 'OURS:1' }),
  inFile: ['token'],
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

const mpesaDaraja: SecretRail = {
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

const airtelMoney: SecretRail = {
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

const gsma: SecretRail = {
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

const paystack: SecretRail = {
  protocol: 'paystack',
  providerId: 'telecel-gh',
  country: 'GH',
  currency: 'GHS',
  account: phone('+23320123445'),
  isPaidOut: true,
  fields: (secret) => ({ secretKey: secret('paystack secretKey', { prefix: 'sk_live_', bytes: 12 }) }),
  inFile: ['secretKey'],
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

export const secretRails: readonly SecretRail[] = [
  ...[mtnMomo, rest, acquirer, pawapay, mpesaDaraja, airtelMoney, gsma, paystack],
]
