import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { storedText } from '../../../../packages/server/src/platform/db/encryption.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { maxSeptets, septetsOf } from '../../../../packages/server/src/platform/gsm7.ts'
import { installationScope } from '../../../../packages/server/src/tenants/spaces/chained-changes.ts'
import { testGatewaySecret } from '../../../../packages/server/src/ways-to-pay/ussd/test-gateway.ts'
import { createHandset, postStep } from '../../../support/handset.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { addJob } from '../../../support/jobs.ts'

const liveSecret = 'an aggregator-secret-of-the-operator'
const t = await startTestApp({ settings: { USSD_SECRET: liveSecret } })
const known = await startTestApp({
  anotherNodeOf: t,
  work: false,
  settings: { USSD_NETWORKS: '127.0.0.0/8' },
})
after(async () => {
  await known.close()
  await t.close()
})

const merchant = await t.merchant({ name: 'Salone Fabrics' })
const newCode = async (more: object = {}) => {
  const body = { name: 'Country cloth', amount: { currency: 'SLE', value: 15_000 }, ...more }
  return (await merchant.call('POST', '/v1/payment-codes', body)).body.result
}
const step = {
  sessionId: 'ATUid_1',
  serviceCode: '*715#',
  phoneNumber: '+23276123456',
  networkCode: '61901',
  text: '',
}

const testPath = `/ussd/africastalking/${testGatewaySecret(t.app.parts.seals)}`

const post = (path: string, body: RequestInit['body'], headers: Record<string, string> = {}) =>
  fetch(`${t.baseUrl}${path}`, { method: 'POST', body: body!, headers })

describe('POST /ussd/africastalking/{secret}, as sent by Africa’s Talking', () => {
  // Recorded requests, with all fields in order; only the digits are replaced with those of the code.
  const recorded = (digits: string) => [
    `sessionId=ATUid_7d3a9b0c1e2f4a5b6c7d8e9f0a1b2c3d&serviceCode=%2A715%23&phoneNumber=%2B23276123456&networkCode=61901&text=`,
    `phoneNumber=%2B23276123456&serviceCode=%2A715%23&text=${digits}&sessionId=ATUid_7d3a9b0c1e2f4a5b6c7d8e9f0a1b2c3d&networkCode=61901`,
    `sessionId=ATUid_7d3a9b0c1e2f4a5b6c7d8e9f0a1b2c3d&phoneNumber=%2B23276123456&networkCode=61901&serviceCode=%2A715%23&text=${digits}%2A2`,
  ]
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'user-agent': 'at-ussd-api/1.0',
  }

  test('200 to each step of a session, byte for byte', async () => {
    const { ussdCode } = await newCode()
    const answers: string[] = []
    for (const body of recorded(ussdCode.slice(5, 15))) {
      const answer = await post(testPath, body, headers)
      assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
      answers.push(await answer.text())
    }
    assert.deepEqual(answers, [
      'CON Enter the code you were given:',
      'CON Country cloth\nTo: Salone Fabrics\nAmount: Le 150.00\n1 Pay\n2 Cancel\n3 Francais  4 Krio',
      'END Cancelled. You have paid nothing.',
    ])
  })

  test('200 for digits dialled with the short code: in the service code, as the first input, or both', async () => {
    const { ussdCode } = await newCode()
    const digits = ussdCode.slice(5, 15)
    const ways = [
      { serviceCode: ussdCode, text: '' },
      { serviceCode: '*715#', text: digits },
      { serviceCode: ussdCode, text: digits },
      { serviceCode: '*384*715#', text: digits },
    ]
    for (const [i, way] of ways.entries()) {
      const shown = await postStep(t, { ...step, sessionId: `ATUid_way${i}`, ...way })
      assert.match(shown.text, /Amount: Le 150\.00/, JSON.stringify(way))
    }
  })

  test('200 to an end-of-session notification, which changes nothing', async () => {
    const notice = {
      date: '2026-11-21 10:00:00',
      sessionId: 'ATUid_1',
      serviceCode: '*715#',
      networkCode: '61901',
      phoneNumber: '+23276123456',
      status: 'Success',
      cost: 'SLE 0.10',
      durationInMillis: '8000',
      hopsCount: '2',
      input: '1',
      lastAppResponse: 'END Cancelled.',
      errorMessage: '',
    }
    const { status, text } = await postStep(t, notice)
    assert.deepEqual([status, text], [200, ''])
  })
})

describe('POST /ussd/africastalking and /ussd/africastalking/{secret}', () => {
  test('404 with a wrong secret, without a secret, and from an unknown address', async () => {
    for (const path of ['/ussd/africastalking', '/ussd/africastalking/guess', '/ussd/nobody/guess'])
      assert.equal((await post(path, new URLSearchParams(step))).status, 404, path)
  })

  test('200 in live with the operator’s secret, or from an allowed address: finds live codes, but no test codes', async () => {
    const live = await t.merchant({ environment: 'live' })
    const body = { authorizedPhoneNumber: '+23276123456', verificationMessage: 'Live it is.' }
    const otp = async () => (await live.call('POST', '/v1/ussd-otps', body)).body.result
    const { ussdCode } = await newCode()
    const bySecret = (serviceCode: string, sessionId: string) =>
      postStep(t, { ...step, sessionId, serviceCode }, liveSecret)
    assert.equal((await bySecret((await otp()).dialCode, 'ATUid_live1')).text, 'Live it is.')
    assert.match((await bySecret(ussdCode, 'ATUid_live2')).text, /not valid/)
    const answer = await fetch(`${known.baseUrl}/ussd/africastalking`, {
      method: 'POST',
      body: new URLSearchParams({ ...step, sessionId: 'ATUid_live3', serviceCode: (await otp()).dialCode }),
    })
    assert.equal(await answer.text(), 'END Live it is.')
  })

  test('200 in live: a code can only be paid through a connected provider', async () => {
    const live = await t.merchant({ environment: 'live' })
    const body = { name: 'Country cloth', amount: { currency: 'SLE', value: 15_000 } }
    const { ussdCode } = (await live.call('POST', '/v1/payment-codes', body)).body.result
    const shown = await postStep(t, { ...step, sessionId: 'ATUid_live4', serviceCode: ussdCode }, liveSecret)
    assert.match(shown.text, /cannot be paid from your network/)
  })
})

