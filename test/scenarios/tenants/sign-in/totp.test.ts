import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { must } from '@pesewa/values'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { outsideSpaces } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { signInJobs } from '../../../../packages/server/src/tenants/sign-in/jobs.ts'
import { stepAt, totpCode } from '../../../../packages/server/src/tenants/sign-in/totp.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { cookieOf, peopleOf, secretIn, storedIn } from './people.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ settings: { SMTP_URL: mailbox.url } })
const { db, baseUrl } = t.app.parts
const { send, signedIn, linkSecret, emailOf } = peopleOf(t)
after(async () => {
  await t.close()
  await mailbox.close()
})

const longAgo = () => new Date(Date.now() - 3_600_000)
type Answer = { status: number; reason: string | undefined }
const statusOf = ({ status, reason }: Answer) => [status, reason]
const good = [200, undefined]
const failed = [401, 'sign_in_failed']
const locked = [429, 'too_many_requests']
const conflict = [409, 'state_conflict']
const stale = [403, 'step_up_required']

/** Returns a code of an app, now or `drift` time steps later. */
const codeAt = (secret: Buffer, drift = 0) => totpCode(secret, stepAt(new Date()) + drift)
/** Returns six digits that match no current or upcoming time step. */
function wrongFor(secret: Buffer): string {
  const near = [-3, -2, -1, 0, 1, 2, 3, 4, 5].map((drift) => codeAt(secret, drift))
  const repdigits = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(6))
  return must(
    repdigits.find((code) => !near.includes(code)),
    'of ten codes at most nine can match',
  )
}

/** Creates a user with an authenticator app and no used codes. */
async function enrolled() {
  const { userId, spaceId } = await t.merchant()
  const person = await signedIn(userId)
  const { result } = await person.call('POST', '/v1/totp/begin')
  const secret = secretIn(result.uri)
  const confirmed = await person.call('POST', '/v1/totp', { code: codeAt(secret) })
  assert.equal(confirmed.status, 200)
  await forgetLastStep(userId)
  const { recoveryCodes }: { recoveryCodes: string[] } = confirmed.result
  return { userId, spaceId, person, secret, shown: result, recoveryCodes }
}

/** Makes the user's codes count as unused again. */
const forgetLastStep = (userId: string) =>
  db.transaction((tx) => tx.run(sql`update totp_secrets set last_step = null where user_id = ${userId}`))
/** Ends a lock. */
const endLock = (userId: string) =>
  db.transaction((tx) => tx.run(sql`update totp_secrets set locked_until = now() where user_id = ${userId}`))
const lockMsOf = async (userId: string) =>
  (
    await db.only<{ ms: number }>(sql`
      select extract(epoch from locked_until - now())::float8 * 1000 as ms from totp_secrets
      where user_id = ${userId}`)
  ).ms

/** Uses a link and returns the cookie of the browser that must send a code. */
async function useLink(userId: string, cookie = '') {
  const body = { secret: await linkSecret(userId), email: await emailOf(userId) }
  const redeemed = await send('POST', '/v1/sign-in/link/redeem', body, { cookie })
  assert.deepEqual([redeemed.status, redeemed.result.isCodeNeeded], [200, true])
  return { ...redeemed, step: cookieOf(redeemed.cookies, 'pesewa-second-step') }
}
const sendCode = (code: string, step: string) => send('POST', '/v1/sign-in/code', { code }, { cookie: step })
const attemptsOf = async (userId: string) =>
  (await (await signedIn(userId)).call('GET', '/v1/sign-ins')).result.signIns.map(
    ({ method, result, isStepUp }: Record<string, unknown>) =>
      `${method} ${result}${isStepUp ? ' again' : ''}`,
  ) as string[]
const mailsTo = async (userId: string, words: RegExp) => {
  const email = await emailOf(userId)
  const plain = (data: string) => data.replace(/=\n/g, '').replace(/=3D/g, '=')
  return mailbox.received.filter(({ to, data }) => to.includes(email) && words.test(plain(data))).length
}
const isMailed = (userId: string, words: RegExp) => until(async () => (await mailsTo(userId, words)) > 0)

