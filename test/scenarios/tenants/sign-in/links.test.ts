import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { outsideSpaces } from '../../../../packages/server/src/platform/jobs/queue.ts'
import { signInJobs as jobsOf } from '../../../../packages/server/src/tenants/sign-in/jobs.ts'
import { createLink } from '../../../../packages/server/src/tenants/sign-in/links.ts'
import { sessionIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { openConsole } from '../../operations/console/stage.ts'
import { cookieOf } from './people.ts'

const mailbox = await startMailbox()
const stage = await openConsole({ settings: { SMTP_URL: mailbox.url } })
const { t } = stage
const { db, home, seals, baseUrl } = t.app.parts
after(async () => {
  await stage.close()
  await mailbox.close()
})
let shop: Merchant
before(async () => {
  shop = await t.merchant()
})

const ownOrigin = { origin: baseUrl, 'content-type': 'application/json' }

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(baseUrl + path, { method: 'POST', headers: { ...ownOrigin, ...headers }, body: JSON.stringify(body) })

const makeLink = (lifeMs = 60_000, userId = shop.userId) =>
  home.transaction((tx) => createLink(tx, t.app.parts, userId, lifeMs))
const secretOf = (link: string) => link.split('#link=')[1] ?? ''

const session = (userId = shop.userId, at = new Date()) =>
  home.transaction((tx) => beginSession(tx, { userId, method: 'link', address: '127.0.0.1', agent: '' }, at))

const mailedSecret = (mail: string) =>
  /#link=(\S+)/.exec(mail.replace(/=\n/g, '').replace(/=3D/g, '='))?.[1] ?? ''

/** Creates a user whose address no other test uses. */
async function stranger() {
  const { userId } = await t.merchant()
  const { email } = await db.only<{ email: string }>(sql`select email from users where id = ${userId}`)
  return { userId, email }
}

/** Sends a request with a session cookie. */
const byCookie = (secret: string, path: string, init: RequestInit = {}) =>
  fetch(baseUrl + path, {
    ...init,
    headers: { cookie: `pesewa=${secret}`, 'service-space-id': shop.spaceId, ...init.headers },
  })

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
const bodyOf = (response: Response): Promise<any> => response.json()
const reasonOf = async (response: Response) => [response.status, (await bodyOf(response)).error?.reason]

describe('a sign-in link', () => {
  test('opens the console once, and does not stay in the address bar', async () => {
    const link = await makeLink()
    const context = await stage.browser.newContext()
    const page = await context.newPage()
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('nav a').first().waitFor()
    assert.ok(page.url().startsWith(`${baseUrl}/console/${shop.spaceId}/test`), page.url())
    assert.ok(
      !(await page.evaluate<string>('location.href + JSON.stringify(history.state)')).includes('link'),
    )
    const [cookie] = await context.cookies()
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.path],
      ['pesewa', true, 'Lax', '/'],
    )
    const other = await stage.browser.newContext()
    const second = await other.newPage()
    await second.goto(link)
    await second.getByText('This link was already used').waitFor()
    await context.close()
    await other.close()
  })

  test('is refused if used, expired, altered, malformed, or from another installation', async () => {
    const used = secretOf(await makeLink())
    assert.equal((await post('/v1/sign-in/link/redeem', { secret: used })).status, 200)
    const expired = secretOf(await makeLink(-1))
    const [id, tag] = secretOf(await makeLink()).split('.')
    const [otherId] = secretOf(await makeLink()).split('.')
    const foreign = await home.transaction((tx) =>
      createLink(tx, { baseUrl, seals: { ...seals, tag: () => 'x'.repeat(22) } }, shop.userId, 60_000),
    )
    for (const secret of [
      used,
      expired,
      `${otherId}.${tag}`,
      id,
      `${id}.`,
      `${id}.${tag}x`,
      'x',
      secretOf(foreign),
    ])
      assert.deepEqual(
        await reasonOf(await post('/v1/sign-in/link/redeem', { secret })),
        [401, 'sign_in_failed'],
        secret,
      )
  })

  test('signs in once when it is redeemed twenty times concurrently', async () => {
    const secret = secretOf(await makeLink())
    const statuses = await Promise.all(
      Array.from({ length: 15 }, async () => (await post('/v1/sign-in/link/redeem', { secret })).status),
    )
    assert.equal(statuses.filter((status) => status === 200).length, 1)
  })

  test('is not stored, nor is the value of a cookie', async () => {
    const link = await makeLink()
    const response = await post('/v1/sign-in/link/redeem', { secret: secretOf(link) })
    const [, cookie = ''] = /pesewa=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
    assert.ok(cookie.length > 40)
    const rows = await db.query<{ text: string }>(sql`
      select sessions::text as text from sessions union all select sign_in_links::text from sign_in_links
      union all select jobs::text from jobs`)
    const stored = rows.map(({ text }) => text).join('\n')
    for (const secret of [cookie, secretOf(link), secretOf(link).split('.')[1] ?? ''])
      for (const form of [
        secret,
        Buffer.from(secret).toString('hex'),
        Buffer.from(secret, 'base64url').toString('hex'),
      ])
        assert.ok(!stored.includes(form))
  })
})

