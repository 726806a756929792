import assert from 'node:assert/strict'
import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { createLog } from '../../server/src/platform/log.ts'
import { createMetrics } from '../../server/src/platform/metrics.ts'
import { measureCall } from '../../server/src/rails/connections/measured-call.ts'
import {
  aboutAirtel,
  airtelCollection,
  airtelDisbursement,
  airtelSecrets,
  keyOf,
  startAirtel,
  statusOf,
} from './testing.ts'

const rail = await startAirtel()
let airtel: ReturnType<typeof rail.connect>
after(() => rail.close())
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
const publicText = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
beforeEach(() => {
  rail.keys = 0
  rail.onKey = (_request, response) => response.end(keyOf('31-12-2999 21:29:26', publicText))
  airtel = rail.connect()
})

const paid = (id: string, status = 'TS', code = 'DP00900001001') => ({
  data: { transaction: { reference_id: 'r', airtel_money_id: 'disb-1', id, status } },
  status: statusOf(code),
})
const opened = (text: unknown, padding = constants.RSA_PKCS1_PADDING) =>
  privateDecrypt({ key: privateKey, padding }, Buffer.from(String(text), 'base64')).toString()

describe('a disbursement', () => {
  test('contains everything that Airtel needs, with the PIN readable only by Airtel', async () => {
    const order = airtelDisbursement()
    const seeing = rail.seen(200, paid(order.reference))
    assert.deepEqual(await airtel.disburse(order), { outcome: 'accepted' })
    const { method, url, text } = await seeing
    assert.deepEqual([method, url], ['POST', '/standard/v1/disbursements/'])
    assert.doesNotMatch(text, new RegExp(airtelSecrets.pin))
    const { pin, ...body } = JSON.parse(text)
    assert.equal(opened(pin), airtelSecrets.pin)
    assert.deepEqual(body, {
      payee: { currency: 'UGX', msisdn: '752604392' },
      reference: order.reference.replaceAll('-', ''),
      transaction: { amount: 1000, id: order.reference, type: 'B2C' },
    })
  })

  test('uses the PIN padding and API version of the connection', async () => {
    const congo = rail.connect({ pinPadding: 'oaep', disbursementVersion: 3 })
    const seeing = rail.seen(200, {})
    await congo.disburse(airtelDisbursement())
    const { url, text } = await seeing
    assert.equal(url, '/standard/v3/disbursements/')
    assert.equal(opened(JSON.parse(text).pin, constants.RSA_PKCS1_OAEP_PADDING), airtelSecrets.pin)
  })

  test('is not offered without a PIN', async () => {
    const collecting = rail.connect({ pin: undefined as never })
    assert.deepEqual([collecting.disburse, collecting.queryDisbursement], [undefined, undefined])
  })

  test('to a foreign number is refused before it is sent', async () => {
    rail.on = () => assert.fail('it was sent')
    const result = await airtel.disburse(airtelDisbursement({ payeeAccount: '+254752604392' }))
    assert.equal(result.outcome, 'refused')
  })

  test('that Airtel already has is accepted', async () => {
    rail.answer(200, { status: statusOf('DP00900001017', { success: false }) })
    assert.deepEqual(await airtel.disburse(airtelDisbursement()), { outcome: 'accepted' })
  })

  for (const [code, ours] of [
    ['DP00900001003', 'provider_account_quota_exhausted'],
    ['DP00900001004', 'rejected'],
    ['DP00900001007', 'fund_insufficient'],
    ['DP00900001009', 'provider_account_missing'],
    ['DP00900001010', 'rejected'],
    ['DP00900001012', 'provider_account_missing'],
    ['DP00900001013', 'authorization_failed'],
    ['DP00900001016', 'rejected'],
  ] as const)
    test(`turned down with ${code} is refused as ${ours}, and so is one that failed with it`, async () => {
      rail.answer(400, { status: { response_code: code } })
      const order = airtelDisbursement()
      const result = await airtel.disburse(order)
      assert(result.outcome === 'refused')
      assert.equal(result.code, ours)
      rail.answer(200, paid(order.reference, 'TF', code))
      const later = await airtel.queryDisbursement(aboutAirtel(order.reference))
      assert.deepEqual([later.outcome, 'code' in later && later.code], ['refused', ours])
    })

  for (const code of ['1000', '1005', '1006', '1011', '1014', '9999'])
    test(`answered with DP0090000${code} has an unknown outcome`, async () => {
      rail.answer(200, { status: statusOf(`DP0090000${code}`, { success: false }) })
      assert.equal((await airtel.disburse(airtelDisbursement())).outcome, 'unknown')
    })

  test('that failed immediately without a reason is queried', async () => {
    const order = airtelDisbursement()
    rail.answer(200, paid(order.reference, 'TF', 'DP00900001005'))
    assert.equal((await airtel.disburse(order)).outcome, 'unknown')
  })
})

