import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { must } from '@pesewa/values'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { outsideSpaces } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { signInJobs } from '../../../../packages/server/src/tenants/sign-in/jobs.ts'
import { createMailedCode } from '../../../../packages/server/src/tenants/sign-in/mailed-codes.ts'
import type { SignedInUser } from '../../../../packages/server/src/tenants/sign-in/own-route.ts'
import { stepAt, totpCode } from '../../../../packages/server/src/tenants/sign-in/totp.ts'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { peopleOf, secretIn, storedIn } from './people.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ settings: { SMTP_URL: mailbox.url } })
const { db, home } = t.app.parts
const { send, signedIn, emailOf } = peopleOf(t)
after(async () => {
  await t.close()
  await mailbox.close()
})

type Answer = { status: number; reason: string | undefined }
const statusOf = ({ status, reason }: Answer) => [status, reason]
const good = [200, undefined]
const failed = [401, 'sign_in_failed']
const conflict = [409, 'state_conflict']
const tooMany = [429, 'too_many_requests']
const stale = [403, 'step_up_required']

const longAgo = () => new Date(Date.now() - 3_600_000)
/** Signs a new user in, an hour ago. */
async function staleUser() {
  const { userId, spaceId, token } = await t.merchant()
  return { userId, spaceId, token, person: await signedIn(userId, longAgo()) }
}
type Person = Awaited<ReturnType<typeof staleUser>>['person']

/** Returns all codes mailed to a user, oldest first, once there are this many. */
async function codesOf(userId: string, count: number): Promise<string[]> {
  const email = await emailOf(userId)
  return until(async () => {
    const codes = mailbox.received
      .filter(({ to }) => to.includes(email))
      .map(({ data }) => /^(\d{3}) (\d{3}) is your code/m.exec(data)?.slice(1).join('') ?? '')
    return codes.length >= count && codes
  })
}
const begin = ({ call }: Person) => call('POST', '/v1/step-up/mail/begin')
const enter = ({ call }: Person, code: string) => call('POST', '/v1/step-up/mail', { code })
const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')
/** Does something that needs a fresh session. An app that is not confirmed has no effect. */
const attempt = ({ call }: Person) => call('POST', '/v1/totp/begin')

async function mailedCode(userId: string, person: Person): Promise<string> {
  assert.equal((await begin(person)).status, 200)
  return must((await codesOf(userId, 1)).at(-1), 'a mailed code')
}

