import { constants, privateDecrypt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Collection,
  type Connector,
  createPeer,
  type MoneyOrder,
  type RailKind,
  type RailReport,
  type ReceivedReport,
} from '@pesewa/connector-kit'
import { createEncryptionCertificate } from '../../../test/support/certificate.ts'
import { createDaraja } from './connector.ts'
import type { DarajaPayouts, DarajaSettings } from './settings.ts'

/** Secrets with known values, which must never appear in any output. */
export const darajaSecrets = {
  consumerKey: 'secret-consumer-key',
  consumerSecret: 'secret-consumer-secret',
  passkey: 'secret-passkey',
  initiatorPassword: 'Secret#Password1',
  token: 'secret-token',
}

const encryption = createEncryptionCertificate('safaricom.example', '20180101000000Z')
export const certificate = encryption.cert

export const payouts: DarajaPayouts = {
  shortCode: '600222',
  initiatorName: 'operator',
  initiatorPassword: darajaSecrets.initiatorPassword,
  certificate,
  checksNames: true,
  reverses: true,
}

export type SeenByGateway = { url: string; headers: IncomingHttpHeaders; body: Record<string, unknown> }

/**
 * Starts a mock Daraja gateway that gives whatever valid or broken response the test sets. If no response is
 * set, it closes the connection.
 */
export async function startGateway() {
  const seen: SeenByGateway[] = []
  const tokens: SeenByGateway[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const isToken = request.url?.startsWith('/oauth/')
    const body = text ? JSON.parse(text) : {}
    ;(isToken ? tokens : seen).push({ url: request.url ?? '', headers: request.headers, body })
    const answer = isToken ? gateway.onToken() : gateway.onCall(body)
    if (!answer) return void request.socket.destroy()
    const [status, document] = answer
    response.writeHead(status).end(typeof document === 'string' ? document : JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  type Respond = (body: Record<string, unknown>) => readonly [status: number, document: unknown] | undefined
  const goodToken = () => [200, { access_token: darajaSecrets.token, expires_in: '3599' }] as const
  const gateway = {
    baseUrl,
    seen,
    tokens,
    onToken: goodToken as () => ReturnType<Respond>,
    onCall: (() => [200, {}]) as Respond,
    answer(status: number, document: unknown) {
      gateway.onCall = () => [status, document]
    },
    reset() {
      seen.length = 0
      tokens.length = 0
      gateway.onToken = goodToken
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return gateway
}

export const connectDaraja = (baseUrl: string, more: Partial<DarajaSettings> = {}) => {
  const { consumerKey, consumerSecret, passkey } = darajaSecrets
  const business = { consumerKey, consumerSecret, passkey, shortCode: '600111', payouts }
  return createDaraja(
    { ...business, baseUrl, timeoutMs: 1_000, ...more },
    createPeer(10),
  ) as Required<Connector>
}

/** Returns a report as the service receives it from one of Safaricom's IP addresses. */
export const received = (fields: object, more: Partial<ReceivedReport> = {}): ReceivedReport => ({
  method: 'POST',
  headers: {},
  path: '/callbacks/payments/sealed',
  address: '196.201.214.200',
  rawBody: Buffer.from(JSON.stringify(fields)),
  fields: fields as Record<string, unknown>,
  ...more,
})

export const callbackUrl = 'https://pay.example/callbacks/payments/c2VhbGVk.tag'
export const reference = '5b0a4d0e-7f0c-4c57-9a55-5e1a7e0c0de0'
const order: MoneyOrder = {
  reference,
  amount: 150_000n,
  currency: 'KES',
  description: 'Fatu’s Crème & Söhne',
  callbackUrl,
  mayLeave: () => true,
}
export const collection: Collection = {
  ...order,
  payerAccount: '+254708374149',
  orderNumber: '482915037264',
  returnUrl: null,
}
export const payout = { ...order, payeeAccount: '+254708374149' }
export const reversal = { ...order, original: { reference: 'x', railTransaction: 'NLJ7RT61SV' } }
export const checkoutId = 'ws_CO_191220191020363925254708374149'
export const acceptedResponse = {
  MerchantRequestID: '2654-4b64',
  CheckoutRequestID: checkoutId,
  ResponseCode: '0',
}
export const refusal = (errorCode: string, errorMessage = '') => ({
  requestId: '94fc-460e',
  errorCode,
  errorMessage,
})
export const codeOrOutcome = (result: { outcome: string; code?: string }) => result.code ?? result.outcome

export const verdict = (report: RailReport, kind: RailKind) => report.verdictOn?.(kind)

/** Decrypts a security credential with the certificate's private key. */
export const openCredential = (credential: unknown) =>
  privateDecrypt(
    { key: encryption.key, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(String(credential), 'base64'),
  ).toString()