describe('an enquiry about a disbursement', () => {
  const id = '3f0c4a2e-9f0b-4b5e-8f5b-0a1b2c3d4e5f'

  test('uses our id and, in the newer version, the transaction type', async () => {
    for (const [changes, url] of [
      [{}, `/standard/v1/disbursements/${id}`],
      [{ signsMessages: true }, `/standard/v2/disbursements/${id}?transactionType=B2C`],
    ] as const) {
      const seeing = rail.seen(200, paid(id))
      const result = await rail.connect(changes).queryDisbursement(aboutAirtel(id))
      assert.deepEqual(result, {
        outcome: 'done',
        amount: undefined,
        currency: undefined,
        isAmountUnstated: true,
        railTransaction: 'disb-1',
      })
      assert.equal((await seeing).url, url)
    }
  })

  for (const [status, code, outcome] of [
    ['TF', 'DP00900001005', 'refused unknown'],
    ['TF', 'DP00900001000', 'pending'],
    ['TF', 'DP00900001014', 'pending'],
    ['TIP', 'DP00900001006', 'pending'],
    ['TE', 'DP00900001005', 'refused authorization_failed'],
    ['TS', 'DP00900001007', 'unknown'],
  ] as const)
    test(`reads ${status} with ${code} as ${outcome}`, async () => {
      rail.answer(200, paid(id, status, code))
      const result = await airtel.queryDisbursement(aboutAirtel(id))
      assert.equal([result.outcome, ...('code' in result ? [result.code] : [])].join(' '), outcome)
    })

  test('reports missing only for Airtel’s own codes', async () => {
    for (const code of ['DP00900001015', 'ESB000045']) {
      rail.answer(200, { status: { response_code: code } })
      assert.deepEqual(await airtel.queryDisbursement(aboutAirtel(id)), { outcome: 'missing' })
    }
  })
})

describe('a PIN', () => {
  for (const code of ['ROUTER114', 'ROUTER115', 'ROUTER116'])
    test(`rejected with ${code} is not sent again, and the operator is told`, async () => {
      let sent = 0
      rail.on = (_request, response) => {
        sent++
        response.writeHead(400).end(JSON.stringify({ status_code: code }))
      }
      const results = await Promise.all([1, 2, 3].map(() => airtel.disburse(airtelDisbursement())))
      const codes = results.map((result) => 'code' in result && result.code)
      assert.deepEqual([sent, codes], [1, ['rejected', 'rejected', 'rejected']])
      const [first, second] = results
      assert(first?.outcome === 'refused' && second?.outcome === 'refused')
      assert.deepEqual(
        [/several wrong attempts lock it/.test(first.alert ?? ''), second.alert],
        [true, undefined],
      )
      assert.doesNotMatch(JSON.stringify(results), new RegExp(airtelSecrets.pin))
    })

  test('that is rejected causes a log warning that does not contain it', async () => {
    rail.answer(400, { status_code: 'ROUTER115', status_message: airtelSecrets.pin })
    const warnings: object[] = []
    const log = { ...createLog('silent'), warn: (...warning: object[]) => warnings.push(warning) }
    const parts = { metrics: createMetrics(), log: log as never }
    await measureCall(parts, 'airtel-ug', 'disburse', () => airtel.disburse(airtelDisbursement()))
    assert.match(JSON.stringify(warnings), /the PIN for disbursements was rejected.*operator action required/)
    assert.doesNotMatch(JSON.stringify(warnings), new RegExp(airtelSecrets.pin))
  })

  test('that was accepted once is sent concurrently', async () => {
    const waiting: (() => void)[] = []
    let atOnce = 1
    rail.on = ({ text }, response) => {
      waiting.push(() => response.end(JSON.stringify(paid(JSON.parse(text).transaction.id))))
      if (waiting.length === atOnce) for (const answer of waiting.splice(0)) answer()
    }
    await airtel.disburse(airtelDisbursement())
    atOnce = 3
    const results = await Promise.all([1, 2, 3].map(() => airtel.disburse(airtelDisbursement())))
    assert.deepEqual(results, Array(3).fill({ outcome: 'accepted' }))
  })
})