describe('enrolling', () => {
  test('needs a fresh session, no token, and a confirming code; then ten recovery codes are shown', async () => {
    const { userId, token } = await t.merchant()
    const old = await signedIn(userId, longAgo())
    for (const [path, body] of [
      ['/v1/totp/begin', {}],
      ['/v1/totp', { code: '123456' }],
      ['/v1/totp/remove', {}],
      ['/v1/recovery-codes', {}],
    ] as const) {
      assert.deepEqual(statusOf(await old.call('POST', path, body)), stale, path)
      const asToken = await send('POST', path, body, { authorization: `Bearer ${token}` })
      assert.deepEqual(statusOf(asToken), [403, 'access_denied'], path)
    }
    const { call } = await signedIn(userId)
    assert.deepEqual(
      statusOf(await call('POST', '/v1/totp', { code: '123456' })),
      conflict,
      'nothing started',
    )
    const { result } = await call('POST', '/v1/totp/begin')
    assert.match(result.secret, /^[A-Z2-7]{32}$/)
    const secret = secretIn(result.uri)
    assert.equal((await call('GET', '/v1/totp')).result.isEnabled, false)
    assert.deepEqual(statusOf(await call('POST', '/v1/totp', { code: wrongFor(secret) })), failed)
    const { recoveryCodes } = (await call('POST', '/v1/totp', { code: codeAt(secret) })).result
    assert.equal(new Set(recoveryCodes).size, 10)
    for (const code of recoveryCodes) assert.match(code, /^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    const status = (await call('GET', '/v1/totp')).result
    assert.deepEqual([status.isEnabled, status.recoveryCodeCount, status.lockedUntilTime], [true, 10, null])
    assert.deepEqual(statusOf(await call('POST', '/v1/totp/begin')), conflict, 'it cannot be replaced')
    assert.deepEqual(statusOf(await call('POST', '/v1/totp', { code: codeAt(secret, 1) })), conflict)
    await isMailed(userId, /authenticator app was added/)
  })

  test('left unconfirmed has no effect, is replaced by the next, and expires after half an hour', async () => {
    const { userId } = await t.merchant()
    const { call } = await signedIn(userId)
    const first = secretIn((await call('POST', '/v1/totp/begin')).result.uri)
    const redeemed = await send('POST', '/v1/sign-in/link/redeem', { secret: await linkSecret(userId) }, {})
    assert.deepEqual([redeemed.status, redeemed.result.isCodeNeeded], [200, false])
    assert.ok(cookieOf(redeemed.cookies, 'pesewa'))
    assert.deepEqual(statusOf(await call('POST', '/v1/step-up/code', { code: codeAt(first) })), conflict)
    const second = secretIn((await call('POST', '/v1/totp/begin')).result.uri)
    assert.deepEqual(statusOf(await call('POST', '/v1/totp', { code: codeAt(first) })), failed)
    await db.transaction((tx) =>
      tx.run(sql`
        update totp_secrets set created_at = now() - interval '31 minutes' where user_id = ${userId}`),
    )
    assert.deepEqual(statusOf(await call('POST', '/v1/totp', { code: codeAt(second) })), conflict)
    const other = await enrolled()
    await signInJobs(t.app.parts)['sign-in.forget']?.(outsideSpaces)
    const left = await db.query<{ userId: string }>(sql`
      select user_id from totp_secrets where user_id = any(${[userId, other.userId]}::uuid[])`)
    assert.deepEqual(left, [{ userId: other.userId }])
  })

  test('confirmed twice concurrently counts once', async () => {
    const { call } = await signedIn((await t.merchant()).userId)
    const secret = secretIn((await call('POST', '/v1/totp/begin')).result.uri)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => call('POST', '/v1/totp', { code: codeAt(secret) })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('400 for an invalid code, 415 for a form, 403 from another origin', async () => {
    const { person } = await enrolled()
    for (const code of ['', '12345', '1'.repeat(41), null, 7, {}, ['123456']])
      for (const path of ['/v1/totp', '/v1/step-up/code', '/v1/sign-in/code'])
        assert.equal((await person.call('POST', path, { code })).status, 400, `${path} ${code}`)
    for (const path of ['/v1/totp', '/v1/step-up/code', '/v1/sign-in/code', '/v1/totp/remove']) {
      const { cookie } = person
      assert.equal(
        (await send('POST', path, { code: '123456' }, { cookie, origin: 'https://evil.example' })).status,
        403,
      )
      const form = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
      assert.equal((await send('POST', path, {}, form)).status, 415)
    }
  })
})

describe('a link of a user with an app', () => {
  test('signs in only after the code, which starts a session with a new cookie', async () => {
    const { userId, spaceId, secret } = await enrolled()
    const planted = (await signedIn((await t.merchant()).userId)).cookie
    const { cookies, step } = await useLink(userId, planted)
    assert.equal(cookieOf(cookies, 'pesewa'), '', 'no session yet')
    const value = step.split('=')[1] ?? ''
    assert.match(value, /^[\w-]{43}$/)
    // The cookie is not a session, whatever name it is sent under.
    for (const cookie of [step, `pesewa=${value}`])
      for (const [method, path] of [
        ['GET', '/v1/me'],
        ['GET', '/v1/payments'],
        ['GET', '/v1/sessions'],
        ['GET', '/v1/passkeys'],
        ['GET', '/v1/totp'],
        ['POST', '/v1/totp/remove'],
        ['POST', '/v1/recovery-codes'],
        ['POST', '/v1/step-up/code'],
        ['POST', '/v1/passkeys/begin'],
        ['POST', '/v1/sign-out'],
        ['POST', '/v1/refunds'],
      ] as const) {
        const body = method === 'POST' ? (path.endsWith('code') ? { code: '123456' } : {}) : undefined
        const headers = { cookie, 'service-space-id': spaceId, 'idempotency-key': 'k' }
        assert.equal((await send(method, path, body, headers)).status, 401, `${method} ${path} by ${cookie}`)
      }
    const done = await sendCode(codeAt(secret), `${step}; ${planted}`)
    assert.deepEqual([done.status, done.result.isCodeNeeded], [200, false])
    const session = cookieOf(done.cookies, 'pesewa')
    assert.ok(session && session !== planted && !session.includes(value), 'a new cookie')
    assert.equal(cookieOf(done.cookies, 'pesewa-second-step'), 'pesewa-second-step=')
    assert.equal((await send('GET', '/v1/me', undefined, { cookie: session })).status, 200)
    assert.deepEqual((await attemptsOf(userId)).slice(0, 2), ['totp succeeded', 'link succeeded'])
    assert.deepEqual(statusOf(await sendCode(codeAt(secret, 1), step)), conflict, 'it is finished')
  })

  test('accepts a code only in the browser that used it, within ten minutes', async () => {
    const { userId, secret } = await enrolled()
    const { step } = await useLink(userId)
    for (const cookie of ['', 'pesewa-second-step=', 'pesewa-second-step=x', step.slice(0, -1)])
      assert.deepEqual(statusOf(await sendCode(codeAt(secret), cookie)), conflict, cookie)
    const late = await useLink(userId)
    await db.transaction((tx) =>
      tx.run(sql`
        update sign_in_second_steps set expires_at = now() where user_id = ${userId}`),
    )
    for (const each of [late.step, step])
      assert.deepEqual(statusOf(await sendCode(codeAt(secret), each)), conflict)
    await signInJobs(t.app.parts)['sign-in.forget']?.(outsideSpaces)
    const left = await db.query(sql`select 1 from sign_in_second_steps where user_id = ${userId}`)
    assert.equal(left.length, 0)
  })

  test('another user’s code is wrong', async () => {
    const [one, two] = [await enrolled(), await enrolled()]
    const { step } = await useLink(one.userId)
    assert.deepEqual(statusOf(await sendCode(codeAt(two.secret), step)), failed)
    assert.deepEqual(statusOf(await sendCode(two.recoveryCodes[0] ?? '', step)), failed)
    assert.deepEqual(statusOf(await sendCode(codeAt(one.secret), step)), good)
  })

  test('an invitation needs the code, too', async () => {
    const { userId, secret } = await enrolled()
    const inviter = await t.merchant()
    const email = await emailOf(userId)
    const invited = await inviter.call('POST', '/v1/invitations', { email, role: 'viewer' })
    assert.equal(invited.status, 200)
    const mail = await until(async () =>
      mailbox.received
        .map(({ data }) => data.replace(/=\n/g, '').replace(/=3D/g, '='))
        .find((data) => data.includes('#invitation=') && data.includes(email)),
    )
    const invitation = /#invitation=(\S+)/.exec(mail)?.[1] ?? ''
    const accepted = await send('POST', '/v1/sign-in/invitation', { secret: invitation }, {})
    assert.deepEqual([accepted.status, accepted.result.isCodeNeeded], [200, true])
    assert.equal(cookieOf(accepted.cookies, 'pesewa'), '')
    const step = cookieOf(accepted.cookies, 'pesewa-second-step')
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), step)), good)
  })
})

