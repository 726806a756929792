import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { readId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { userIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { beginSession } from '../../../../packages/server/src/tenants/spaces/sessions.ts'
import { invitationLink } from '../../../../packages/server/src/tenants/team/invitations.ts'
import { invitationIds } from '../../../../packages/server/src/tenants/team/resources.ts'
import { type Merchant, startTestApp, until } from '../../../support/harness.ts'
import { startMailbox } from '../../../support/smtp.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ hasLiveProvider: true, settings: { SMTP_URL: mailbox.url } })
after(async () => {
  await t.close()
  await mailbox.close()
})
const { db, home, seals, baseUrl } = t.app.parts

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Body = any
type Reply = { status: number; body: Body }
const reasonOf = ({ status, body }: Reply) => [status, body.error?.reason]
const pathOf = ({ userId }: Pick<Merchant, 'userId'>) => `/v1/members/${showId(userIds, userId)}`
const rolesOf = async (merchant: Merchant): Promise<Record<string, string>> => {
  const { body } = await merchant.call('GET', '/v1/members?limit=50')
  return Object.fromEntries(body.result.map(({ id, role }: { id: string; role: string }) => [id, role]))
}
const actionsOf = ({ scope }: Merchant) =>
  db.query<{ action: string; environment: string }>(sql`
    select action, environment::text from audit_entries where space_id = ${scope.spaceId} order by at, id`)
const emailOf = async (userId: string) =>
  (await db.only<{ email: string }>(sql`select email from users where id = ${userId}`)).email

describe('the members of a Space', () => {
  test('are listed with role and date to permitted callers, without members of other Spaces', async () => {
    const shop = await t.merchant()
    const viewer = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
    await t.merchant()
    const { result } = (await viewer.call('GET', '/v1/members')).body
    assert.deepEqual(
      result.map(({ id, role, email }: { id: string; role: string; email: string }) => [id, role, email]),
      [
        [showId(userIds, viewer.userId), 'viewer', await emailOf(viewer.userId)],
        [showId(userIds, shop.userId), 'owner', await emailOf(shop.userId)],
      ],
    )
    assert.ok(Math.abs(Date.parse(result[0].createTime) - Date.now()) < 60_000)
    const [page] = [(await viewer.call('GET', '/v1/members?limit=1')).body]
    const next = (await viewer.call('GET', `/v1/members?limit=1&after=${page.pagination.next}`)).body
    assert.deepEqual([...page.result, ...next.result], result)
    for (const role of ['developer', 'finance']) {
      const member = await t.merchant({ sameSpaceAs: shop, role })
      assert.deepEqual(reasonOf(await member.call('GET', '/v1/members')), [403, 'access_denied'])
    }
  })

  test('cannot be changed by any test token, because they also belong to live', async () => {
    const shop = await t.merchant()
    const member = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
    const send = async (method: string, path: string, body: object | undefined, token: string) => {
      const reply = await fetch(t.baseUrl + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'service-space-id': shop.spaceId,
          'idempotency-key': crypto.randomUUID(),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return [reply.status, JSON.parse(await reply.text()).error?.reason]
    }
    const { id } = (await shop.call('POST', '/v1/invitations', { email: 'ama@shop.example', role: 'viewer' }))
      .body.result
    const memberUrl = `/v1/members/${showId(userIds, member.userId)}`
    for (const [method, path, body] of [
      ['POST', '/v1/invitations', { email: 'kofi@shop.example', role: 'owner' }],
      ['POST', `/v1/invitations/${id}/resend`, {}],
      ['DELETE', `/v1/invitations/${id}`, undefined],
      ['PATCH', memberUrl, { role: 'owner' }],
      ['DELETE', memberUrl, undefined],
    ] as const)
      assert.deepEqual(
        await send(method, path, body, shop.token),
        [403, 'access_denied'],
        `${method} ${path}`,
      )
    assert.deepEqual(await send('PATCH', memberUrl, { role: 'finance' }, shop.tokenFor(memberUrl)), [
      200,
      undefined,
    ])
  })

  test('change role within a second; a removed member loses access, and the tokens for this Space only', async () => {
    const shop = await t.merchant()
    const member = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
    assert.equal((await member.call('POST', '/v1/access-tokens', {})).status, 403)
    const { status, body } = await shop.call('PATCH', pathOf(member), { role: 'developer' })
    assert.deepEqual([status, body.result.role], [200, 'developer'])
    const newToken = { name: 'Website', scopes: ['payments:read'] }
    const made = await until(async () => {
      const reply = await member.call('POST', '/v1/access-tokens', newToken)
      return reply.status === 200 && reply.body.result
    })
    assert.equal((await shop.call('DELETE', pathOf(member))).status, 200)
    await until(async () => (await member.call('GET', '/v1/payments')).status === 403)
    assert.deepEqual(reasonOf(await shop.call('DELETE', pathOf(member))), [404, 'not_found'])
    assert.deepEqual(reasonOf(await shop.call('PATCH', pathOf(member), { role: 'viewer' })), [
      404,
      'not_found',
    ])
    const me = await fetch(`${baseUrl}/v1/me`, { headers: { authorization: `Bearer ${made.token}` } })
    assert.equal(me.status, 401)
    assert.deepEqual(
      (await actionsOf(shop)).map(({ action, environment }) => `${action} ${environment}`),
      [
        'member.change test',
        'member.change live',
        'token.create test',
        'member.remove test',
        'member.remove live',
      ],
    )
  })

  test('of another Space are not found, whichever Space is named', async () => {
    const [shop, other] = [await t.merchant(), await t.merchant()]
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { role: 'viewer' }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual(reasonOf(await shop.call(method, pathOf(other), body)), [404, 'not_found'])
    assert.deepEqual(await rolesOf(other), { [showId(userIds, other.userId)]: 'owner' })
  })

  test('400 for an invalid role', async () => {
    const shop = await t.merchant()
    for (const body of [{ role: 'king' }, { role: '' }, {}, { role: null }, { role: 'viewer', more: 1 }])
      assert.equal((await shop.call('PATCH', pathOf(shop), body)).status, 400, JSON.stringify(body))
  })
})

describe('nobody manages members above their own rank', () => {
  test('an admin cannot make, demote or remove an owner; a developer cannot manage anyone', async () => {
    const shop = await t.merchant()
    const [admin, second, developer] = [
      await t.merchant({ sameSpaceAs: shop, role: 'admin' }),
      await t.merchant({ sameSpaceAs: shop, role: 'admin' }),
      await t.merchant({ sameSpaceAs: shop, role: 'developer' }),
    ]
    const before = await rolesOf(shop)
    const tries: [Merchant, 'PATCH' | 'DELETE', Merchant, string?][] = [
      [admin, 'PATCH', admin, 'owner'],
      [admin, 'PATCH', developer, 'owner'],
      [admin, 'PATCH', shop, 'viewer'],
      [admin, 'DELETE', shop],
      [developer, 'PATCH', developer, 'admin'],
      [developer, 'DELETE', admin],
    ]
    for (const [who, method, whom, role] of tries)
      assert.deepEqual(reasonOf(await who.call(method, pathOf(whom), role && { role })), [
        403,
        'access_denied',
      ])
    const invited = await admin.call('POST', '/v1/invitations', { email: 'new@shop.example', role: 'owner' })
    assert.deepEqual(reasonOf(invited), [403, 'access_denied'])
    assert.deepEqual(await rolesOf(shop), before)
    assert.equal((await admin.call('PATCH', pathOf(second), { role: 'viewer' })).status, 200)
    assert.equal((await admin.call('PATCH', pathOf(developer), { role: 'admin' })).status, 200)
  })

  test('the last owner stays, even if two leave concurrently', async () => {
    const shop = await t.merchant()
    for (const [method, body] of [
      ['PATCH', { role: 'admin' }],
      ['DELETE', undefined],
    ] as const)
      assert.deepEqual(reasonOf(await shop.call(method, pathOf(shop), body)), [409, 'state_conflict'])
    for (let round = 0; round < 5; round++) {
      const space = await t.merchant()
      const partner = await t.merchant({ sameSpaceAs: space, role: 'owner' })
      const replies = await Promise.all([
        space.call('PATCH', pathOf(partner), { role: 'viewer' }),
        partner.call('DELETE', pathOf(space)),
        space.call('PATCH', pathOf(space), { role: 'admin' }),
        partner.call('DELETE', pathOf(partner)),
      ])
      const owners = await db.query(sql`
        select 1 from members where space_id = ${space.scope.spaceId} and role = 'owner'`)
      assert.ok(owners.length >= 1, JSON.stringify(replies.map(({ status }) => status)))
    }
  })

  test('a session needs a fresh sign-in to manage members', async () => {
    const shop = await t.merchant()
    const member = await t.merchant({ sameSpaceAs: shop, role: 'viewer' })
    const secret = await home.transaction((tx) =>
      beginSession(
        tx,
        { userId: shop.userId, method: 'link', address: '127.0.0.1', agent: '' },
        new Date(Date.now() - 11 * 60_000),
      ),
    )
    const call = async (method: string, path: string, body?: object): Promise<Reply> => {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          cookie: `pesewa=${secret}`,
          'service-space-id': shop.spaceId,
          origin: baseUrl,
          'idempotency-key': randomUUID(),
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    }
    const { id } = (await shop.call('POST', '/v1/invitations', { email: 'a@shop.example', role: 'viewer' }))
      .body.result
    const tries: [string, string, object?][] = [
      ['PATCH', pathOf(member), { role: 'admin' }],
      ['DELETE', pathOf(member)],
      ['POST', '/v1/invitations', { email: 'x@shop.example', role: 'viewer' }],
      ['POST', `/v1/invitations/${id}/resend`, {}],
      ['DELETE', `/v1/invitations/${id}`],
    ]
    for (const [method, path, body] of tries)
      assert.deepEqual(
        reasonOf(await call(method, path, body)),
        [403, 'step_up_required'],
        `${method} ${path}`,
      )
    assert.equal((await call('GET', '/v1/members')).status, 200)
  })
})

const accept = async (secret: string): Promise<Reply & { cookie: string }> => {
  const response = await fetch(`${baseUrl}/v1/sign-in/invitation`, {
    method: 'POST',
    headers: { origin: baseUrl, 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  })
  const [, cookie = ''] = /pesewa=([^;]+)/.exec(response.headers.get('set-cookie') ?? '') ?? []
  return { status: response.status, body: await response.json(), cookie }
}
const secretOf = (link: string) => link.split('#invitation=')[1] ?? ''
const linkOf = (id: string) => invitationLink({ baseUrl, seals }, readId(invitationIds, id) ?? '')
const invite = async (merchant: Merchant, email: string, role = 'developer') => {
  const made = await merchant.call('POST', '/v1/invitations', { email, role })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  return made.body.result
}
const mailTo = (email: string) =>
  until(async () => {
    const mail = mailbox.received.findLast(({ to }) => to.includes(email))
    return mail?.data.replace(/=\n/g, '').replace(/=3D/g, '=')
  })

describe('an invitation', () => {
  test('is mailed; its link creates a user and a member, signs in, and works once', async () => {
    const shop = await t.merchant({ name: 'Lappa House' })
    const made = await invite(shop, 'Ama@shop.example', 'finance')
    assert.deepEqual(Object.keys(made).sort(), ['createTime', 'email', 'expireTime', 'id', 'role', 'status'])
    assert.equal(Date.parse(made.expireTime) - Date.parse(made.createTime), 7 * 86_400_000)
    const mail = await mailTo('Ama@shop.example')
    assert.match(mail, /Lappa House/)
    const [, secret = ''] = /#invitation=(\S+)/.exec(mail) ?? []
    assert.equal(secret, secretOf(linkOf(made.id)))
    const accepted = await accept(secret)
    assert.equal(accepted.status, 200)
    const me = await fetch(`${baseUrl}/v1/me`, { headers: { cookie: `pesewa=${accepted.cookie}` } })
    const { result } = (await me.json()) as Body
    assert.deepEqual(
      [result.user.email, result.spaces.map(({ id, role }: Body) => [id, role])],
      ['Ama@shop.example', [[shop.spaceId, 'finance']]],
    )
    assert.deepEqual(reasonOf(await accept(secret)), [401, 'sign_in_failed'])
    const [invitation] = (await shop.call('GET', '/v1/invitations')).body.result
    assert.equal(invitation.status, 'accepted')
    assert.deepEqual(
      [...new Set((await actionsOf(shop)).map(({ action }) => action))],
      ['invitation.create', 'invitation.accept'],
    )
  })

  test('accepted twenty times concurrently creates one member and one session', async () => {
    const shop = await t.merchant()
    const { id } = await invite(shop, 'many@shop.example')
    const replies = await Promise.all(Array.from({ length: 12 }, () => accept(secretOf(linkOf(id)))))
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(Object.keys(await rolesOf(shop)).length, 2)
  })

  test('is refused in the same way if it is withdrawn, expired, altered or from another installation', async () => {
    const shop = await t.merchant()
    const withdrawn = await invite(shop, 'one@shop.example')
    for (let i = 0; i < 2; i++)
      assert.equal((await shop.call('DELETE', `/v1/invitations/${withdrawn.id}`)).status, 200)
    const expired = await invite(shop, 'two@shop.example')
    await db.transaction((tx) =>
      tx.run(sql`
        update invitations set expires_at = now() - interval '1 second'
        where id = ${readId(invitationIds, expired.id) ?? null}`),
    )
    const open = await invite(shop, 'three@shop.example')
    const secret = secretOf(linkOf(open.id))
    const [id, tag = ''] = secret.split('.')
    const foreign = invitationLink(
      { baseUrl, seals: { ...seals, tag: () => 'x'.repeat(22) } },
      readId(invitationIds, open.id) ?? '',
    )
    for (const bad of [
      ...[withdrawn.id, expired.id].map((one: string) => secretOf(linkOf(one))),
      ...[secretOf(foreign), `${withdrawn.id}.${tag}`, id ?? '', `${id}.`, `${secret}x`, 'x'],
    ])
      assert.deepEqual(reasonOf(await accept(bad)), [401, 'sign_in_failed'], bad)
    assert.equal(Object.keys(await rolesOf(shop)).length, 1)
    assert.equal((await accept(secret)).status, 200)
  })

  test('of an inviter who has lost the right to invite no longer works', async () => {
    const shop = await t.merchant()
    const admin = await t.merchant({ sameSpaceAs: shop, role: 'admin' })
    const { id } = await invite(admin, 'friend@shop.example', 'admin')
    await shop.call('PATCH', pathOf(admin), { role: 'viewer' })
    assert.deepEqual(reasonOf(await accept(secretOf(linkOf(id)))), [401, 'sign_in_failed'])
  })

  test('to an existing user adds the Space, and keeps a role that the user was given in the meantime', async () => {
    const [shop, other] = [await t.merchant(), await t.merchant()]
    const email = await emailOf(other.userId)
    const { id } = await invite(shop, email.toUpperCase(), 'viewer')
    assert.equal((await accept(secretOf(linkOf(id)))).body.result.userId, showId(userIds, other.userId))
    assert.equal((await rolesOf(shop))[showId(userIds, other.userId)], 'viewer')
    assert.deepEqual(reasonOf(await shop.call('POST', '/v1/invitations', { email, role: 'owner' })), [
      409,
      'state_conflict',
    ])
  })

  test('can be sent five times in total, with the same link and 7 more days; one can be open per person', async () => {
    const shop = await t.merchant()
    const email = 'again@shop.example'
    const { id } = await invite(shop, email)
    assert.deepEqual(reasonOf(await shop.call('POST', '/v1/invitations', { email, role: 'admin' })), [
      409,
      'state_conflict',
    ])
    const statuses: number[] = []
    for (let i = 0; i < 5; i++)
      statuses.push((await shop.call('POST', `/v1/invitations/${id}/resend`, {})).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 409])
    await until(async () => mailbox.received.filter(({ to }) => to.includes(email)).length === 5)
    await shop.call('DELETE', `/v1/invitations/${id}`)
    assert.deepEqual(reasonOf(await shop.call('POST', `/v1/invitations/${id}/resend`, {})), [
      409,
      'state_conflict',
    ])
    await invite(shop, email)
  })

  test('of another Space is not found; its link is never shown or stored', async () => {
    const [shop, other] = [await t.merchant(), await t.merchant()]
    const { id } = await invite(shop, 'secret@shop.example')
    assert.deepEqual((await other.call('GET', '/v1/invitations')).body.result, [])
    assert.deepEqual(reasonOf(await other.call('DELETE', `/v1/invitations/${id}`)), [404, 'not_found'])
    assert.deepEqual(reasonOf(await other.call('POST', `/v1/invitations/${id}/resend`, {})), [
      404,
      'not_found',
    ])
    await mailTo('secret@shop.example')
    const [, tag = 'none'] = secretOf(linkOf(id)).split('.')
    const rows = await db.query<{ text: string }>(sql`
      select invitations::text as text from invitations union all select jobs::text from jobs
      union all select audit_entries::text from audit_entries union all select idempotency_keys::text from idempotency_keys`)
    const shown = JSON.stringify((await shop.call('GET', '/v1/invitations')).body)
    assert.ok(![...rows.map(({ text }) => text), shown].some((text) => text.includes(tag)))
  })

  test('400 for an invalid address or role; at most 50 invitations a day', async () => {
    const shop = await t.merchant()
    for (const body of [
      { email: 'x', role: 'viewer' },
      { email: 'a@b.c', role: 'king' },
      { email: 'a@b.c' },
      { role: 'viewer' },
    ])
      assert.equal((await shop.call('POST', '/v1/invitations', body)).status, 400)
    const replies: Reply[] = []
    // Only a few at a time, because they wait for the same lock, whose timeout a slow machine could exceed.
    for (let n = 0; n < 52; n += 4)
      replies.push(
        ...(await Promise.all(
          [0, 1, 2, 3].map((i) =>
            shop.call('POST', '/v1/invitations', { email: `p${n + i}@shop.example`, role: 'viewer' }),
          ),
        )),
      )
    assert.equal(replies.filter(({ status }) => status === 200).length, 50)
    const { result } = (await shop.call('GET', '/v1/invitations?status=pending&limit=50')).body
    assert.equal(result.length, 50)
  })
})
