import assert from 'node:assert/strict'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, describe, test } from 'node:test'
import { must } from '@pesewa/values'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../../packages/server/src/platform/ids.ts'
import { spaceIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { setMember, setOperator } from '../../../../packages/server/src/tenants/spaces/spaces.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'
import { type Claims, client, type Lie, startIdentityProvider } from './identity-provider.ts'
import { cookieOf, peopleOf, storedIn } from './people.ts'

const provider = await startIdentityProvider()
const mailbox = await startMailbox()
const groupsFile = path.join(mkdtempSync(path.join(tmpdir(), 'pesewa-groups-')), 'groups.json')
const writeGroups = (content: unknown) => writeFileSync(groupsFile, JSON.stringify(content))
writeGroups({})
const t = await startTestApp({
  settings: {
    SMTP_URL: mailbox.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_NAME: 'Example Ltd.',
    OIDC_GROUPS_FILE: groupsFile,
  },
})
after(async () => {
  await t.close()
  await mailbox.close()
  provider.close()
})
afterEach(() => {
  provider.lies({})
  provider.says({})
  writeGroups({})
})
const { db, home, baseUrl } = t.app.parts
const { send, signedIn, emailOf } = peopleOf(t)
const refused = [401, 'sign_in_failed']
const statusOf = ({ status, reason }: { status: number; reason: string | undefined }) => [status, reason]

async function begin() {
  const { status, result, cookies } = await send('POST', '/v1/sign-in/oidc/begin', {}, {})
  assert.equal(status, 200)
  return { url: String(result.url), cookie: cookieOf(cookies, 'pesewa-oidc') }
}
const comeBack = (query: string, cookie: string) => send('POST', '/v1/sign-in/oidc', { query }, { cookie })

/** Signs in at the provider and returns to the service. */
async function signIn(claims: Claims) {
  const { url, cookie } = await begin()
  const answer = await comeBack(provider.authorize(url, claims), cookie)
  const session = cookieOf(answer.cookies, 'pesewa')
  return {
    ...answer,
    call: (method: string, path: string, body?: unknown) =>
      send(method, path, body ?? (method === 'POST' ? {} : undefined), { cookie: session }),
  }
}

/** Creates a member of a Space, with their claims at the provider. */
async function member() {
  const { userId, spaceId } = await t.merchant()
  const email = await emailOf(userId)
  return { userId, spaceId, claims: { sub: randomUUID(), email, email_verified: true } as Claims }
}
const stranger = (more: Claims = {}): Claims => ({
  sub: randomUUID(),
  email: `${randomUUID()}@stranger.example`,
  email_verified: true,
  ...more,
})

describe('a user who signs in at the identity provider', () => {
  test('is the user with the verified email address, gets a session of twelve hours, and is mailed once', async () => {
    const { userId, claims } = await member()
    const { status, result, call } = await signIn(claims)
    assert.deepEqual([status, result.isCodeNeeded], [200, false])
    const { sessions } = (await call('GET', '/v1/sessions')).result
    const own = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    assert.equal(own.method, 'oidc')
    assert.equal(Date.parse(own.expireTime) - Date.parse(own.createTime), 12 * 3_600_000)
    const [last] = (await call('GET', '/v1/sign-ins')).result.signIns
    assert.deepEqual([last.method, last.result, last.isStepUp], ['oidc', 'succeeded', false])
    await until(async () => (await mailsTo(userId, 'linked. It can be used to sign in')) === 1)
    assert.equal((await signIn(claims)).status, 200)
    await send('POST', '/v1/sign-in/link', { email: await emailOf(userId) }, {})
    await until(async () => (await mailsTo(userId, 'with this link')) === 1)
    assert.equal(await mailsTo(userId, 'linked. It can be used to sign in'), 1)
  })

  test('keeps their account when their email address changes at the provider, and does not get another', async () => {
    const [one, other] = [await member(), await member()]
    const first = await signIn(one.claims)
    const moved = { ...one.claims, email: other.claims.email }
    assert.equal((await signIn(moved)).result.userId, first.result.userId)
    await signIn(other.claims)
    const heir = { ...other.claims, sub: randomUUID() }
    assert.deepEqual(statusOf(await signIn(heir)), refused, 'an email address linked to another account')
  })

  for (const [what, claims] of Object.entries({
    'an unverified email address': { email_verified: false },
    'an email address without a verification claim': { email_verified: undefined },
    'an email address verified as "yes"': { email_verified: 'yes' },
    'no email address': { email: undefined },
    'an invalid email address': { email: 'a@b c' },
    'two email addresses': { email: ['a@b.example', 'c@d.example'] },
  } satisfies Record<string, Claims>))
    test(`is refused with ${what}`, async () => {
      const person = await member()
      assert.deepEqual(statusOf(await signIn({ ...person.claims, ...claims })), refused)
    })

  test('is refused without an invitation', async () => {
    const claims = stranger()
    assert.deepEqual(statusOf(await signIn(claims)), refused)
    const { count } = await db.only<{ count: number }>(sql`
      select count(*)::int as count from users where email = ${claims.email}`)
    assert.equal(count, 0)
  })

  test('needs no authenticator code: a second factor is up to the provider', async () => {
    const { userId, claims } = await member()
    await db.transaction((tx) =>
      tx.run(sql`
        insert into totp_secrets (user_id, secret, created_at, confirmed_at) values (${userId}, '', now(), now())`),
    )
    const { result, call } = await signIn(claims)
    assert.equal(result.isCodeNeeded, false)
    assert.equal((await call('GET', '/v1/sessions')).status, 200)
  })
})

async function mailsTo(userId: string, words: string): Promise<number> {
  const email = await emailOf(userId)
  const plain = (data: string) => data.replace(/=\n/g, '').replace(/\s+/g, ' ')
  return mailbox.received.filter(({ to, data }) => to.includes(email) && plain(data).includes(words)).length
}

describe('the redirect to the provider', () => {
  test('is bound to the browser by state, nonce and PKCE, none of which is stored', async () => {
    const { url, cookie } = await begin()
    const request = Object.fromEntries(new URL(url).searchParams)
    assert.deepEqual(
      { ...request, state: '', nonce: '', code_challenge: '' },
      {
        client_id: client.id,
        response_type: 'code',
        redirect_uri: `${baseUrl}/console/sign-in`,
        scope: 'openid email profile',
        code_challenge_method: 'S256',
        max_age: '43200',
        state: '',
        nonce: '',
        code_challenge: '',
      },
    )
    const [, secret = ''] = cookie.split('=')
    for (const value of [request.state, request.nonce, request.code_challenge, secret])
      assert.match(`${value}`, /^[\w-]{43}$/)
    const stored = JSON.stringify(
      await db.query(sql`select encode(hash, 'escape') as hash, * from oidc_tries`),
    )
    for (const value of [request.state, request.nonce, secret]) assert.ok(!stored.includes(`${value}`))
  })

  test('is offered under the provider’s name', async () => {
    const { result } = await send('POST', '/v1/sign-in/ways', {}, {})
    assert.deepEqual(result, { identityProvider: 'Example Ltd.' })
  })

  test('is refused from another origin', async () => {
    for (const path of [
      '/v1/sign-in/oidc/begin',
      '/v1/sign-in/oidc',
      '/v1/step-up/oidc/begin',
      '/v1/step-up/oidc',
    ])
      assert.equal(
        (await send('POST', path, { query: 'code=1' }, { origin: 'https://evil.example' })).status,
        403,
      )
  })
})

describe('the returned query', () => {
  test('works once, in the browser that was sent, within ten minutes', async () => {
    const { claims } = await member()
    const [one, other] = [await begin(), await begin()]
    const query = provider.authorize(one.url, claims)
    assert.deepEqual(statusOf(await comeBack(query, other.cookie)), refused, 'another browser')
    assert.deepEqual(statusOf(await comeBack(query, '')), refused, 'no cookie')
    assert.equal((await comeBack(query, one.cookie)).status, 200)
    assert.deepEqual(statusOf(await comeBack(query, one.cookie)), refused, 'again')
    assert.deepEqual(
      statusOf(await comeBack(provider.authorize(one.url, claims), one.cookie)),
      refused,
      'a new code',
    )

    const late = await begin()
    await db.transaction((tx) =>
      tx.run(sql`update oidc_tries set began_at = ${new Date(Date.now() - 600_001)}`),
    )
    assert.deepEqual(
      statusOf(await comeBack(provider.authorize(late.url, claims), late.cookie)),
      refused,
      'late',
    )
  })

  for (const [what, change] of Object.entries({
    'another state': (query: string) => query.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`),
    'no state': (query: string) => query.replace(/&state=[^&]+/, ''),
    'no code': (query: string) => query.replace(/code=[^&]+&/, ''),
    'another code': (query: string) => query.replace(/code=[^&]+/, 'code=x'),
    'two codes': (query: string) => `${query}&code=x`,
    'an error': (query: string) => `${query}&error=access_denied`,
    'the issuer of another provider': (query: string) => `${query}&iss=https%3A%2F%2Fevil.example`,
    garbage: () => '%%%&&==?#/../',
  }))
    test(`with ${what} does not sign in`, async () => {
      const { claims } = await member()
      const { url, cookie } = await begin()
      assert.deepEqual(statusOf(await comeBack(change(provider.authorize(url, claims)), cookie)), refused)
    })

  test('has a limited length', async () => {
    const { cookie } = await begin()
    for (const query of ['', 'x'.repeat(8_193), 1, null])
      assert.equal((await send('POST', '/v1/sign-in/oidc', { query }, { cookie })).status, 400)
  })
})

const seconds = () => Math.floor(Date.now() / 1_000)
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const lies: Record<string, Lie> = {
  'a token signed with another key': { key: otherKey },
  'an unsigned token': { header: { alg: 'none' }, signature: '' },
  'a token without its signature': { signature: '' },
  'a token signed with a shared secret': { header: { alg: 'HS256' } },
  'a token signed with an unknown key': { header: { kid: 'two' }, key: otherKey },
  'a token from another provider': { claims: { iss: 'https://evil.example' } },
  'a token for another client': { claims: { aud: 'other' } },
  'a token for two clients': { claims: { aud: [client.id, 'other'], azp: 'other' } },
  'an expired token': { claims: { exp: seconds() - 3_600 } },
  'a token without an expiry time': { claims: { exp: undefined } },
  'a token with another nonce': { claims: { nonce: 'x'.repeat(43) } },
  'a token without a nonce': { claims: { nonce: undefined } },
  'a token without a subject': { claims: { sub: undefined } },
  'a token with a subject of 256 characters': {
    claims: { sub: 'x'.repeat(256) },
    userinfo: { sub: 'x'.repeat(256) },
  },
  'no token': { tokenResponse: { id_token: undefined } },
  'an invalid token': { tokenResponse: { id_token: 'a.b.c' } },
  'userinfo about another user': { userinfo: { sub: 'somebody-else' } },
  'a 500': {
    respond: (response, path) => path === '/token' && !!response.writeHead(500).end('{"error":"x"}'),
  },
  'invalid JSON': {
    respond: (response, path) => path === '/token' && !!response.writeHead(200).end('<html>'),
  },
  'a redirect': {
    respond: (response, path) => path === '/token' && !!response.writeHead(307, { location: '/jwks' }).end(),
  },
  'a megabyte': {
    respond: (response, path) => path === '/token' && !!response.writeHead(200).end(' '.repeat(1_000_000)),
  },
  'a closed connection': { respond: (response, path) => path === '/token' && !!response.destroy() },
}

describe('a provider that responds with', () => {
  for (const [what, lie] of Object.entries(lies))
    test(`${what} signs nobody in`, async () => {
      const { claims } = await member()
      assert.equal((await signIn(claims)).status, 200)
      provider.lies(lie)
      const answer = await signIn(claims)
      assert.deepEqual(statusOf(answer), refused)
      assert.equal(cookieOf(answer.cookies, 'pesewa'), '')
    })
})

/** Creates a user in these groups. */
const inGroups = (claims: Claims, ...groups: unknown[]) => signIn({ ...claims, groups })
const roleIn = async (spaceId: string, userId: string) =>
  (
    await db.one<{ role: string }>(sql`
      select role from members where space_id = ${innerOf(spaceId)} and user_id = ${userId}`)
  )?.role
const innerOf = (spaceId: string) => must(readId(spaceIds, spaceId), 'Space')
const innerIdOf = async (claims: Claims) =>
  must(
    await db.one<{ userId: string }>(sql`select user_id from oidc_identities where subject = ${claims.sub}`),
    'identity',
  ).userId

describe('groups', () => {
  test('add a new member, change their role and remove them again, with audit entries', async () => {
    const { spaceId } = await t.merchant()
    const claims = stranger()
    writeGroups({
      spaces: {
        [spaceId]: [
          { group: 'bookkeeping', role: 'finance' },
          { group: 'all', role: 'viewer' },
        ],
      },
    })
    assert.equal((await inGroups(claims, 'all')).status, 200)
    const userId = await innerIdOf(claims)
    assert.equal(await roleIn(spaceId, userId), 'viewer')
    await inGroups(claims, 'all', 'bookkeeping')
    assert.equal(await roleIn(spaceId, userId), 'finance')
    await inGroups(claims)
    assert.equal(await roleIn(spaceId, userId), undefined)
    const entries = await db.query<{ action: string; actor: string }>(sql`
      select action, actor from audit_entries
      where space_id = ${innerOf(spaceId)} and environment = 'live' and object_id = ${userId} order by id`)
    assert.deepEqual(entries, [
      { action: 'member.add', actor: 'single sign-on' },
      { action: 'member.change', actor: 'single sign-on' },
      { action: 'member.remove', actor: 'single sign-on' },
    ])
  })

  test('do not change what was set manually', async () => {
    const { spaceId, userId, claims } = await member()
    writeGroups({ spaces: { [spaceId]: [{ group: 'all', role: 'viewer' }] } })
    await inGroups(claims, 'all')
    assert.equal(await roleIn(spaceId, userId), 'owner', 'already a member')

    const guest = stranger()
    await inGroups(guest, 'all')
    const guestId = await innerIdOf(guest)
    await home.transaction((tx) =>
      setMember(tx, { spaceId: innerOf(spaceId), userId: guestId, role: 'admin' }),
    )
    await inGroups(guest, 'all')
    await inGroups(guest)
    assert.equal(await roleIn(spaceId, guestId), 'admin', 'promoted since')

    const removed = stranger()
    await inGroups(removed, 'all')
    const removedId = await innerIdOf(removed)
    await db.transaction((tx) =>
      tx.run(sql`delete from members where space_id = ${innerOf(spaceId)} and user_id = ${removedId}`),
    )
    for (let times = 0; times < 3; times++) await inGroups(removed, 'all')
    assert.equal(await roleIn(spaceId, removedId), undefined, 'removed since')
    await inGroups(removed)
    await inGroups(removed, 'all')
    assert.equal(await roleIn(spaceId, removedId), 'viewer', 'left the group and rejoined it')
  })

  test('never leave a Space without an owner', async () => {
    const { spaceId, userId } = await t.merchant()
    const claims = stranger()
    writeGroups({ spaces: { [spaceId]: [{ group: 'owners', role: 'owner' }] } })
    await inGroups(claims, 'owners')
    const ownerId = await innerIdOf(claims)
    await db.transaction((tx) =>
      tx.run(sql`delete from members where space_id = ${innerOf(spaceId)} and user_id = ${userId}`),
    )
    await inGroups(claims)
    assert.equal(await roleIn(spaceId, ownerId), 'owner')
    await home.transaction((tx) => setMember(tx, { spaceId: innerOf(spaceId), userId, role: 'owner' }))
    await inGroups(claims)
    assert.equal(await roleIn(spaceId, ownerId), undefined)
  })

  test('make operators, and remove operator rights only from those whom groups made operators', async () => {
    writeGroups({ operators: ['platform'] })
    const claims = stranger()
    const { call } = await inGroups(claims, 'platform')
    const isOperator = async () =>
      (
        await db.only<{ isOperator: boolean }>(sql`
        select is_operator from users where id = ${await innerIdOf(claims)}`)
      ).isOperator
    assert.equal(await isOperator(), true)
    assert.ok((await call('GET', '/v1/me')).result.installationPermissions.length > 0)
    await inGroups(claims)
    assert.equal(await isOperator(), false)
    await home.transaction(async (tx) => setOperator(tx, await innerIdOf(claims), true))
    await inGroups(claims, 'platform')
    await inGroups(claims)
    assert.equal(await isOperator(), true, 'made an operator manually')
  })

  test('are ignored if they are not a list of texts', async () => {
    writeGroups({ operators: ['platform'] })
    for (const groups of [null, 7, { platform: true }, [['platform']].map(String).map(() => 7), 'platforms'])
      assert.deepEqual(statusOf(await signIn({ ...stranger(), groups })), refused)
    assert.equal(
      (await signIn({ ...stranger(), groups: 'platform' })).status,
      200,
      'one group, not in a list',
    )
  })

  test('refuse sign-ins while their file is invalid, and no role is lost', async () => {
    const { spaceId } = await t.merchant()
    const claims = stranger()
    writeGroups({ spaces: { [spaceId]: [{ group: 'all', role: 'viewer' }] } })
    await inGroups(claims, 'all')
    for (const broken of [
      '',
      '{',
      '[]',
      '{"operator":[]}',
      '{"spaces":{"spc-x":[]}}',
      '{"spaces":{"all":[{}]}}',
    ]) {
      writeFileSync(groupsFile, broken)
      assert.deepEqual(statusOf(await inGroups(claims, 'all')), refused, broken)
    }
    assert.equal(await roleIn(spaceId, await innerIdOf(claims)), 'viewer')
    writeGroups({ spaces: { 'spc-zzzzzzzzzzzzzzzzzzzzzzzzzz': [] } })
  })
})

const hoursAgo = (hours: number) => seconds() - hours * 3_600
const needsFresh = ['POST', '/v1/passkeys/begin'] as const

describe('a sign-in at the identity provider', () => {
  test('is as fresh as the authentication at the provider', async () => {
    const { claims } = await member()
    const fresh = await signIn(claims)
    // Passkeys do not work with an IP address, so this refusal shows that the freshness check has passed.
    assert.equal((await fresh.call(...needsFresh)).status, 409)
    for (const authTime of [hoursAgo(1), 0, undefined]) {
      const stale = await signIn({ ...claims, auth_time: authTime })
      assert.deepEqual(statusOf(await stale.call(...needsFresh)), [403, 'step_up_required'], `${authTime}`)
    }
    for (const authTime of ['now', -1, null])
      assert.deepEqual(statusOf(await signIn({ ...claims, auth_time: authTime })), refused, `${authTime}`)
    const future = await signIn({ ...claims, auth_time: seconds() + 1e9 })
    const { freshUntil } = (await future.call('GET', '/v1/me')).result
    assert.ok(
      Date.parse(freshUntil) <= Date.now() + 600_000,
      'a time in the future does not keep a session fresh',
    )
  })

  test('becomes fresh only by authenticating at the provider again', async () => {
    const { userId, claims } = await member()
    await signIn(claims)
    const { call, cookie } = await signedIn(userId, new Date(Date.now() - 3_600_000))
    const beginStepUp = async () => {
      const { result, cookies } = await send('POST', '/v1/step-up/oidc/begin', {}, { cookie })
      return { url: String(result.url), cookies: `${cookie}; ${cookieOf(cookies, 'pesewa-oidc')}` }
    }
    const stepUp = async (claims: Claims, path = '/v1/step-up/oidc') => {
      const { url, cookies } = await beginStepUp()
      return send('POST', path, { query: provider.authorize(url, claims) }, { cookie: cookies })
    }
    const { searchParams } = new URL((await beginStepUp()).url)
    assert.deepEqual([searchParams.get('prompt'), searchParams.get('max_age')], ['login', '0'])

    const other = await member()
    await signIn(other.claims)
    assert.deepEqual(
      statusOf(await stepUp({ ...claims, auth_time: seconds() - 120 })),
      refused,
      'no new authentication',
    )
    assert.deepEqual(
      statusOf(await stepUp({ ...claims, auth_time: undefined })),
      refused,
      'no time of authentication',
    )
    assert.deepEqual(statusOf(await stepUp(other.claims)), refused, 'another user')
    assert.deepEqual(statusOf(await stepUp(stranger())), refused, 'nobody')
    assert.deepEqual(statusOf(await stepUp(claims, '/v1/sign-in/oidc')), refused, 'it signs nobody in')
    const plain = await begin()
    const asSignIn = { cookie: `${cookie}; ${plain.cookie}` }
    const query = provider.authorize(plain.url, claims)
    assert.deepEqual(
      statusOf(await send('POST', '/v1/step-up/oidc', { query }, asSignIn)),
      refused,
      'a sign-in',
    )
    assert.deepEqual(statusOf(await call(...needsFresh)), [403, 'step_up_required'])

    assert.deepEqual((await stepUp(claims)).result, { isFresh: true })
    assert.equal((await call(...needsFresh)).status, 409)
    const [last] = (await call('GET', '/v1/sign-ins')).result.signIns
    assert.deepEqual([last.method, last.isStepUp, last.result], ['oidc', true, 'succeeded'])
  })
})

/** Starts another node with the same provider and other settings, and signs in there. */
async function atNodeWith(settings: Record<string, string>) {
  const node = await startTestApp({
    anotherNodeOf: t,
    work: false,
    settings: { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, ...settings },
  })
  const own = peopleOf(node)
  const begin = () => own.send('POST', '/v1/sign-in/oidc/begin', {}, {})
  return {
    close: () => node.close(),
    begin,
    async signIn(claims: Claims) {
      const { result, cookies } = await begin()
      const query = provider.authorize(String(result.url), claims)
      return own.send('POST', '/v1/sign-in/oidc', { query }, { cookie: cookieOf(cookies, 'pesewa-oidc') })
    },
  }
}

test('an unreachable provider signs nobody in, and is contacted again at the next sign-in', async () => {
  const node = await atNodeWith({ OIDC_CLIENT_SECRET: client.secret })
  try {
    provider.lies({ respond: (response) => !!response.writeHead(503).end() })
    assert.deepEqual(statusOf(await node.begin()), refused)
    provider.lies({})
    provider.says({ issuer: 'https://evil.example' })
    assert.deepEqual(statusOf(await node.begin()), refused, 'whose metadata names another issuer')
    provider.says({ token_endpoint: 'ftp://evil.example', token_endpoint_auth_methods_supported: [] })
    assert.equal((await node.begin()).status, 200)
  } finally {
    await node.close()
  }
})

for (const methods of [undefined, ['client_secret_post'], ['client_secret_basic']])
  test(`the client's secret is read from its file each time (${methods?.join() ?? 'by default'})`, async () => {
    const { claims } = await member()
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'pesewa-secret-')), 'oidc')
    provider.says({ token_endpoint_auth_methods_supported: methods })
    const node = await atNodeWith({ OIDC_CLIENT_SECRET_FILE: file })
    try {
      assert.deepEqual(statusOf(await node.signIn(claims)), refused, 'no file')
      writeFileSync(file, 'another')
      assert.deepEqual(statusOf(await node.signIn(claims)), refused)
      writeFileSync(file, `${client.secret}\n`)
      assert.equal((await node.signIn(claims)).status, 200)
    } finally {
      await node.close()
    }
  })

test('without a provider, single sign-on is refused', async () => {
  const node = await startTestApp({ anotherNodeOf: t, work: false })
  try {
    const { send } = peopleOf(node)
    assert.deepEqual((await send('POST', '/v1/sign-in/ways', {}, {})).result, { identityProvider: null })
    for (const [path, body] of [
      ['/v1/sign-in/oidc/begin', {}],
      ['/v1/sign-in/oidc', { query: 'code=1' }],
    ] as const)
      assert.deepEqual(statusOf(await send('POST', path, body, {})), [409, 'state_conflict'])
  } finally {
    await node.close()
  }
})

test('an invalid groups file keeps the program from starting', async () => {
  writeFileSync(groupsFile, '{"operators": "platform"}')
  const settings = { OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_GROUPS_FILE: groupsFile }
  await assert.rejects(
    startTestApp({ anotherNodeOf: t, work: false, settings }),
    /OIDC_GROUPS_FILE: .*groups\.json: \/operators/,
  )
})

test('no table contains codes, tokens or the client secret', async () => {
  const { claims } = await member()
  const { url, cookie } = await begin()
  const query = provider.authorize(url, claims)
  const { cookies } = await comeBack(query, cookie)
  const open = await begin()
  const stored = await storedIn(db)
  assert.ok(stored.includes(`${claims.sub}`))
  const bound = new URL(open.url).searchParams
  const secrets = [
    client.secret,
    ...provider.seen.flatMap(({ verifier, code }) => (code === 'x' ? [] : [verifier, code])),
    ...[cookie, open.cookie, cookieOf(cookies, 'pesewa')].map((each) => each.split('=')[1] ?? ''),
    ...['state', 'nonce', 'code_challenge'].map((name) => bound.get(name) ?? ''),
  ]
  for (const secret of secrets)
    for (const form of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
      assert.ok(secret.length > 10 && !stored.includes(form), secret)
})