describe('a code', () => {
  test('works once, even in concurrent attempts or for another purpose', async () => {
    const { userId, secret, person } = await enrolled()
    const stepUp = (code: string) => person.call('POST', '/v1/step-up/code', { code })
    const code = codeAt(secret)
    const answers = await Promise.all(Array.from({ length: 4 }, () => stepUp(code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    const { step } = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(code, step)), failed, 'already used for another purpose')
  })

  test('is valid in its own time step and one step either way, but not before the last used one', async () => {
    const { secret, person } = await enrolled()
    const stepUp = async (drift: number) =>
      statusOf(await person.call('POST', '/v1/step-up/code', { code: codeAt(secret, drift) }))
    // At least two steps away, even if a step ends during the test.
    for (const drift of [-3, 3]) assert.deepEqual(await stepUp(drift), failed)
    assert.deepEqual(await stepUp(1), good)
    assert.deepEqual(await stepUp(0), failed, 'from before the last used step')
  })

  test('that confirmed the app cannot sign in', async () => {
    const { userId } = await t.merchant()
    const { call } = await signedIn(userId)
    const secret = secretIn((await call('POST', '/v1/totp/begin')).result.uri)
    const code = codeAt(secret)
    assert.equal((await call('POST', '/v1/totp', { code })).status, 200)
    const { step } = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(code, step)), failed)
  })

  test('makes an hour-old sign-in fresh again, but not for a user without an app', async () => {
    const { userId, secret } = await enrolled()
    const old = await signedIn(userId, longAgo())
    assert.deepEqual(statusOf(await old.call('POST', '/v1/recovery-codes')), stale)
    assert.deepEqual(statusOf(await old.call('POST', '/v1/step-up/code', { code: wrongFor(secret) })), failed)
    assert.deepEqual(statusOf(await old.call('POST', '/v1/recovery-codes')), stale)
    assert.deepEqual(statusOf(await old.call('POST', '/v1/step-up/code', { code: codeAt(secret) })), good)
    assert.deepEqual(statusOf(await old.call('POST', '/v1/recovery-codes')), good)
    assert.deepEqual((await attemptsOf(userId)).slice(0, 2), ['totp succeeded again', 'totp failed again'])
    const { call } = await signedIn((await t.merchant()).userId)
    assert.deepEqual(statusOf(await call('POST', '/v1/step-up/code', { code: '123456' })), conflict)
  })
})

