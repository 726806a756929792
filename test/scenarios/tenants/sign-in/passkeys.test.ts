import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { openBrowser } from '../../../support/browser.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import {
  type AssertedCredential,
  type Authenticator,
  namedSettings,
  openAuthenticator,
} from './authenticator.ts'
import { cookieOf, peopleOf } from './people.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ settings: { ...(await namedSettings()), SMTP_URL: mailbox.url } })
const browser = await openBrowser()
after(async () => {
  await browser.close()
  await t.close()
  await mailbox.close()
})
const { db, baseUrl } = t.app.parts
const { send, signedIn, emailOf } = peopleOf(t)
const longAgo = () => new Date(Date.now() - 3_600_000)

let own: Authenticator
let userId: string
before(async () => {
  own = await openAuthenticator(browser, baseUrl)
  userId = (await t.merchant()).userId
  await register(own, userId)
})

type Person = Awaited<ReturnType<typeof signedIn>>

async function register(authenticator: Authenticator, ofUser: string, name = 'My phone') {
  const { call } = await signedIn(ofUser)
  const credential = await authenticator.make((await call('POST', '/v1/passkeys/begin')).result.options)
  return { credential, answer: await call('POST', '/v1/passkeys', { name, credential }) }
}

/** Returns the options that the browser signs, and its cookie. */
async function beginSignIn() {
  const { result, cookies } = await send('POST', '/v1/sign-in/passkey/begin', {}, {})
  return { options: result.options, cookie: cookieOf(cookies, 'pesewa-challenge') }
}
const signIn = (credential: AssertedCredential, cookie: string) =>
  send('POST', '/v1/sign-in/passkey', { credential }, { cookie })
const refused = [401, 'sign_in_failed']
const statusOf = ({ status, reason }: { status: number; reason: string | undefined }) => [status, reason]

describe('a passkey', () => {
  test('signs its user in without a user name', async () => {
    const { options, cookie } = await beginSignIn()
    const { status, cookies } = await signIn(await own.sign(options), cookie)
    assert.equal(status, 200)
    const session = cookieOf(cookies, 'pesewa')
    const { result } = await send('GET', '/v1/sessions', undefined, { cookie: session })
    assert.equal(result.sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).method, 'passkey')
    const { passkeys } = (await send('GET', '/v1/passkeys', undefined, { cookie: session })).result
    assert.deepEqual([passkeys.length, passkeys[0].name], [1, 'My phone'])
    assert.ok(passkeys[0].lastUseTime)
    const [last] = (await send('GET', '/v1/sign-ins', undefined, { cookie: session })).result.signIns
    assert.deepEqual([last.method, last.result], ['passkey', 'succeeded'])
  })

  test('is refused if its challenge was used, expired, never issued, or issued to another browser', async () => {
    const first = await beginSignIn()
    const used = await own.sign(first.options)
    assert.equal((await signIn(used, first.cookie)).status, 200)
    assert.deepEqual(statusOf(await signIn(used, first.cookie)), refused)
    const second = await beginSignIn()
    assert.deepEqual(statusOf(await signIn(used, second.cookie)), refused, 'an earlier response')
    const third = await own.sign(second.options)
    assert.deepEqual(statusOf(await signIn(third, second.cookie)), refused, 'after a failed attempt')

    const [one, two] = [await beginSignIn(), await beginSignIn()]
    const signed = await own.sign(one.options)
    for (const cookie of [two.cookie, '', 'pesewa-challenge=x', 'pesewa-challenge='])
      assert.deepEqual(statusOf(await signIn(signed, cookie)), refused, cookie)
    assert.equal((await signIn(signed, one.cookie)).status, 200, 'the control')

    const late = await beginSignIn()
    const lateSigned = await own.sign(late.options)
    await db.transaction((tx) =>
      tx.run(sql`update sign_in_challenges set expires_at = now() - interval '1 ms'`),
    )
    assert.deepEqual(statusOf(await signIn(lateSigned, late.cookie)), refused)

    const unasked = await beginSignIn()
    const other = await own.sign({ ...unasked.options, challenge: Buffer.alloc(32).toString('base64url') })
    assert.deepEqual(statusOf(await signIn(other, unasked.cookie)), refused)
  })

  test('is refused if used on a page of another origin', async () => {
    const node = await startTestApp({ anotherNodeOf: t })
    const { page } = own
    await page.goto(`http://localhost:${new URL(node.baseUrl).port}/console/sign-in`)
    const { options, cookie } = await beginSignIn()
    const elsewhere = await own.sign(options)
    assert.deepEqual(statusOf(await signIn(elsewhere, cookie)), refused)
    await page.goto(`${baseUrl}/console/sign-in`)
    const again = await beginSignIn()
    assert.equal((await signIn(await own.sign(again.options), again.cookie)).status, 200, 'the control')
    await node.close()
  })

  test('is refused if its counter has not increased, as with a copied passkey', async () => {
    await db.transaction((tx) =>
      tx.run(sql`update passkeys set counter = counter + 100 where user_id = ${userId}`),
    )
    const { options, cookie } = await beginSignIn()
    assert.deepEqual(statusOf(await signIn(await own.sign(options), cookie)), refused)
    await db.transaction((tx) => tx.run(sql`update passkeys set counter = 0 where user_id = ${userId}`))
    const again = await beginSignIn()
    assert.equal((await signIn(await own.sign(again.options), again.cookie)).status, 200)
  })

  test('with a wrong signature, data or user handle is refused, and its user sees the attempt', async () => {
    const altered = async (change: (signed: AssertedCredential) => Partial<AssertedCredential>) => {
      const { options, cookie } = await beginSignIn()
      const signed = await own.sign(options)
      return statusOf(await signIn({ ...signed, ...change(signed) }, cookie))
    }
    const stranger = (await t.merchant()).userId
    assert.deepEqual(await altered(({ signature }) => ({ signature: signature.slice(0, -8) })), refused)
    assert.deepEqual(
      await altered(({ authenticatorData }) => ({ authenticatorData: `${authenticatorData}AAAA` })),
      refused,
    )
    assert.deepEqual(
      await altered(() => ({ clientDataJSON: Buffer.from('{}').toString('base64url') })),
      refused,
    )
    assert.deepEqual(
      await altered(() => ({ userHandle: Buffer.from(stranger).toString('base64url') })),
      refused,
    )
    assert.deepEqual(await altered(() => ({ id: 'AAAA' })), refused)
    const { call } = await signedIn(userId)
    const [last] = (await call('GET', '/v1/sign-ins')).result.signIns
    assert.deepEqual([last.method, last.result, last.isStepUp], ['passkey', 'failed', false])
  })
})

