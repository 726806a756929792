import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId, showId } from '../../../../packages/server/src/platform/ids.ts'
import { writeAuditEntry } from '../../../../packages/server/src/tenants/spaces/audit.ts'
import { spaceIds, tokenIds } from '../../../../packages/server/src/tenants/spaces/resources.ts'
import { type Merchant, startTestApp } from '../../../support/harness.ts'

const t = await startTestApp({ hasLiveProvider: true })
after(() => t.close())
const { db } = t.app.parts
const url = '/v1/audit-entries'

const [first, second] = [newId(new Date()), newId(new Date())]
let shop: Merchant
before(async () => {
  shop = await t.merchant()
  await decide('ama@shop.example', 'token.create', first, 'for the website')
  await decide('ama@shop.example', 'token.revoke', first, '=1+1')
  await decide('kofi@shop.example', 'token.create', second, 'for the till')
})

const decide = (by: string, action: string, objectId: string, reason: string, { scope } = shop) =>
  db.transaction((tx) =>
    writeAuditEntry(
      tx,
      scope,
      { by, reason },
      { action, objectType: 'token', objectId, details: { name: 'Website' } },
    ),
  )
const reasonsOf = async (query: string) => {
  const { status, body } = await shop.call('GET', url + query)
  assert.equal(status, 200, JSON.stringify(body))
  return body.result.map(({ reason }: { reason: string }) => reason)
}

describe('GET /v1/audit-entries', () => {
  test('lists entries newest first, page by page', async () => {
    const [newest] = (await shop.call('GET', url)).body.result
    const { id, createTime, ...rest } = newest
    assert.match(id, /^aud-/)
    assert.ok(Math.abs(Date.parse(createTime) - Date.now()) < 60_000)
    assert.deepEqual(rest, {
      actor: 'kofi@shop.example',
      action: 'token.create',
      object: { id: showId(tokenIds, second), type: 'token' },
      reason: 'for the till',
      details: { name: 'Website' },
    })
    const pages: string[] = []
    for (let next = ''; ; ) {
      const { body } = await shop.call('GET', `${url}?limit=1${next && `&after=${next}`}`)
      pages.push(...body.result.map(({ reason }: { reason: string }) => reason))
      next = body.pagination.next
      if (!next) break
    }
    assert.deepEqual(pages, ['for the till', '=1+1', 'for the website'])
  })

  test('filters by actor, action, object and time, alone and combined', async () => {
    assert.deepEqual(await reasonsOf('?actor=ama%40shop.example'), ['=1+1', 'for the website'])
    assert.deepEqual(await reasonsOf('?action=token.create'), ['for the till', 'for the website'])
    const object = `objectId=${showId(tokenIds, first)}`
    assert.deepEqual(await reasonsOf(`?${object}`), ['=1+1', 'for the website'])
    assert.deepEqual(await reasonsOf(`?${object}&action=token.create&actor=ama%40shop.example`), [
      'for the website',
    ])
    assert.deepEqual(await reasonsOf('?actor=ama&action=token.create'), [])
    assert.deepEqual(await reasonsOf(`?to=${new Date(Date.now() - 3_600_000).toISOString()}`), [])
    for (const objectId of ['nothing', showId(spaceIds, first), showId(tokenIds, newId(new Date()))]) {
      const { status, body } = await shop.call('GET', `${url}?objectId=${objectId}`)
      assert.deepEqual([status, body.error.details[0].param], [400, 'objectId'])
    }
    for (const query of [`actor=${'x'.repeat(101)}`, 'nobody=1'])
      assert.equal((await shop.call('GET', `${url}?${query}`)).status, 400, query)
  })

  test('exports all as CSV, with formulas neutralized', async () => {
    const response = await fetch(t.baseUrl + url, {
      headers: {
        accept: 'text/csv',
        authorization: `Bearer ${shop.token}`,
        'service-space-id': shop.spaceId,
      },
    })
    assert.match(response.headers.get('content-type') ?? '', /^text\/csv/)
    const lines = (await response.text()).trim().split(/\r?\n/)
    assert.equal(lines[0], 'id,createTime,actor,action,object.id,object.type,reason,details')
    assert.equal(lines.length, 4)
    assert.ok(lines[2]?.includes(`,'=1+1,`), lines[2])
  })

  test('is for owners, admins and finance, in their own Space and environment', async () => {
    const statuses: [string, number][] = []
    for (const role of ['owner', 'admin', 'finance', 'developer', 'viewer']) {
      const member = await t.merchant({ sameSpaceAs: shop, role })
      statuses.push([role, (await member.call('GET', url)).status])
    }
    assert.deepEqual(statuses, [
      ['owner', 200],
      ['admin', 200],
      ['finance', 200],
      ['developer', 403],
      ['viewer', 403],
    ])
    const live = await t.merchant({ sameUserAs: shop, environment: 'live' })
    const stranger = await t.merchant()
    for (const merchant of [live, stranger]) {
      assert.deepEqual((await merchant.call('GET', url)).body.result, [])
      assert.deepEqual((await merchant.call('GET', `${url}?actor=ama%40shop.example`)).body.result, [])
      const { status } = await merchant.call('GET', `${url}?objectId=${showId(tokenIds, first)}`)
      assert.equal(status, 400)
    }
  })
})