describe('a recovery code', () => {
  test('replaces one code once, however it is written, even in concurrent attempts', async () => {
    const { userId, recoveryCodes, person } = await enrolled()
    const [first = '', second = '', third = ''] = recoveryCodes
    const { step } = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(first, step)), good)
    const again = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(first, again.step)), failed)
    const written = second.toLowerCase().replaceAll('-', ' ')
    assert.deepEqual(statusOf(await sendCode(written, again.step)), good)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => person.call('POST', '/v1/step-up/code', { code: third })),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
    assert.equal((await person.call('GET', '/v1/totp')).result.recoveryCodeCount, 7)
    assert.ok((await attemptsOf(userId)).includes('recovery_code succeeded'))
    await isMailed(userId, /recovery code was used/)
  })

  test('stops working once new ones are created or the app is removed', async () => {
    const { userId, recoveryCodes, person } = await enrolled()
    const remade = await person.call('POST', '/v1/recovery-codes')
    const { step } = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(recoveryCodes[0] ?? '', step)), failed)
    assert.deepEqual(statusOf(await sendCode(remade.result.recoveryCodes[0], step)), good)
    const waiting = await useLink(userId)
    assert.equal((await person.call('POST', '/v1/totp/remove')).status, 200)
    assert.deepEqual(statusOf(await person.call('POST', '/v1/totp/remove')), conflict)
    assert.deepEqual(statusOf(await person.call('POST', '/v1/recovery-codes')), conflict)
    assert.deepEqual(statusOf(await sendCode(remade.result.recoveryCodes[1], waiting.step)), conflict)
    const redeemed = await send('POST', '/v1/sign-in/link/redeem', { secret: await linkSecret(userId) }, {})
    assert.equal(redeemed.result.isCodeNeeded, false)
    await isMailed(userId, /New recovery codes/)
    await isMailed(userId, /authenticator app and its recovery codes were removed/)
  })
})