describe('registering', () => {
  test('needs a fresh session', async () => {
    const stale = await signedIn(userId, longAgo())
    for (const path of ['/v1/passkeys/begin', '/v1/passkeys/remove', '/v1/passkeys']) {
      const credential = { id: 'A', clientDataJSON: 'A', attestationObject: 'A', transports: [] }
      const body = { '/v1/passkeys/begin': {}, '/v1/passkeys': { name: 'x', credential } }[path] ?? {
        id: 'x',
      }
      assert.deepEqual(statusOf(await stale.call('POST', path, body)), [403, 'step_up_required'], path)
      const { token } = await t.merchant()
      const asToken = await send('POST', path, body, { authorization: `Bearer ${token}` })
      assert.deepEqual(statusOf(asToken), [403, 'access_denied'], path)
    }
  })

  test('works once, with options issued to this session', async () => {
    const authenticator = await openAuthenticator(browser, baseUrl)
    const { userId: person } = await t.merchant()
    const [one, two] = [await signedIn(person), await signedIn(person)]
    const begin = async ({ call }: Person) => (await call('POST', '/v1/passkeys/begin')).result.options
    const put = async ({ call }: Person, credential: unknown) =>
      statusOf(await call('POST', '/v1/passkeys', { name: 'x', credential }))
    const credential = await authenticator.make(await begin(one))
    assert.deepEqual(await put(two, credential), refused, 'another session')
    assert.deepEqual(await put(one, credential), [200, undefined])
    assert.deepEqual(await put(one, credential), refused, 'again')
    await begin(one)
    assert.deepEqual(await put(one, credential), refused, 'with another challenge')
    const forged = { ...credential, attestationObject: credential.attestationObject.slice(0, -4) }
    await begin(one)
    assert.deepEqual(await put(one, forged), refused)
    await authenticator.context.close()
  })

  test('hostile bodies are refused and never cause an error', async () => {
    const { call } = await signedIn(userId)
    const cbor = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
    const parts = [
      '',
      'A',
      '====',
      'x'.repeat(3_000),
      'x'.repeat(3_001),
      null,
      7,
      {},
      cbor('a0'),
      cbor('bf'),
      cbor('9bffffffffffffffff'),
    ]
    for (const hostile of parts) {
      await call('POST', '/v1/passkeys/begin')
      const made = { id: 'AAAA', clientDataJSON: 'AAAA', attestationObject: hostile, transports: [] }
      const { status } = await call('POST', '/v1/passkeys', { name: 'x', credential: made })
      assert.ok([400, 401].includes(status), `${hostile}: ${status}`)
      const { cookie } = await beginSignIn()
      const signed = { id: hostile, clientDataJSON: hostile, authenticatorData: hostile, signature: hostile }
      const answer = await send('POST', '/v1/sign-in/passkey', { credential: signed }, { cookie })
      assert.ok([400, 401].includes(answer.status), `${hostile}: ${answer.status}`)
    }
  })

  test('a passkey can be renamed and removed only by its own user, and then no longer signs in', async () => {
    const authenticator = await openAuthenticator(browser, baseUrl)
    const { userId: person } = await t.merchant()
    const { answer } = await register(authenticator, person)
    const { id } = answer.result
    const stranger = await signedIn(userId)
    const { call } = await signedIn(person)
    for (const [path, body] of [
      ['/v1/passkeys/rename', { id, name: 'Stolen' }],
      ['/v1/passkeys/remove', { id }],
    ] as const)
      assert.equal((await stranger.call('POST', path, body)).status, 404)
    assert.equal((await call('POST', '/v1/passkeys/rename', { id, name: 'Old phone' })).status, 200)
    assert.equal((await call('GET', '/v1/passkeys')).result.passkeys[0].name, 'Old phone')
    assert.equal((await call('POST', '/v1/passkeys/remove', { id })).status, 200)
    const email = await emailOf(person)
    for (const words of ['A passkey was added', 'A passkey was removed'])
      await until(async () =>
        mailbox.received.some(({ to, data }) => to.includes(email) && data.includes(words)),
      )
    const { options, cookie } = await beginSignIn()
    assert.deepEqual(statusOf(await signIn(await authenticator.sign(options), cookie)), refused)
    await authenticator.context.close()
  })
})