describe('the preview of a link', () => {
  const preview = (secret: string, cookie = '') => post('/v1/sign-in/link/preview', { secret }, { cookie })

  test('shows whom it signs in, and never uses it up', async () => {
    const { userId, email } = await stranger()
    const secret = secretOf(await makeLink(60_000, userId))
    for (let i = 0; i < 3; i++)
      assert.deepEqual((await bodyOf(await preview(secret))).result, {
        email: `${email[0]}…@shop.example`,
        spaceName: null,
        role: null,
        isEmailNeeded: false,
        signedInEmail: null,
      })
    assert.equal((await preview(secret)).headers.get('set-cookie'), null)
    assert.equal((await post('/v1/sign-in/link/redeem', { secret })).status, 200)
    for (const bad of [secret, secretOf(await makeLink(-1)), 'x', `${secret}x`])
      assert.deepEqual(await reasonOf(await preview(bad)), [401, 'sign_in_failed'])
  })

  test('shows another signed-in user; signing in then requires the typed address and ends their session', async () => {
    const [one, other] = [await stranger(), await stranger()]
    const cookie = `pesewa=${await session(one.userId)}`
    const secret = secretOf(await makeLink(60_000, other.userId))
    const { result } = await bodyOf(await preview(secret, cookie))
    assert.deepEqual([result.isEmailNeeded, result.signedInEmail], [true, one.email])
    const redeem = (email?: string) => post('/v1/sign-in/link/redeem', { secret, email }, { cookie })
    assert.deepEqual(await reasonOf(await redeem()), [409, 'state_conflict'])
    for (const wrong of [one.email, `${other.email}x`, 'a@b'])
      assert.deepEqual(await reasonOf(await redeem(wrong)), [401, 'sign_in_failed'])
    assert.equal((await fetch(`${baseUrl}/v1/me`, { headers: { cookie } })).status, 200)
    assert.equal((await redeem(other.email)).status, 200)
    await until(async () => (await fetch(`${baseUrl}/v1/me`, { headers: { cookie } })).status === 401)
    const over = `pesewa=${await session(one.userId, new Date(Date.now() - 8 * 86_400_000))}`
    const again = await bodyOf(await preview(secretOf(await makeLink(60_000, other.userId)), over))
    assert.equal(again.result.signedInEmail, null, 'an expired session')
  })
})

