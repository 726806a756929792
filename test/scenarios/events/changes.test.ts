import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { publish } from '../../../packages/server/src/events/events.ts'
import { eventIds } from '../../../packages/server/src/events/resources.ts'
import type { EventType } from '../../../packages/server/src/events/types.ts'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { allResources, type Resource, resourceOf } from '../../../packages/server/src/platform/resources.ts'
import { roleHas, roleNames } from '../../../packages/server/src/tenants/spaces/permissions.ts'
import { entriesOf } from '../../support/examples.ts'
import { follow } from '../../support/follow.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
const { db } = t.app.parts
const path = '/v1/changes/stream'
const followChanges = (who: Merchant, lastEventId?: string) => follow(t.baseUrl, who, lastEventId, path)

/** Lines of postings have no data of their own, so their events need a posting. */
const changing = () =>
  allResources().filter(({ type, eventTypes }) => eventTypes && type !== 'financial_transaction')

async function change(of: Merchant, ...resources: Resource[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { type, eventTypes = {} } of resources)
      publish(tx, of.scope, {
        // Every resource names its event types.
        types: [`${type}.${Object.keys(eventTypes)[0]}` as EventType],
        objectId: crypto.randomUUID(),
        data: { id: 'secret' },
        at: new Date(),
      })
  })
}
const changePayment = (of: Merchant) => change(of, resourceOf('payment'))

describe('GET /v1/changes/stream', () => {
  let shop: Merchant
  before(async () => {
    shop = await t.merchant()
  })

  for (const role of roleNames)
    test(`${role}: receives the types that the role may read, and no others`, async () => {
      const member = await t.merchant({ sameSpaceAs: shop, role })
      const stream = await followChanges(member)
      await change(shop, ...changing().filter(({ type }) => type !== 'payment'))
      await changePayment(shop)
      const types = await until(() => {
        const all = stream.received.map(({ data }) => data.type)
        return all.includes('payment') && all
      })
      stream.close()
      const readable = changing().filter(({ readPermission = '' }) => roleHas(role, readPermission))
      assert.deepEqual([...new Set(types)].sort(), readable.map(({ type }) => type).sort())
      assert.ok(types.includes('payment') && types.includes('refund'))
      assert.equal(types.includes('payout'), role !== 'support')
      assert.equal(types.includes('settlement'), roleHas(role, 'settlements:read'))
    })

  test('contains a type and nothing else, and merges changes that are published together', async () => {
    const stream = await followChanges(shop)
    await change(shop, resourceOf('payment'), resourceOf('payment'), resourceOf('payment'))
    await until(() => stream.received.length > 0)
    assert.deepEqual(stream.received[0]?.data, { type: 'payment' })
    assert.ok(!JSON.stringify(stream.received).includes('secret'))
    stream.close()
  })

  test('follows the current permissions: a new role sees only what it may read', async () => {
    const member = await t.merchant({ sameSpaceAs: shop, role: 'finance' })
    const stream = await followChanges(member)
    await change(shop, resourceOf('payout'))
    await until(() => stream.received.some(({ data }) => data.type === 'payout'))
    await t.merchant({ sameSpaceAs: shop, sameUserAs: member, role: 'support' })
    // A node caches roles for a moment.
    await until(async () => (await member.call('GET', '/v1/payouts')).status === 403)
    const before = stream.received.length
    await change(shop, resourceOf('payout'))
    await changePayment(shop)
    await until(() => stream.received.slice(before).some(({ data }) => data.type === 'payment'))
    assert.ok(!stream.received.slice(before).some(({ data }) => data.type === 'payout'))
    stream.close()
  })

  test('ends when the token is revoked, before it sends anything more', async () => {
    const member = await t.merchant({ sameSpaceAs: shop, role: 'support' })
    const stream = await followChanges(member)
    await db.pool.query('update tokens set revoked_at = now() where hash = sha256($1)', [member.token])
    await until(async () => (await member.call('GET', '/v1/payments')).status === 401)
    await changePayment(shop)
    await stream.ended
    assert.deepEqual(stream.received, [])
  })

  test('resumes after the last change, and contains no changes of another Space or environment', async () => {
    const other = await t.merchant()
    const [mine, theirs] = [await followChanges(shop), await followChanges(other)]
    await changePayment(shop)
    const [first] = await mine.take(1)
    mine.close()
    await change(shop, resourceOf('refund'))
    await change(other, resourceOf('payout'))
    await theirs.take(1)
    const again = await followChanges(shop, first!.id)
    await again.take(1)
    assert.deepEqual(
      [...again.received, ...theirs.received].map(({ data }) => data.type),
      ['refund', 'payout'],
    )
    again.close()
    theirs.close()
  })

  test('400, 401 and 403 as for other routes', async () => {
    const get = (who: Merchant, headers: Record<string, string> = {}) =>
      who.call('GET', path, undefined, headers)
    for (const id of ['nonsense', 'evt-', showId(eventIds, crypto.randomUUID()), 'x'.repeat(2_000)]) {
      const { status, body } = await get(shop, { 'last-event-id': id })
      assert.deepEqual([status, body.error.details[0].param], [400, 'Last-Event-ID'], id)
    }
    const { error } = (await shop.call('GET', `${path}?type=payout`)).body
    assert.deepEqual(error.details[0].param, 'type')
    assert.equal((await get(await t.merchant({ scopes: ['payouts:read'] }))).status, 403)
    assert.equal((await get(shop, { authorization: 'Bearer psw_test_x' })).status, 401)
    const elsewhere = { 'service-space-id': (await t.merchant()).spaceId }
    assert.equal((await get(shop, elsewhere)).status, 403)
  })
})

test('the permission of a resource with events is the one that its GET requires', async () => {
  const routes = (await entriesOf(t)).map(({ route }) => route)
  for (const { type, ids, readPermission, path: listed } of allResources().filter(
    ({ eventTypes }) => eventTypes,
  )) {
    const reading = routes.filter(
      ({ method, kind, idKind, url, permission }) =>
        method === 'GET' &&
        kind !== 'stream' &&
        // It shows balances, and only to those who may decide.
        !url.endsWith('/approval') &&
        !permission?.startsWith('installation:') &&
        (idKind === ids || (listed !== undefined && url === `/v1${listed}`)),
    )
    // An event about the books of a Space does not concern an object that can be retrieved.
    if (type !== 'ledger') assert.ok(reading.length > 0, type)
    for (const { permission, url } of reading) assert.equal(permission, readPermission, `${type} ${url}`)
  }
})
