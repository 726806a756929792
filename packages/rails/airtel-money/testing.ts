import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Collection, type Connector, createPeer, type Disbursement } from '@pesewa/connector-kit'
import { about } from '@pesewa/connector-kit/testing'
import { createAirtel } from './connector.ts'
import type { AirtelSettings } from './settings.ts'
import { publicKeyText } from './simulator/test-key.ts'

export type Seen = IncomingMessage & { text: string }
export type Handler = (request: Seen, response: ServerResponse) => void
type Airtel = Connector &
  Required<Pick<Connector, 'disburse' | 'queryDisbursement' | 'readReport' | 'verifyAccount' | 'balances'>>

export const airtelSecrets = {
  clientId: 'secret-client',
  clientSecret: 'secret-of-client',
  pin: '73519',
  callbackKey: 'secret-callback-key',
}

/** Starts a mock Airtel server that gives whatever valid or broken response the test sets. */
export async function startAirtel() {
  const open: Connector[] = []
  const rail = {
    tokens: [] as string[],
    keys: 0,
    onToken: ((_request, response) =>
      response.end(
        JSON.stringify({
          access_token: `token-${rail.tokens.length}`,
          expires_in: '180',
          token_type: 'bearer',
        }),
      )) as Handler,
    onKey: ((_request, response) => response.end(keyOf('31-12-2999 21:29:26'))) as Handler,
    on: (() => {}) as Handler,
    answer(status: number, body: unknown) {
      rail.on = (_request, response) =>
        response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    },
    /** Answers the next call with this response, and resolves with the request that the rail received. */
    seen(status: number, body: unknown): Promise<Seen> {
      return new Promise((resolve) => {
        rail.on = (request, response) => {
          response.writeHead(status).end(JSON.stringify(body))
          resolve(request)
        }
      })
    },
    get baseUrl() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    connect(changes: Partial<AirtelSettings> = {}): Airtel {
      const settings = {
        ...airtelSecrets,
        baseUrl: rail.baseUrl,
        country: 'UG',
        currencies: ['UGX'],
        timeoutMs: 1_000,
      }
      const connector = createAirtel({ ...settings, ...changes }, createPeer(10))
      open.push(connector)
      return connector as Airtel
    },
    async close() {
      await Promise.all(open.map((connector) => connector.close()))
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const seen = Object.assign(request, { text })
    if (request.url === '/auth/oauth2/token') {
      rail.tokens.push(text)
      return rail.onToken(seen, response)
    }
    if (request.url !== '/v1/rsa/encryption-keys') return rail.on(seen, response)
    rail.keys++
    return rail.onKey(seen, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return rail
}

export const keyOf = (valid_upto: string, key = publicKeyText) =>
  JSON.stringify({ data: { key_id: 'k', key, valid_upto }, status: { response_code: 'DP02010001001' } })

const order = {
  amount: 1_000n,
  currency: 'UGX',
  description: 'Two cups',
  callbackUrl: 'https://pay.example/callbacks/payments/abc',
  mayLeave: () => true,
}

export const airtelCollection = (more: Partial<Collection> = {}): Collection => ({
  ...order,
  reference: randomUUID(),
  payerAccount: '+256752604392',
  orderNumber: '123456789012',
  returnUrl: null,
  ...more,
})

export const airtelDisbursement = (more: Partial<Disbursement> = {}): Disbursement => ({
  ...order,
  reference: randomUUID(),
  payeeAccount: '+256752604392',
  ...more,
})

export const aboutAirtel = (reference: string, more: object = {}) =>
  about(reference, { amount: 1_000n, currency: 'UGX', account: '+256752604392', ...more })

/** Returns the `status` object of a response in Airtel's format. */
export const statusOf = (response_code: string, more: object = {}) => ({
  code: '200',
  message: 'SUCCESS',
  result_code: 'ESB000010',
  response_code,
  success: true,
  ...more,
})