describe('POST /v1/sign-in/link', () => {
  test('200 for known and unknown addresses alike; only known ones get mail, at most three per hour', async () => {
    const { email } = await db.only<{ email: string }>(sql`select email from users where id = ${shop.userId}`)
    await db.transaction((tx) => tx.run(sql`delete from sign_in_links`))
    const ask = async (address: string) => (await post('/v1/sign-in/link', { email: address })).text()
    const texts = [
      await ask('nobody@shop.example'),
      ...(await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => ask(email)))),
    ]
    assert.equal(new Set(texts).size, 1)
    await until(
      async () =>
        (await db.query(sql`select 1 from jobs where job in ('sign-in.make-link', 'sign-in.send-link')`))
          .length === 0,
    )
    assert.deepEqual(
      mailbox.received.map(({ to }) => to),
      Array(3).fill([email]),
    )
    const secret = mailedSecret(mailbox.received[0]?.data ?? '')
    assert.equal((await post('/v1/sign-in/link/redeem', { secret, email })).status, 200)
  })

  test('a mail that the server rejects at first is sent later, with the same link', async () => {
    const { email, userId } = await stranger()
    mailbox.answers.set(email, '451 later')
    assert.equal((await post('/v1/sign-in/link', { email })).status, 200)
    const links = () => db.query<{ id: string }>(sql`select id from sign_in_links where user_id = ${userId}`)
    await until(
      async () =>
        (await db.query(sql`select 1 from jobs where job = 'sign-in.send-link' and attempts > 1`)).length > 0,
    )
    mailbox.answers.delete(email)
    const mail = await until(async () => mailbox.received.find(({ to }) => to.includes(email)))
    assert.equal((await links()).length, 1)
    const redeemed = await post('/v1/sign-in/link/redeem', { secret: mailedSecret(mail.data), email })
    assert.equal(redeemed.status, 200)
  })

  test('429 after twenty failures from an address in 15 minutes, except for known browsers; successful sign-ins are not counted', async () => {
    const node = await startTestApp({ anotherNodeOf: t, settings: { RATE_LIMITS: 'on' } })
    const call = (path: string, body: object, cookie = '') =>
      fetch(`${node.baseUrl}/v1/sign-in/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: node.baseUrl, cookie },
        body: JSON.stringify(body),
      })
    const statusesOf = async (count: number, once: () => Promise<Response>) => {
      const statuses: number[] = []
      for (let i = 0; i < count; i++) statuses.push((await once()).status)
      return [...new Set(statuses)]
    }
    const signInCorrectly = async () => {
      const secret = secretOf(await makeLink())
      assert.equal((await call('link/preview', { secret })).status, 200)
      return call('link/redeem', { secret })
    }
    // Thirty colleagues share one address.
    assert.deepEqual(await statusesOf(30, () => call('link', { email: 'ama@shop.example' })), [200])
    assert.deepEqual(await statusesOf(30, signInCorrectly), [200])
    const known = cookieOf((await signInCorrectly()).headers.getSetCookie(), 'pesewa-browser')

    // No more than twenty are checked, even if they are concurrent.
    const failures = await Promise.all(
      Array.from({ length: 25 }, async () => (await call('link/redeem', { secret: 'x' })).status),
    )
    assert.deepEqual(failures.filter((status) => status === 401).length, 20)
    const refused = await call('link/redeem', { secret: secretOf(await makeLink()) })
    assert.deepEqual([refused.status, refused.headers.get('service-rate-limit')], [429, 'sign-in-limit'])
    const secret = secretOf(await makeLink())
    assert.equal((await call('link/redeem', { secret }, known)).status, 200)
    assert.deepEqual(await statusesOf(20, () => call('link/preview', { secret: 'x' }, known)), [401])
    assert.equal((await call('link/preview', { secret: 'x' }, known)).status, 429)

    const statuses = await statusesOf(100, () => call('link', { email: 'ama@shop.example' }))
    assert.deepEqual(statuses, [200, 429], 'a hundred links requested from one address')
    await node.close()
  })

  test('400 for an invalid address, 415 for a form, 403 from another origin', async () => {
    for (const email of ['', 'x', 'a b@c', null, 7, 'x'.repeat(300)])
      assert.equal((await post('/v1/sign-in/link', { email })).status, 400)
    assert.equal((await post('/v1/sign-in/link', { email: 'a@b.c', more: 1 })).status, 400)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await post('/v1/sign-in/link', {}, form)).status, 415)
    for (const origin of ['https://evil.example', 'null', `${baseUrl}.evil.example`])
      assert.deepEqual(await reasonOf(await post('/v1/sign-in/link', { email: 'a@b.c' }, { origin })), [
        403,
        'access_denied',
      ])
  })
})

describe('a session', () => {
  test('has the permissions of its user’s role in each Space, in the environment that it names', async () => {
    const viewer = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
    const secret = await session(viewer.userId)
    assert.equal((await byCookie(secret, '/v1/payments')).status, 200)
    assert.equal((await byCookie(secret, '/v1/financial-accounts?withBalance=true')).status, 403)
    const other = await t.merchant()
    assert.equal(
      (await byCookie(secret, '/v1/payments', { headers: { 'service-space-id': other.spaceId } })).status,
      403,
    )
    const live = { 'service-environment': 'live' }
    assert.deepEqual((await bodyOf(await byCookie(secret, '/v1/payments', { headers: live }))).result, [])
    const bad = await byCookie(secret, '/v1/payments', { headers: { 'service-environment': 'prod' } })
    assert.deepEqual(await reasonOf(bad), [400, 'arguments_invalid'])
  })

  test('cannot be used by a page of another origin', async () => {
    const secret = await session()
    const body = JSON.stringify({ name: 'x', url: 'http://127.0.0.1:9/', events: ['*'] })
    const init = (headers: Record<string, string>) => ({
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'idempotency-key': Math.random().toString(),
        ...headers,
      },
    })
    const elsewhere = [
      {},
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `${baseUrl}.evil.example` },
      { origin: 'http://127.0.0.1:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      // DNS rebinding: a host name that resolves to this machine, so that the browser considers its pages
      // same-origin.
      { 'sec-fetch-site': 'same-origin' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
      // The same host over plain http: a page injected by a network attacker.
      { origin: baseUrl.replace('http:', 'https:') },
    ]
    for (const headers of elsewhere)
      assert.deepEqual(await reasonOf(await byCookie(secret, '/v1/webhooks', init(headers))), [
        403,
        'access_denied',
      ])
    assert.equal((await byCookie(secret, '/v1/webhooks', init({ origin: baseUrl }))).status, 200)
    // Browsers never send a token by themselves.
    assert.equal(
      (await shop.call('POST', '/v1/webhooks', body, { origin: 'https://evil.example' })).status,
      200,
    )
  })

  test('gets a new cookie with each sign-in, whatever cookie the browser had', async () => {
    const planted = 'planted'.repeat(6)
    const response = await post(
      '/v1/sign-in/link/redeem',
      { secret: secretOf(await makeLink()) },
      { cookie: `pesewa=${planted}` },
    )
    assert.equal(response.status, 200)
    assert.ok(!response.headers.get('set-cookie')?.includes(planted))
    assert.equal((await byCookie(planted, '/v1/me')).status, 401)
  })

  test('ends on every node within a second of signing out, and only for its own user', async () => {
    const secret = await session()
    const { result: me } = await bodyOf(await byCookie(secret, '/v1/me'))
    const stranger = await t.merchant()
    assert.equal((await stranger.call('DELETE', `/v1/sessions/${me.caller.id}`)).status, 404)
    const node = await startTestApp({ anotherNodeOf: t })
    const there = () => fetch(`${node.baseUrl}/v1/me`, { headers: { cookie: `pesewa=${secret}` } })
    assert.equal((await there()).status, 200)
    const out = await byCookie(secret, `/v1/sessions/${me.caller.id}`, {
      method: 'DELETE',
      headers: { origin: baseUrl },
    })
    assert.equal(out.status, 200)
    await until(
      async () => (await there()).status === 401 && (await byCookie(secret, '/v1/me')).status === 401,
    )
    await node.close()
  })

  test('ends after 7 days, and after 12 hours without use', async () => {
    const hourMs = 3_600_000
    const expired = await session(shop.userId, new Date(Date.now() - 7 * 24 * hourMs))
    const idle = await session(shop.userId, new Date(Date.now() - 12 * hourMs))
    const used = await session(shop.userId, new Date(Date.now() - 12 * hourMs + 60_000))
    assert.deepEqual(
      await Promise.all(
        [expired, idle, used].map(async (secret) => (await byCookie(secret, '/v1/me')).status),
      ),
      [401, 401, 200],
    )
  })

  test('of a removed member loses its permissions within a second', async () => {
    const member = await t.merchant({ sameSpaceAs: shop, role: 'admin' })
    const secret = await session(member.userId)
    assert.equal((await byCookie(secret, '/v1/payments')).status, 200)
    await db.transaction((tx) =>
      tx.run(sql`delete from members where space_id = ${shop.scope.spaceId} and user_id = ${member.userId}`),
    )
    await until(async () => (await byCookie(secret, '/v1/payments')).status === 403)
  })

  test('is listed only to its user, at most twenty', async () => {
    const person = await t.merchant()
    for (let i = 0; i < 22; i++) await session(person.userId)
    const { result } = (await person.call('GET', '/v1/sessions')).body
    assert.equal(result.sessions.length, 20)
    const rows = await db.query<{ id: string }>(sql`select id from sessions where user_id = ${person.userId}`)
    const own = new Set(rows.map(({ id }) => showId(sessionIds, id)))
    assert.ok(result.sessions.every(({ id }: { id: string }) => own.has(id)))
  })

  test('cannot be guessed: wrong cookies count like wrong tokens', async () => {
    assert.deepEqual(await reasonOf(await byCookie('x'.repeat(43), '/v1/me')), [401, 'token_invalid'])
  })
})

test('over https has a cookie that no other origin can set and that is sent over https only', async () => {
  const node = await startTestApp({ anotherNodeOf: t, settings: { BASE_URL: 'https://pay.example' } })
  const link = await makeLink()
  const { host, port } = node.app.parts.settings
  const there = `http://${host}:${port}`
  const response = await fetch(`${there}/v1/sign-in/link/redeem`, {
    method: 'POST',
    headers: { ...ownOrigin, origin: 'https://pay.example' },
    body: JSON.stringify({ secret: secretOf(link) }),
  })
  assert.match(
    response.headers.getSetCookie()[0] ?? '',
    /^__Host-pesewa=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  // Behind a proxy the Host header proves nothing: `fetch` sends the local address here, as some proxies do.
  const redeemFrom = (origin: string) =>
    fetch(`${there}/v1/sign-in/link/redeem`, {
      method: 'POST',
      headers: { ...ownOrigin, origin },
      body: JSON.stringify({ secret: 'x' }),
    })
  assert.equal((await redeemFrom('https://pay.example')).status, 401)
  for (const origin of [there, 'http://pay.example', 'https://pay.example:8443', 'https://www.pay.example']) {
    const refused = await redeemFrom(origin)
    assert.equal(refused.status, 403, origin)
    assert.deepEqual((await bodyOf(refused)).error.details, [
      { param: 'Origin', errors: ['must be https://pay.example'] },
    ])
  }
  const secret = await session()
  const me = (name: string) => fetch(`${there}/v1/me`, { headers: { cookie: `${name}=${secret}` } })
  assert.deepEqual([(await me('pesewa')).status, (await me('__Host-pesewa')).status], [401, 200])
  await node.close()
})

test('after signing in, the requested page is shown, but never one on another site', async () => {
  for (const [to, shown] of [
    [`/${shop.spaceId}/live/payments?status=failed`, `/${shop.spaceId}/live/payments?status=failed`],
    ['//evil.example', `/${shop.spaceId}/test`],
    ['https://evil.example', `/${shop.spaceId}/test`],
  ] as const) {
    const context = await stage.browser.newContext()
    const page = await context.newPage()
    const link = await makeLink()
    await page.goto(link.replace('#', `?to=${encodeURIComponent(to)}#`))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('nav a').first().waitFor()
    assert.equal(page.url(), `${baseUrl}/console${shown}`)
    await context.close()
  }
})

test('expired rows are deleted after thirty days, and usable ones are kept', async () => {
  const { userId } = await stranger()
  const dayMs = 86_400_000
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs)
  for (const days of [0, 8, 38]) await session(userId, daysAgo(days))
  for (const days of [0, 29, 31]) await makeLink(-days * dayMs, userId)
  await jobsOf(t.app.parts)['sign-in.forget']?.(outsideSpaces)
  const left = await db.only<{ sessions: number; links: number }>(sql`
    select (select count(*)::int from sessions where user_id = ${userId}) as sessions,
      (select count(*)::int from sign_in_links where user_id = ${userId}) as links`)
  assert.deepEqual(left, { sessions: 2, links: 2 })
})
