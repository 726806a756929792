import { createHmac } from 'node:crypto'
import type { RailKind } from '@pesewa/connector-kit'
import {
  type FuzzCall,
  ours,
  type RailFuzz,
  type SeenDocument,
  type SeenResponse,
  type Supported,
} from '../../../test/fuzz/rail-fuzz.ts'
import { receivedBy } from '../../../test/fuzz/received.ts'
import { statedInMajorUnits } from '../../../test/fuzz/stated-money.ts'
import { createAirtel } from './connector.ts'
import { airtelSecrets, keyOf, statusOf } from './testing.ts'

// Written from the documented facts in `packages/rails/airtel-money`, independently of the connector.

type Way = Exclude<RailKind, 'refund'>

const reference = ours.reference

const codesLike = (prefix: string, digits: string) => digits.split(' ').map((each) => prefix + each)
const ofTheGateway = [
  ...codesLike('ESB0000', '33 34 35 36 39'),
  ...codesLike('ROUTER', '001 003 005 006 007 112 119'),
]
/** Codes that prove that nothing was started. */
const refusing: Record<Way, string[]> = {
  collect: [...ofTheGateway, ...codesLike('DP008000010', '04 26')],
  disburse: [
    ...ofTheGateway,
    ...codesLike('ROUTER', '114 115 116'),
    ...codesLike('DP009000010', '03 04 07 09 10 12 13 16'),
  ],
}
const unclear = ['ESB000001', 'ESB000004', 'ESB000008', 'ROUTER117', '0000900']
/** Codes with which a transaction is still in progress, whatever its status. */
const open: Record<Way, string[]> = {
  collect: [...unclear, ...codesLike('DP008000010', '06 24')],
  disburse: [...unclear, ...codesLike('DP009000010', '00 06 11 14')],
}
const duplicate: Record<Way, string[]> = {
  collect: ['ESB000041'],
  disburse: ['ESB000041', 'DP00900001017'],
}
const missing: Record<Way, string[]> = {
  collect: ['ESB000045', 'DP00800001025'],
  disburse: ['ESB000045', 'DP00900001015'],
}
const expired = 'DP00800001029'

const isClear = (status: number) => [200, 400, 403, 404, 405, 409, 422].includes(status)

/** Returns the codes from every field in which Airtel puts them. */
function codesIn({ status, code, status_code, error_code }: SeenDocument): unknown[] {
  return [status?.response_code, status?.result_code, status?.code, code, status_code, error_code]
}
const hasOne = (document: SeenDocument, codes: readonly string[]) =>
  codesIn(document).some((code) => typeof code === 'string' && codes.includes(code))

const isBegun = (status: unknown) => ['SUCCESS', 'TS', 'TIP', 'TA'].some((word) => word === status)

const submitted =
  (way: Way) =>
  (_response: SeenResponse, seen: readonly SeenResponse[]): Supported => {
    const { status, document } = seen.find(({ message }) => message.startsWith('POST')) ?? {
      status: 0,
      document: {},
    }
    if (!isClear(status)) return {}
    const transaction = document.data?.transaction ?? {}
    const isOurs = [undefined, reference].includes(transaction.id)
    const isUnknownNumber =
      way === 'collect' &&
      hasOne(document, ['DP00800001005']) &&
      /^\s*(msisdn|subscriber|user) (is )?not found/i.test(String(document.status?.message))
    return {
      accepted: hasOne(document, duplicate[way]) || (status === 200 && isOurs && isBegun(transaction.status)),
      refused: !isBegun(transaction.status) && (isUnknownNumber || hasOne(document, refusing[way])),
    }
  }

const queried =
  (way: Way) =>
  ({ status, document }: SeenResponse): Supported => {
    if (!isClear(status)) return {}
    const transaction = document.data?.transaction ?? {}
    if (transaction.status === undefined)
      return {
        missing: hasOne(document, missing[way]),
        refused: way === 'collect' && hasOne(document, [expired]),
      }
    if (status !== 200 || ![undefined, reference].includes(transaction.id)) return {}
    const isOpen = hasOne(document, open[way])
    const isContradicted = isOpen || hasOne(document, [...missing[way], ...refusing[way]])
    return {
      pending: ['TIP', 'TA'].includes(transaction.status) || (transaction.status === 'TF' && isOpen),
      refused: (transaction.status === 'TF' && !isOpen) || transaction.status === 'TE',
      done: transaction.status === 'TS' && !isContradicted ? moneyIn(transaction) : undefined,
    }
  }

/** Returns the amount in a document. Airtel does not state amounts; if it ever does, they count. */
const moneyIn = ({ amount, currency }: SeenDocument) =>
  amount === undefined && currency === undefined ? 'unstated' : statedInMajorUnits(amount, currency)

const transaction = (status: string | undefined, code: string, more: object = {}) => ({
  status: 200,
  body: {
    data: { transaction: { id: reference, status, airtel_money_id: 'MP1', message: 'Words', ...more } },
    status: statusOf(code),
  },
})

