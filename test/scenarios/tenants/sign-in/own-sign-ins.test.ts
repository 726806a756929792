import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { outsideSpaces } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { recordAttempt } from '../../../../packages/server/src/tenants/sign-in/attempt-store.ts'
import { signInJobs } from '../../../../packages/server/src/tenants/sign-in/jobs.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { cookieOf, peopleOf } from './people.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ settings: { SMTP_URL: mailbox.url, TRUSTED_PROXIES: '127.0.0.1' } })
const { db, home } = t.app.parts
const { send, signedIn, linkSecret, emailOf } = peopleOf(t)
after(async () => {
  await t.close()
  await mailbox.close()
})
let person: Merchant
before(async () => {
  person = await t.merchant()
})

const ask = (email: string, address: string, cookie = '') =>
  send('POST', '/v1/sign-in/link', { email }, { 'x-forwarded-for': address, cookie })
const redeem = (secret: string) => send('POST', '/v1/sign-in/link/redeem', { secret }, {})
const mailsTo = (email: string) => mailbox.received.filter(({ to }) => to.includes(email)).length
const noJobs = () =>
  until(
    async () =>
      (await db.query(sql`select 1 from jobs where job in ('sign-in.make-link', 'sign-in.send-link')`))
        .length === 0,
  )

describe('an attacker who requests links for another user', () => {
  test('causes at most three mails from one address and ten in total, and never blocks that user’s own browser', async () => {
    const email = await emailOf(person.userId)
    const { cookies } = await redeem(await linkSecret(person.userId))
    const own = cookieOf(cookies, 'pesewa-browser')
    assert.ok(own)
    for (let i = 0; i < 5; i++) await ask(email, '198.51.100.1')
    await noJobs()
    assert.equal(mailsTo(email), 3)
    for (let i = 2; i < 20; i++) await ask(email, `198.51.100.${i}`)
    await noJobs()
    assert.equal(mailsTo(email), 10)
    await ask(email, '198.51.100.1', own)
    await noJobs()
    assert.equal(mailsTo(email), 11)
    for (let i = 0; i < 9; i++) await ask(email, `198.51.100.${100 + i}`, own)
    await noJobs()
    assert.equal(mailsTo(email), 15)
  })

  test('does not become a known browser with another user’s cookie or a forged one', async () => {
    const other = await t.merchant()
    const email = await emailOf(other.userId)
    const { cookies } = await redeem(await linkSecret(person.userId))
    for (let i = 0; i < 3; i++) await ask(email, '198.51.100.200')
    const foreign = cookieOf(cookies, 'pesewa-browser')
    const made = `pesewa-browser=${Buffer.from(other.userId).toString('base64url')}.${'x'.repeat(22)}`
    for (const cookie of [foreign, made, 'pesewa-browser=', `pesewa-browser=${other.userId}`])
      assert.equal((await ask(email, '198.51.100.200', cookie)).status, 200)
    await noJobs()
    assert.equal(mailsTo(email), 3)
  })
})

describe('GET /v1/sign-ins', () => {
  test('lists successful and failed attempts, newest first, only to that user', async () => {
    const { userId } = await t.merchant()
    const { call } = await signedIn(userId)
    const secret = await linkSecret(userId)
    await redeem(secret)
    assert.equal((await redeem(secret)).status, 401)
    assert.equal((await redeem(await linkSecret(userId, -1))).status, 401)
    const { signIns } = (await call('GET', '/v1/sign-ins')).result
    assert.deepEqual(
      signIns.map(({ method, result, isStepUp }: Record<string, unknown>) => [method, result, isStepUp]),
      [
        ['link', 'failed', false],
        ['link', 'failed', false],
        ['link', 'succeeded', false],
      ],
    )
    const other = await signedIn((await t.merchant()).userId)
    assert.deepEqual((await other.call('GET', '/v1/sign-ins')).result, { signIns: [] })
  })

  test('keeps five hundred per user, for ninety days', async () => {
    const { userId } = await t.merchant()
    const attempt = { userId, method: 'link', isStepUp: false, result: 'failed' } as const
    const from = { address: '192.0.2.1', agent: 'x'.repeat(9_000) }
    const record = () => home.transaction((tx) => recordAttempt(tx, attempt, from))
    await record()
    await db.transaction((tx) =>
      tx.run(sql`
        insert into sign_in_attempts (id, user_id, method, is_step_up, result, address, agent, at)
        select gen_random_uuid(), user_id, method, is_step_up, result, address, agent, at
        from sign_in_attempts, generate_series(1, 700) where user_id = ${userId}`),
    )
    await record()
    const count = async () =>
      (
        await db.only<{ n: number }>(
          sql`select count(*)::int as n from sign_in_attempts where user_id = ${userId}`,
        )
      ).n
    assert.equal(await count(), 500)
    await db.transaction((tx) =>
      tx.run(sql`
        update sign_in_attempts set at = now() - interval '91 days' where id in (
          select id from sign_in_attempts where user_id = ${userId} limit 7)`),
    )
    await signInJobs(t.app.parts)['sign-in.forget']?.(outsideSpaces)
    assert.equal(await count(), 493)
  })
})

describe('signing out', () => {
  test('ends the session and clears the cookie', async () => {
    const { call } = await signedIn(person.userId)
    const { status, cookies } = await call('POST', '/v1/sign-out')
    assert.deepEqual([status, cookies], [200, ['pesewa=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']])
    await until(async () => (await call('GET', '/v1/me')).status === 401)
  })

  test('of all other sessions keeps the current session, and other users’ sessions', async () => {
    const { userId } = await t.merchant()
    const [one, two, own] = [await signedIn(userId), await signedIn(userId), await signedIn(userId)]
    const neighbour = await signedIn(person.userId)
    assert.deepEqual((await own.call('POST', '/v1/sessions/end-others')).result, { endedCount: 2 })
    for (const other of [one, two])
      await until(async () => (await other.call('GET', '/v1/me')).status === 401)
    for (const { call } of [own, neighbour]) assert.equal((await call('GET', '/v1/me')).status, 200)
  })

  test('403 for a token, 403 from another origin, 401 without a session', async () => {
    const { cookie } = await signedIn(person.userId)
    for (const path of ['/v1/sign-out', '/v1/sessions/end-others']) {
      const asToken = await send('POST', path, {}, { authorization: `Bearer ${person.token}` })
      assert.deepEqual([asToken.status, asToken.reason], [403, 'access_denied'])
      assert.equal((await send('POST', path, {}, { cookie, origin: 'https://evil.example' })).status, 403)
      assert.equal((await send('POST', path, {}, {})).status, 401)
      assert.equal((await send('POST', path, { more: 1 }, { cookie })).status, 400)
    }
  })
})