describe('stepping up', () => {
  const begin = async ({ call }: Person) => (await call('POST', '/v1/step-up/passkey/begin')).result.options
  const stepUp = async ({ call }: Person, credential: AssertedCredential) =>
    statusOf(await call('POST', '/v1/step-up/passkey', { credential }))

  test('makes an hour-old sign-in fresh again, immediately and on every node', async () => {
    const person = await signedIn(userId, longAgo())
    const node = await startTestApp({ anotherNodeOf: t })
    const there = async () =>
      (
        await fetch(`${node.baseUrl}/v1/passkeys/begin`, {
          method: 'POST',
          headers: { cookie: person.cookie, origin: node.baseUrl, 'content-type': 'application/json' },
          body: '{}',
        })
      ).status
    assert.deepEqual([await there(), (await person.call('POST', '/v1/passkeys/begin')).status], [403, 403])
    assert.deepEqual(await stepUp(person, await own.sign(await begin(person))), [200, undefined])
    // The node's own address is an IP address, with which passkeys do not work, so this refusal shows that the
    // freshness check has passed.
    assert.deepEqual([(await person.call('POST', '/v1/passkeys/begin')).status, await there()], [200, 409])
    await node.close()
  })

  test('is refused with another user’s passkey, or with a challenge of another session or a sign-in', async () => {
    const stranger = await openAuthenticator(browser, baseUrl)
    const { userId: other } = await t.merchant()
    await register(stranger, other)
    const [one, two] = [await signedIn(userId, longAgo()), await signedIn(userId, longAgo())]
    const foreign = { ...(await begin(one)), allowCredentials: [] }
    assert.deepEqual(await stepUp(one, await stranger.sign(foreign)), refused)
    assert.deepEqual(await stepUp(two, await own.sign(await begin(one))), refused)
    assert.deepEqual(await stepUp(one, await own.sign((await beginSignIn()).options)), refused)
    const { options, cookie } = { options: await begin(one), cookie: (await beginSignIn()).cookie }
    assert.deepEqual(statusOf(await signIn(await own.sign(options), cookie)), refused)
    for (const { call } of [one, two]) assert.equal((await call('POST', '/v1/passkeys/begin')).status, 403)
    await stranger.context.close()
  })

  test('409 for a user without a passkey', async () => {
    const { call } = await signedIn((await t.merchant()).userId)
    assert.equal((await call('POST', '/v1/step-up/passkey/begin')).status, 409)
  })
})
