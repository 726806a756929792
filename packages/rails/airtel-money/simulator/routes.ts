import type { Provider } from '@pesewa/connector-kit'
import {
  holderOf,
  keyWith,
  pathParams,
  type RailRoute,
  type SimulatorParts,
  submitCollection,
  submitDisbursement,
} from '@pesewa/connector-kit/simulator'
import type { FastifyRequest } from 'fastify'
import { airtelRoutesFor, tokenRoute } from './access.ts'
import { airtelDocumentOf } from './documents.ts'
import { isSigned } from './encryption.ts'
import { AirtelError, GatewayError, invalidRequest } from './error.ts'
import { readDisbursement, readPayment } from './request.ts'
import { publicKeyText } from './test-key.ts'

/**
 * Airtel Money's Open API for every simulated country. In version 1, messages are not signed; in version 2,
 * they are.
 */
export function airtelRoutes(parts: SimulatorParts): RailRoute[] {
  const route = airtelRoutesFor(parts)
  return [
    tokenRoute(parts),
    route('GET', '/v1/rsa/encryption-keys', 'get the encryption key', () => keyOf(parts)),
    ...([1, 2] as const).flatMap((version) => [
      route('POST', `/merchant/v${version}/payments/`, 'request a payment', (provider, request) =>
        collect(parts, version, provider, request),
      ),
      route('POST', `/standard/v${version}/disbursements/`, 'send a payout', (provider, request) =>
        payOut(parts, version, provider, request),
      ),
      route('GET', `/standard/v${version}/disbursements/:id`, 'query a payout', (provider, request) =>
        answerEnquiry(parts.store.findDisbursement(idIn(provider, request)), 'DP00900001015'),
      ),
    ]),
    route('GET', '/standard/v1/payments/:id', 'query a payment', (provider, request) =>
      answerEnquiry(parts.store.findCollection(idIn(provider, request)), 'DP00800001025'),
    ),
    route('GET', '/standard/v1/users/balance', 'get the account balance', (_provider, request) => ({
      data: { balance: '37,600.00', currency: request.headers['x-currency'], account_status: 'Active' },
      status: success('DP02100000001'),
    })),
    route('GET', '/standard/v1/users/:msisdn', 'look up an account holder', (_provider, request) =>
      userOf(pathParams(request).msisdn ?? ''),
    ),
  ]
}

const success = (response_code: string) => ({
  code: '200',
  message: 'SUCCESS',
  result_code: 'ESB000010',
  response_code,
  success: true,
})

const dayMs = 24 * 3_600_000

function keyOf({ clock }: SimulatorParts): object {
  const until = new Date(clock.now().getTime() + dayMs).toISOString()
  const [date = '', time = ''] = until.slice(0, 19).split('T')
  const valid_upto = `${date.split('-').toReversed().join('-')} ${time}`
  return { data: { key_id: 'simulator', key: publicKeyText, valid_upto }, status: success('DP02010001001') }
}

async function collect(
  parts: SimulatorParts,
  version: 1 | 2,
  provider: Provider,
  request: FastifyRequest,
): Promise<object> {
  requireSignature(version, provider, request, 'DP00800001026')
  const payment = readPayment(provider, request)
  // The prompt can only be sent to an existing account.
  if (!holderOf(payment.payer)) throw new AirtelError(400, 'DP00800001005', 'Msisdn Not Found')
  if ((await submitCollection(parts, payment)) === 'again') return duplicate
  const transaction = { id: payment.reference, status: 'SUCCESS' }
  return { data: { transaction }, status: success('DP00800001006') }
}

async function payOut(
  parts: SimulatorParts,
  version: 1 | 2,
  provider: Provider,
  request: FastifyRequest,
): Promise<object> {
  requireSignature(version, provider, request, 'DP00900001016')
  const disbursement = readDisbursement(provider, request, parts.seals)
  if (!holderOf(disbursement.payee)) throw new AirtelError(400, 'DP00900001012', 'Invalid Mobile Number')
  if ((await submitDisbursement(parts, disbursement)) === 'again') return duplicate
  const { reference: id, externalId: reference_id } = disbursement
  // The payout is reported as successful immediately, even if an enquiry a moment later shows something else.
  const transaction = { reference_id, airtel_money_id: `disb-${id.slice(0, 8)}`, id, status: 'TS' }
  return { data: { transaction }, status: success('DP00900001001') }
}

/** Refuses a message that must be signed but is not. Zambia accepts only signed messages. */
function requireSignature(
  version: 1 | 2,
  { country }: Provider,
  request: FastifyRequest,
  code: string,
): void {
  if (version === 1 && country === 'ZM')
    throw new GatewayError(400, 'ROUTER119', 'Message signing is mandatory')
  if (version === 2 && !isSigned(request)) throw new AirtelError(400, code, 'Signature verification failed')
}

/** The response to a repeated request. It is sent with status 200, and with a different code in the body. */
const duplicate = {
  data: {},
  status: {
    code: '500',
    message: 'External Transaction ID already exists.',
    result_code: 'ESB000041',
    response_code: 'DP00800001000',
    success: false,
  },
}

async function answerEnquiry(
  stored: Promise<Parameters<typeof airtelDocumentOf>[0] | undefined>,
  code: string,
): Promise<object> {
  const request = await stored
  if (request) return airtelDocumentOf(request)
  const message = 'Transaction not found'
  return { status: { code: '404', message, result_code: 'ESB000045', response_code: code, success: false } }
}

const idIn = (provider: Provider, request: FastifyRequest) =>
  keyWith(provider, pathParams(request).id, invalidRequest())

/** Returns an account holder. Unlike in other requests, the number includes its country code. */
function userOf(msisdn: string): object {
  if (!/^[1-9][0-9]{5,14}$/.test(msisdn)) throw invalidRequest()
  const holder = holderOf(msisdn)
  if (!holder) throw new AirtelError(400, 'DP02200000000', 'User not found')
  return {
    data: {
      first_name: holder.givenName,
      last_name: holder.familyName,
      grade: 'SUBS',
      is_barred: !holder.isActive,
      is_pin_set: true,
      msisdn,
      registration: { status: 'SUBS' },
    },
    status: success('DP02200000001'),
  }
}