describe('POST /ussd/africastalking/{secret}, malformed', () => {
  const long = 'x'.repeat(501)
  const issues: Record<string, Record<string, string>> = {
    nothing: {},
    'no session': { ...step, sessionId: '' },
    'no phone': { ...step, phoneNumber: '' },
    'no number': { ...step, phoneNumber: "' or 1=1 --" },
    'an impossible number': { ...step, phoneNumber: '+999' },
    'a session id that is too long': { ...step, sessionId: long },
    'inputs that are too long': { ...step, text: long },
    'a NUL byte': { ...step, text: '1\0' },
  }
  for (const [name, form] of Object.entries(issues))
    test(`400 for ${name}`, async () => assert.equal((await postStep(t, form)).status, 400))

  test('400 for a repeated field, 415 for another type, 413 for too large a body, 405 for GET', async () => {
    const path = testPath
    assert.equal((await post(path, `${new URLSearchParams(step)}&text=1`, form)).status, 400)
    assert.equal((await post(path, JSON.stringify(step), { 'content-type': 'application/json' })).status, 415)
    assert.equal((await post(path, '<xml/>', { 'content-type': 'text/xml' })).status, 415)
    assert.equal((await post(path, `text=${'1'.repeat(300_000)}`, form)).status, 413)
    assert.equal((await fetch(t.baseUrl + path)).status, 405)
  })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  test('200 with at most 182 septets, whatever a phone enters', async () => {
    const { ussdCode } = await newCode({ amount: undefined, name: '漢字 €{}'.repeat(8) })
    const inputs = [
      '__proto__',
      'constructor',
      '1*1*1',
      '-1',
      '９',
      '💥',
      "'; drop table ussd_otps; --",
      '%00',
      ' ',
      '#',
      '1.5',
    ]
    for (const [i, input] of inputs.entries())
      for (const text of [input, `${ussdCode.slice(5, 15)}*${input}`]) {
        const shown = await postStep(t, { ...step, sessionId: `ATUid_odd${i}`, text })
        assert.equal(shown.status, 200)
        assert.ok(septetsOf(shown.text)! <= maxSeptets, shown.text)
      }
  })

  test('200 and the end of a session that has too many steps', async () => {
    const { ussdCode } = await newCode()
    const handset = createHandset(t, '+23276555555')
    let shown = await handset.dial(ussdCode)
    for (let i = 0; i < 40 && !shown.ends; i++) shown = await handset.enter('9')
    assert.match(shown.text, /This menu has ended/)
  })

  test('200 to another phone, which does not join the first one’s session', async () => {
    const { ussdCode } = await newCode({ authorizedPhoneNumber: '+23276777777' })
    const mine = { ...step, sessionId: 'ATUid_mine', serviceCode: ussdCode, phoneNumber: '+23276777777' }
    assert.match((await postStep(t, mine)).text, /Le 150\.00/)
    assert.match((await postStep(t, { ...mine, phoneNumber: '+23276888888', text: '1' })).text, /not valid/)
  })
})

test('POST /ussd/africastalking/{secret}: 200 in time even if the database hangs; a late step takes effect once', async () => {
  const { id, ussdCode } = await newCode()
  const handset = createHandset(t, '+23276999999')
  await handset.dial(ussdCode)
  const blocker = await t.app.parts.db.pool.connect()
  await blocker.query('begin')
  await blocker.query(`select 1 from payment_codes for update`)
  const shown = await handset.enter('1')
  assert.match(shown.text, /This is taking longer than usual/)
  await blocker.query('rollback')
  blocker.release()
  const look = async () => (await merchant.call('GET', `/v1/payment-codes/${id}`)).body.result.status
  await until(async () => (await look()) === 'completed')
  assert.match((await handset.repeat()).text, /ask for your PIN/)
})

test('USSD sessions are deleted after a day of wall-clock time', async () => {
  const { db } = t.app.parts
  const { pool } = db
  await createHandset(t, '+23276444444').dial()
  const isPhone = sql`phone_number = ${storedText(installationScope('test'), '+23276444444')}`
  const count = async () => (await db.query(sql`select 1 from ussd_sessions where ${isPhone}`)).length
  const forget = () => pool.query(addJob('ussd-sessions.forget'))
  await pool.query(`update ussd_sessions set created_at = now() - interval '23 hours 59 minutes'`)
  await createHandset(t, '+23276444444').dial()
  await db.query(
    sql`update ussd_sessions set created_at = now() - interval '24 hours 1 minute' where ctid =
      (select min(ctid) from ussd_sessions where ${isPhone})`,
  )
  await forget()
  await until(async () => (await count()) === 1)
})