describe('wrong codes', () => {
  test('of twenty concurrent ones, five are checked and all are counted; then even the correct one is not checked', async () => {
    const { userId, secret, person } = await enrolled()
    const { step } = await useLink(userId)
    const wrong = wrongFor(secret)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 ? sendCode(wrong, step) : person.call('POST', '/v1/step-up/code', { code: wrong }),
      ),
    )
    const counts = (status: number) => answers.filter((answer) => answer.status === status).length
    assert.deepEqual([counts(401), counts(429)], [5, 15])
    const attempts = (await attemptsOf(userId)).filter((each) => each.startsWith('totp'))
    const counted = (words: string) => attempts.filter((each) => each.includes(words)).length
    assert.deepEqual([counted('failed'), counted('locked')], [5, 15])
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), step)), locked)
    assert.deepEqual(
      statusOf(await person.call('POST', '/v1/step-up/code', { code: codeAt(secret) })),
      locked,
    )
    const { lockedUntilTime, lockedElsewhereUntilTime } = (await person.call('GET', '/v1/totp')).result
    assert.ok(Date.parse(lockedElsewhereUntilTime) > Date.now())
    assert.equal(lockedUntilTime, null)
    await isMailed(userId, /too many wrong authenticator codes/)
    assert.equal(await mailsTo(userId, /too many wrong authenticator codes/), 1, 'one lock, one mail')
    await endLock(userId)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), step)), good, 'it was not used up')
  })

  test('by an attacker who has only a link do not lock the user’s known browsers', async () => {
    const { userId, secret, person } = await enrolled()
    const first = await useLink(userId)
    const signed = await sendCode(codeAt(secret), first.step)
    const known = cookieOf(signed.cookies, 'pesewa-browser')
    assert.ok(known)
    await forgetLastStep(userId)

    const attacker = await useLink(userId)
    const foreign = cookieOf(
      (
        await send(
          'POST',
          '/v1/sign-in/link/redeem',
          { secret: await linkSecret((await t.merchant()).userId) },
          {},
        )
      ).cookies,
      'pesewa-browser',
    )
    for (const cookie of ['', 'pesewa-browser=x', foreign, '', foreign])
      assert.deepEqual(statusOf(await sendCode(wrongFor(secret), `${attacker.step}; ${cookie}`)), failed)
    for (const cookie of ['', foreign])
      assert.deepEqual(statusOf(await sendCode(codeAt(secret), `${attacker.step}; ${cookie}`)), locked)

    const own = await useLink(userId, known)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), `${own.step}; ${known}`)), good)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret, 1), attacker.step)), locked, 'still')
    const stepUp = () =>
      send('POST', '/v1/step-up/code', { code: codeAt(secret, 1) }, { cookie: `${person.cookie}; ${known}` })
    assert.deepEqual(statusOf(await stepUp()), good)
    await isMailed(userId, /Your own browsers, recovery codes and passkeys still work/)
  })

  test('in a known browser lock the user’s known browsers and no others', async () => {
    const { userId, secret, person } = await enrolled()
    const first = await useLink(userId)
    const known = cookieOf((await sendCode(codeAt(secret), first.step)).cookies, 'pesewa-browser')
    await forgetLastStep(userId)
    const own = await useLink(userId, known)
    for (let i = 0; i < 5; i++)
      assert.deepEqual(statusOf(await sendCode(wrongFor(secret), `${own.step}; ${known}`)), failed)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), `${own.step}; ${known}`)), locked)
    const { lockedUntilTime, lockedElsewhereUntilTime } = (await person.call('GET', '/v1/totp')).result
    assert.ok(Date.parse(lockedUntilTime) > Date.now())
    assert.equal(lockedElsewhereUntilTime, null)
    const elsewhere = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), elsewhere.step)), good)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret, 1), `${own.step}; ${known}`)), locked, 'still')
  })

  test('do not lock recovery codes, and wrong recovery codes lock nothing', async () => {
    const { userId, secret, recoveryCodes } = await enrolled()
    const { step } = await useLink(userId)
    for (let i = 0; i < 8; i++)
      assert.deepEqual(statusOf(await sendCode('ABCD-EFGH-IJKL-MNOP', step)), failed)
    for (let i = 0; i < 5; i++) assert.deepEqual(statusOf(await sendCode(wrongFor(secret), step)), failed)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), step)), locked)
    assert.deepEqual(statusOf(await sendCode(recoveryCodes[0] ?? '', step)), good)
  })

  test('lock for a minute, then for twice as long each time, up to an hour; a correct code resets this, and links still work', async () => {
    const { userId, secret } = await enrolled()
    const { step } = await useLink(userId)
    const guess = () => sendCode(wrongFor(secret), step)
    for (let i = 0; i < 4; i++) assert.deepEqual(statusOf(await guess()), failed)
    const minutes: number[] = []
    for (let i = 0; i < 9; i++) {
      assert.deepEqual(statusOf(await guess()), failed)
      assert.deepEqual(statusOf(await guess()), locked)
      minutes.push(Math.round((await lockMsOf(userId)) / 60_000))
      await endLock(userId)
    }
    assert.deepEqual(minutes, [1, 2, 4, 8, 16, 32, 60, 60, 60])
    const other = await useLink(userId)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret), other.step)), good)
    for (let i = 0; i < 4; i++) assert.deepEqual(statusOf(await guess()), failed)
    assert.deepEqual(statusOf(await sendCode(codeAt(secret, 1), step)), good, 'counted from zero again')
  })

  test('return Retry-After, and do not affect other users', async () => {
    const [one, two] = [await enrolled(), await enrolled()]
    const { step } = await useLink(one.userId)
    for (let i = 0; i < 5; i++) await sendCode(wrongFor(one.secret), step)
    const response = await fetch(`${baseUrl}/v1/sign-in/code`, {
      method: 'POST',
      headers: { cookie: step, origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ code: '123456' }),
    })
    assert.deepEqual([response.status, response.headers.get('service-rate-limit')], [429, 'code-lock'])
    const seconds = Number(response.headers.get('retry-after'))
    assert.ok(seconds > 50 && seconds <= 60, String(seconds))
    const other = await useLink(two.userId)
    assert.deepEqual(statusOf(await sendCode(codeAt(two.secret), other.step)), good)
  })
})

test('no secret, code or cookie is in the database or a mail in plain text', async () => {
  const { userId, secret, shown, recoveryCodes } = await enrolled()
  const { step } = await useLink(userId)
  const code = codeAt(secret)
  const done = await sendCode(code, step)
  assert.equal(done.status, 200)
  await isMailed(userId, /authenticator app was added/)
  const stored = await storedIn(db)
  assert.ok(stored.includes(userId))
  const mails = mailbox.received.map(({ data }) => data).join('\n')
  const secrets = [
    shown.secret,
    secret,
    ...recoveryCodes.flatMap((each) => [each, each.replaceAll('-', '')]),
    step.split('=')[1] ?? '',
    cookieOf(done.cookies, 'pesewa').split('=')[1] ?? '',
  ]
  for (const each of secrets) {
    const bytes = Buffer.from(each)
    for (const form of [
      each.toString(),
      bytes.toString('hex'),
      bytes.toString('base64'),
      bytes.toString('base64url'),
    ])
      for (const text of [stored, mails]) assert.ok(!text.includes(form))
  }
})