describe('a code by email', () => {
  test('steps up the session that requested it, once, and is in the user’s list of sign-ins', async () => {
    const { userId, person } = await staleUser()
    assert.deepEqual(statusOf(await attempt(person)), stale)
    const { result } = await begin(person)
    const email = await emailOf(userId)
    assert.deepEqual([result.email, result.code], [email.replace(/^(.)[^@]*/, '$1…'), null])
    const lifeMs = Date.parse(result.expireTime) - Date.now()
    assert.ok(lifeMs > 500_000 && lifeMs <= 600_000, String(lifeMs))
    const [code = ''] = await codesOf(userId, 1)
    assert.deepEqual(statusOf(await enter(person, ` ${code.slice(0, 3)} ${code.slice(3)}`)), good)
    assert.deepEqual(statusOf(await attempt(person)), good)
    assert.deepEqual(statusOf(await enter(person, code)), conflict, 'it works once')
    const { signIns } = (await person.call('GET', '/v1/sign-ins')).result
    assert.deepEqual(
      signIns.map((each: Record<string, unknown>) => [each.method, each.isStepUp, each.result]),
      [
        ['mailed_code', true, 'locked'],
        ['mailed_code', true, 'succeeded'],
      ],
    )
  })

  test('works in no other session, not even one of the same user', async () => {
    const { userId, person } = await staleUser()
    const code = await mailedCode(userId, person)
    const other = await signedIn(userId, longAgo())
    assert.deepEqual(statusOf(await enter(other, code)), conflict)
    const stranger = (await staleUser()).person
    assert.deepEqual(statusOf(await enter(stranger, code)), conflict)
    assert.equal((await begin(other)).status, 200)
    if ((await codesOf(userId, 2))[1] !== code) assert.deepEqual(statusOf(await enter(other, code)), failed)
    assert.deepEqual(statusOf(await attempt(other)), stale)
    assert.deepEqual(statusOf(await enter(person, code)), good, 'the control')
  })

  test('is invalid after five wrong attempts, however concurrent, and a new one works', async () => {
    const { userId, person } = await staleUser()
    const code = await mailedCode(userId, person)
    const answers = await Promise.all(Array.from({ length: 8 }, () => enter(person, wrongFor(code))))
    const count = (status: number) => answers.filter((each) => each.status === status).length
    assert.deepEqual([count(401), count(409)], [5, 3])
    assert.deepEqual(statusOf(await enter(person, code)), conflict)
    assert.deepEqual(statusOf(await attempt(person)), stale)
    assert.equal((await begin(person)).status, 200)
    const [, second = ''] = await codesOf(userId, 2)
    assert.deepEqual(statusOf(await enter(person, second)), good)
  })

  test('of two concurrent uses, only one succeeds', async () => {
    const { userId, person } = await staleUser()
    const code = await mailedCode(userId, person)
    const answers = await Promise.all(Array.from({ length: 5 }, () => enter(person, code)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('expires after ten minutes, and is replaced by the next', async () => {
    const { userId, person } = await staleUser()
    const first = await mailedCode(userId, person)
    assert.equal((await begin(person)).status, 200)
    const second = must((await codesOf(userId, 2))[1], 'second code')
    if (first !== second) assert.deepEqual(statusOf(await enter(person, first)), failed)
    await db.transaction((tx) =>
      tx.run(sql`update mailed_codes set expires_at = now() - interval '1 ms' where user_id = ${userId}`),
    )
    assert.deepEqual(statusOf(await enter(person, second)), conflict)
    assert.deepEqual(statusOf(await attempt(person)), stale)
  })

  test('is mailed at most five times an hour for a session and ten times for a user', async () => {
    const { userId, person } = await staleUser()
    const statuses = async (of: Person, times: number) => {
      const answers = await Promise.all(Array.from({ length: times }, () => begin(of)))
      return answers.map(statusOf).sort()
    }
    const some = (count: number, answer: unknown[]) => Array.from({ length: count }, () => answer)
    assert.deepEqual(await statuses(person, 7), [...some(5, good), ...some(2, tooMany)])
    const others = [await signedIn(userId, longAgo()), await signedIn(userId, longAgo())]
    assert.deepEqual(await statuses(others[0]!, 5), some(5, good))
    assert.deepEqual(await statuses(others[1]!, 1), [tooMany])
    assert.equal((await begin((await staleUser()).person)).status, 200, 'another user')
    await db.transaction((tx) =>
      tx.run(sql`
        update mailed_codes set created_at = created_at - interval '1 hour' where user_id = ${userId}`),
    )
    assert.equal((await begin(person)).status, 200)
  })

  test('is refused to users with a passkey or an app, and to sessions by single sign-on, even if sent before', async () => {
    const { userId, person } = await staleUser()
    const code = await mailedCode(userId, person)
    const fresh = await signedIn(userId)
    const secret = secretIn((await fresh.call('POST', '/v1/totp/begin')).result.uri)
    assert.equal((await begin(person)).status, 200, 'an unconfirmed app does not count')
    await fresh.call('POST', '/v1/totp', { code: totpCode(secret, stepAt(new Date())) })
    assert.deepEqual(statusOf(await begin(person)), conflict)
    assert.deepEqual(statusOf(await enter(person, code)), conflict)
    assert.deepEqual(statusOf(await attempt(person)), stale)

    const keyed = await staleUser()
    await db.transaction((tx) =>
      tx.run(sql`
        insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, is_synced, created_at)
        values (${crypto.randomUUID()}, ${keyed.userId}, 'Phone', 'x', '\\x00', 0, '{}', false, now())`),
    )
    assert.deepEqual(statusOf(await begin(keyed.person)), conflict)

    const outside = await t.merchant()
    const session = { userId: outside.userId, method: 'oidc', address: '192.0.2.1', agent: '' } as const
    const cookie = `pesewa=${await home.transaction((tx) => beginSession(tx, session, longAgo()))}`
    assert.deepEqual(statusOf(await send('POST', '/v1/step-up/mail/begin', {}, { cookie })), conflict)
  })

  test('is in no table and no queued job, and is forgotten a month after it expired', async () => {
    const { userId, person } = await staleUser()
    const code = await mailedCode(userId, person)
    const stored = await storedIn(db)
    assert.ok(stored.includes(userId))
    assert.doesNotMatch(stored, new RegExp(`(?<![0-9a-f])${code}(?![0-9a-f])`))
    await db.transaction((tx) =>
      tx.run(sql`update mailed_codes set expires_at = now() - interval '31 days' where user_id = ${userId}`),
    )
    await signInJobs(t.app.parts)['sign-in.forget']?.(outsideSpaces)
    assert.deepEqual(statusOf(await enter(person, code)), conflict)
    assert.deepEqual(await db.query(sql`select id from mailed_codes where user_id = ${userId}`), [])
  })

  test('needs a session: no token, no other origin, no form, and a well-formed code', async () => {
    const { token, person } = await staleUser()
    for (const path of ['/v1/step-up/mail/begin', '/v1/step-up/mail']) {
      const body = path.endsWith('mail') ? { code: '123456' } : {}
      assert.deepEqual(statusOf(await send('POST', path, body, { authorization: `Bearer ${token}` })), [
        403,
        'access_denied',
      ])
      assert.equal((await send('POST', path, body, {})).status, 401)
      const { cookie } = person
      assert.equal((await send('POST', path, body, { cookie, origin: 'https://evil.example' })).status, 403)
      const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal((await send('POST', path, body, form)).status, 415)
      assert.equal((await person.call('POST', path, { ...body, more: 1 })).status, 400)
    }
    for (const code of [
      '',
      '12345',
      '1234567',
      'abcdef',
      '1'.repeat(41),
      '１２３４５６',
      null,
      7,
      {},
      ['123456'],
    ])
      assert.equal((await person.call('POST', '/v1/step-up/mail', { code })).status, 400, String(code))
    assert.deepEqual(statusOf(await enter(person, '123456')), conflict, 'nothing was requested')
  })
})

test('without a mail server, the code is in the response on the developer’s machine, and refused in production', async () => {
  const here = await startTestApp()
  const people = peopleOf(here)
  const person = await people.signedIn((await here.merchant()).userId, longAgo())
  const { code } = (await person.call('POST', '/v1/step-up/mail/begin')).result
  assert.match(code, /^\d{6}$/)
  assert.deepEqual(statusOf(await person.call('POST', '/v1/step-up/mail', { code })), good)
  const { home, settings } = here.app.parts
  const { userId } = await here.merchant()
  const inProduction = { ...settings, baseUrl: 'https://pay.example.com' }
  const caller = { userId, sessionId: crypto.randomUUID(), address: '192.0.2.1', agent: '' } as SignedInUser
  await assert.rejects(
    home.transaction((tx) => createMailedCode(tx, inProduction, caller)),
    { reason: 'state_conflict', message: /SMTP_URL/ },
  )
  await here.close()
})