const submits = (way: Way, begun: string): FuzzCall => {
  const prefix = way === 'collect' ? 'DP0080000' : 'DP0090000'
  return {
    name: way,
    at: /^POST \/(merchant|standard)\/v1/,
    genuine: [
      transaction(begun, `${prefix}1001`),
      transaction('TIP', `${prefix}1006`),
      { status: 400, body: { status: statusOf(`${prefix}1004`) } },
      { status: 200, body: { status: statusOf('ESB000041', { result_code: 'ESB000041' }) } },
      { status: 400, body: { status_code: 'ROUTER115', status_message: 'Words' } },
      { status: 500, body: { status: statusOf('ESB000001') } },
    ],
    supported: submitted(way),
  }
}

const queries = (way: Way, name: FuzzCall['name']): FuzzCall => {
  const prefix = way === 'collect' ? 'DP0080000' : 'DP0090000'
  return {
    name,
    at: new RegExp(`^GET .*/${reference}$`),
    genuine: [
      transaction('TS', `${prefix}1001`),
      transaction('TS', `${prefix}1001`, { amount: 1000, currency: 'UGX' }),
      transaction('TIP', `${prefix}1006`),
      transaction('TF', `${prefix}1007`),
      transaction('TE', `${prefix}1001`),
      { status: 200, body: { status: statusOf(missing[way].at(-1)!) } },
    ],
    supported: queried(way),
  }
}

const holder: FuzzCall = {
  name: 'verifyAccount',
  at: /^GET \/standard\/v1\/users\/256752604392$/,
  genuine: [
    {
      status: 200,
      body: {
        data: { first_name: 'Aminah', last_name: 'Nakato', is_barred: false, is_pin_set: true },
        status: statusOf('DP02200000001'),
      },
    },
    { status: 200, body: { data: { first_name: 'Aminah', last_name: 'Nakato', is_barred: true } } },
    { status: 400, body: { status: statusOf('DP02200000000', { message: 'User not found' }) } },
  ],
  supported({ status, document }) {
    const isBarred = document.data?.is_barred
    const words = document.status?.message
    const isMissing = typeof words === 'string' && /^\s*(msisdn|subscriber|user) (is )?not found/i.test(words)
    return {
      missing: isClear(status) && isMissing,
      found: status === 200 && !isMissing && typeof isBarred === 'boolean' ? !isBarred : undefined,
    }
  },
}

/** Builds a callback, which proves that the transaction is done or leads to a query. */
function reportOf(rawTransaction: Buffer, signed: Buffer | undefined) {
  const hash =
    signed && createHmac('sha256', airtelSecrets.callbackKey).update(signed.toString()).digest('base64')
  return receivedBy(
    Buffer.from(`{"transaction":${rawTransaction}${hash === undefined ? '' : `,"hash":"${hash}"`}}`),
  )
}

export const fuzz: RailFuzz = {
  protocol: 'airtel-money',
  order: { amount: 1_000n, currency: 'UGX', account: '+256752604392' },
  connect: (baseUrl, peer) =>
    createAirtel({ ...airtelSecrets, baseUrl, country: 'UG', currencies: ['UGX'], timeoutMs: 20_000 }, peer),
  words: [
    ...[...Object.values(refusing), ...Object.values(open), ...Object.values(duplicate)].flat(),
    ...Object.values(missing).flat(),
    ...['TS', 'TF', 'TE', 'TIP', 'TA', 'TR', 'SUCCESS', 'Msisdn Not Found', 'UGX', expired],
    ...codesLike('DP0080000', '1002 1003 1005 1007 1008 1010'),
  ],
  shared: [
    {
      at: /^POST \/auth\/oauth2\/token$/,
      genuine: [{ status: 200, body: { access_token: 'token', expires_in: '180', token_type: 'bearer' } }],
    },
    {
      at: /^GET \/v1\/rsa\/encryption-keys$/,
      genuine: [{ status: 200, body: JSON.parse(keyOf('31-12-2999 21:29:26')) }],
    },
  ],
  calls: [
    submits('collect', 'SUCCESS'),
    queries('collect', 'queryCollection'),
    // A connector sends nothing more after a wrong PIN.
    { ...submits('disburse', 'TS'), isFresh: true },
    queries('disburse', 'queryDisbursement'),
    holder,
  ],
  reports: [
    {
      name: 'readReport',
      documents: [
        { id: reference, message: 'Paid', status_code: 'TS', airtel_money_id: 'MP1' },
        { id: reference, status_code: 'TS', airtel_money_id: 'MP1', amount: 1000, currency: 'UGX' },
        { id: reference, message: 'Failed', status_code: 'TF', airtel_money_id: 'MP1' },
      ],
      received: reportOf,
      // Only the transaction is hashed, not the fields around it.
      isProved: (bytes, signed) => signed !== undefined && `${signed}`.trim() === `${bytes}`.trim(),
      supported: (document, kind) =>
        kind === 'collect' && document.id === reference && document.status_code === 'TS'
          ? { done: moneyIn(document) }
          : {},
      reaches: ['collect done'],
    },
  ],
}