describe('a signed message', () => {
  const signing = () => rail.connect({ signsMessages: true })
  const bodyOf = (headers: Record<string, unknown>) => {
    const [key = '', iv = ''] = opened(headers['x-key']).split(':')
    const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'))
    const signature = Buffer.from(String(headers['x-signature']), 'base64')
    return Buffer.concat([decipher.update(signature), decipher.final()]).toString()
  }

  test('decrypts with the private key to exactly the bytes sent', async () => {
    const order = airtelCollection()
    const seeing = rail.seen(200, {})
    await signing().collect(order)
    const { url, headers, text } = await seeing
    assert.equal(url, '/merchant/v2/payments/')
    assert.equal(bodyOf(headers), text)
    const paying = rail.seen(200, {})
    await signing().disburse(airtelDisbursement())
    const paidOut = await paying
    assert.equal(paidOut.url, '/standard/v2/disbursements/')
    assert.equal(bodyOf(paidOut.headers), paidOut.text)
  })

  test('has a new key and initialization vector each time', async () => {
    const connector = signing()
    const keys: string[] = []
    rail.on = ({ headers }, response) => {
      keys.push(opened(headers['x-key']))
      response.end('{}')
    }
    for (const _ of [1, 2]) await connector.collect(airtelCollection())
    assert.equal(new Set(keys.flatMap((key) => key.split(':'))).size, 4)
  })

  test('uses Airtel’s key until it expires in the easternmost of Airtel’s time zones', async () => {
    const inHours = (hours: number) => {
      const [date = '', time = ''] = new Date(Date.now() + hours * 3_600_000)
        .toISOString()
        .slice(0, 19)
        .split('T')
      return `${date.split('-').toReversed().join('-')} ${time}`
    }
    rail.answer(200, {})
    for (const [until, requests] of [
      [inHours(5), 1],
      [inHours(3), 2],
      ['soon', 2],
    ] as const) {
      rail.keys = 0
      rail.onKey = (_request, response) => response.end(keyOf(until, publicText))
      const connector = signing()
      for (const _ of [1, 2]) await connector.collect(airtelCollection())
      assert.equal(rail.keys, requests, until)
    }
  })

  test('with a mismatching key is sent again with a new key, because nothing was started', async () => {
    const order = airtelCollection()
    let sent = 0
    rail.on = (_request, response) => {
      const done = { data: { transaction: { id: order.reference, status: 'SUCCESS' } } }
      const refused = { status: statusOf('DP00800001026') }
      response.writeHead(++sent === 1 ? 400 : 200).end(JSON.stringify(sent === 1 ? refused : done))
    }
    assert.deepEqual(await signing().collect(order), { outcome: 'accepted' })
    assert.deepEqual([sent, rail.keys], [2, 2])
  })

  const small = generateKeyPairSync('rsa', { modulusLength: 512 }).publicKey
  for (const [what, key] of [
    ['garbage', 'MIGf'],
    ['too short', small.export({ format: 'der', type: 'spki' }).toString('base64')],
    [
      'of another kind',
      generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    ],
  ])
    test(`is not sent if the key is ${what}`, async () => {
      rail.onKey = (_request, response) => response.end(keyOf('31-12-2999 21:29:26', key))
      rail.on = () => assert.fail('it was sent')
      const result = await signing().collect(airtelCollection())
      assert(result.outcome === 'unknown')
      assert.match(result.why, /^not sent/)
    })
})
