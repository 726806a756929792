import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { mainAccount, systemAccount } from '../../../packages/server/src/ledger/accounts/accounts.ts'
import { openAccount } from '../../../packages/server/src/ledger/accounts/new-account.ts'
import { post as writePosting } from '../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../packages/server/src/ledger/accounts/resources.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { deleteOldKeys } from '../../../packages/server/src/platform/http/commands/idempotency.ts'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'
import { send } from '../../support/wire.ts'

const t = await startTestApp({ work: false, hasLiveProvider: true, app: { lockTimeoutMs: 1_000 } })
after(() => t.close())
const { db } = t.app.parts
const merchant = await t.merchant()

const session = {
  name: 'Order 42',
  lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 15_000 } }],
  metadata: { a: 1, b: [{ c: 2, d: null }] },
}

/** Sends a body as exactly this text. */
const post = (
  key: string,
  body: string | object = session,
  { token, spaceId }: Merchant = merchant,
  path = '/v1/checkout-sessions',
) =>
  send(t.baseUrl, {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${token}`,
      'service-space-id': spaceId,
      'idempotency-key': key,
      'content-type': 'application/json',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const isReplay = ({ headers }: { headers: Record<string, unknown> }) =>
  headers['service-idempotent-replay'] === 'true'

const countSessions = async ({ scope }: Merchant) => {
  const row = await db.one<{ count: bigint }>(sql`
    select count(*) from checkout_sessions where space_id = ${scope.spaceId} and environment = ${scope.environment}`)
  return Number(row!.count)
}

/** Opens a separate connection that stands in for a first request that hangs. */
async function openClient(): Promise<pg.Client> {
  const client = new pg.Client(db.pool.options)
  client.on('error', () => {})
  await client.connect()
  return client
}

const claim = (client: pg.Client, { scope }: Merchant, key: string) =>
  client.query(
    `insert into idempotency_keys (space_id, environment, key, fingerprint) values ($1, $2, $3, '')`,
    [scope.spaceId, scope.environment, key],
  )

describe('a used key', () => {
  test('makes twenty identical concurrent requests create one object, with twenty equal responses, nineteen of them replays', async () => {
    const fresh = await t.merchant()
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(key, session, fresh)))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(isReplay).length, 19)
    assert.equal(await countSessions(fresh), 1)
    assert.equal((await t.events(fresh.scope)).length, 1)
  })

  test('does not affect other keys: twenty concurrent keys create twenty objects', async () => {
    const fresh = await t.merchant()
    await Promise.all(Array.from({ length: 20 }, () => post(randomUUID(), session, fresh)))
    assert.equal(await countSessions(fresh), 20)
  })

  test('replays the same bytes later, although the object has changed, and does nothing again', async () => {
    const key = randomUUID()
    const first = await post(key)
    await merchant.call('DELETE', `/v1/checkout-sessions/${first.json.result.id}`)
    const before = await countSessions(merchant)
    const again = await post(key)
    assert.deepEqual(
      [again.text, again.headers['content-type'], isReplay(first), isReplay(again)],
      [first.text, first.headers['content-type'], false, true],
    )
    assert.notEqual(again.headers['service-request-id'], first.headers['service-request-id'])
    assert.equal(await countSessions(merchant), before)
  })

  test('accepts the same body with other key order, white space and spelling of its JSON', async () => {
    const key = randomUUID()
    const { text } = await post(key)
    const same = [
      JSON.stringify(session, null, 4),
      JSON.stringify({
        metadata: { b: [{ d: null, c: 2 }], a: 1 },
        lineItems: session.lineItems,
        name: session.name,
      }),
      JSON.stringify(session).replace('15000', '1.5e4').replace('Order', '\\u004frder'),
      `\n\t${JSON.stringify(session)}  `,
    ]
    for (const body of same) {
      const again = await post(key, body)
      assert.deepEqual([again.text, isReplay(again)], [text, true], body)
    }
    assert.equal((await post(key, session, merchant, '/v1/checkout-sessions?')).text, text)
  })

  test('refuses any other body or path', async () => {
    const key = randomUUID()
    const { text } = await post(key)
    const others = [
      { ...session, name: 'Order 43' },
      { ...session, metadata: {} },
      { ...session, description: '' },
      { ...session, metadata: { a: '1', b: [{ c: 2, d: null }] } },
    ]
    for (const body of others) {
      const { status, json } = await post(key, body)
      assert.deepEqual([status, json.error.reason], [409, 'idempotency_key_in_use'])
    }
    const elsewhere = await post(key, { name: 'Rent', currency: 'SLE' }, merchant, '/v1/financial-accounts')
    assert.equal(elsewhere.json.error.reason, 'idempotency_key_in_use')
    assert.equal((await post(key)).text, text)
  })

  test('is shared by all permitted tokens of the Space and environment', async () => {
    const key = randomUUID()
    const { text } = await post(key)
    const colleague = await t.merchant({ sameUserAs: merchant, scopes: ['checkout-sessions:write'] })
    const again = await post(key, session, colleague)
    assert.deepEqual([again.text, isReplay(again)], [text, true])
    const reader = await t.merchant({ sameUserAs: merchant, scopes: ['checkout-sessions:read'] })
    assert.equal((await post(key, session, reader)).status, 403)
  })

  test('is independent in another Space and in the other environment', async () => {
    const key = randomUUID()
    const all = [
      merchant,
      await t.merchant(),
      await t.merchant({ sameUserAs: merchant, environment: 'live' }),
    ]
    const answers = await Promise.all(all.map((as) => post(key, session, as)))
    assert.equal(new Set(answers.map(({ json }) => json.result.id)).size, 3)
    assert.deepEqual(answers.map(isReplay), [false, false, false])
  })

  test('is ignored on GET, PATCH and DELETE', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const { body } = await merchant.call(
      'POST',
      '/v1/financial-accounts',
      { name: 'Rent', currency: 'SLE' },
      key,
    )
    const path = `/v1/financial-accounts/${body.result.id}`
    for (const name of ['A', 'B', 'A']) {
      const changed = await merchant.call('PATCH', path, { name }, key)
      assert.equal(changed.body.result.name, name)
      assert.equal((await merchant.call('GET', path, undefined, key)).body.result.name, name)
    }
  })
})

describe('a key can be used again', () => {
  test('after a refusal, at any stage', async () => {
    const key = randomUUID()
    const refused = [{ name: '' }, { ...session, financialAccountId: 'x' }, '{']
    for (const body of refused) assert.equal((await post(key, body)).status, 400)
    const answer = await post(key)
    assert.deepEqual([answer.status, isReplay(answer)], [200, false])
  })

  test('after the work itself was refused, which leaves nothing behind', async () => {
    const key = randomUUID()
    const account = { name: 'Rent', currency: 'SLE', reference: 'taken' }
    const { body } = await merchant.call('POST', '/v1/financial-accounts', account)
    assert.equal((await post(key, account, merchant, '/v1/financial-accounts')).status, 409)
    await merchant.call('PATCH', `/v1/financial-accounts/${body.result.id}`, { reference: null })
    const answer = await post(key, account, merchant, '/v1/financial-accounts')
    assert.deepEqual([answer.status, isReplay(answer)], [200, false])
  })

  test('after the first request died halfway', async () => {
    const key = randomUUID()
    const client = await openClient()
    await client.query('begin')
    await claim(client, merchant, key)
    const { rows } = await client.query('select pg_backend_pid() as pid')
    await db.pool.query('select pg_terminate_backend($1)', [rows[0].pid])
    assert.equal((await post(key)).status, 200)
    await client.end().catch(() => {})
  })

  test('after the retention period, and not earlier', async () => {
    const [old, young] = [randomUUID(), randomUUID()]
    const first = await post(old)
    const second = await post(young)
    await db.pool.query(
      `update idempotency_keys set created_at = now() - interval '7 days 1 second' where key = $1`,
      [old],
    )
    await db.pool.query(
      `update idempotency_keys set created_at = now() - interval '6 days 23 hours' where key = $1`,
      [young],
    )
    await deleteOldKeys(db, 7 * 86_400_000)
    assert.notEqual((await post(old)).json.result.id, first.json.result.id)
    assert.equal((await post(young)).text, second.text)
  })
})

describe('while the first request hangs', () => {
  test('another request with its key is refused after a wait, and succeeds once the key is free', async () => {
    const key = randomUUID()
    const client = await openClient()
    await client.query('begin')
    await claim(client, merchant, key)
    const waited = await post(key)
    assert.deepEqual([waited.status, waited.json.error.reason], [409, 'idempotency_key_in_progress'])
    assert.match(String(waited.headers['retry-after']), /^[1-9]\d*$/)
    assert.equal((await post(randomUUID())).status, 200)
    await client.query('rollback')
    await client.end()
    assert.equal((await post(key)).status, 200)
  })

  test('a request with its key is also refused in a batch, while the rest of the batch is done', async () => {
    const { account, otherAccount } = await fundedAccounts()
    const transfer = {
      amount: { currency: 'SLE', value: 1 },
      sourceFinancialAccount: { id: account },
      destinationFinancialAccount: { id: otherAccount },
    }
    const move = (key: string) => post(key, transfer, merchant, '/v1/internal-transfers')
    const key = randomUUID()
    const client = await openClient()
    await client.query('begin')
    await claim(client, merchant, key)
    const [held, ...others] = await Promise.all([
      move(key),
      ...Array.from({ length: 9 }, () => move(randomUUID())),
    ])
    assert.deepEqual([held!.status, held!.json.error?.reason], [409, 'idempotency_key_in_progress'])
    for (const { json } of others) assert.equal(json.result?.status, 'completed')
    await client.query('rollback')
    await client.end()
    assert.equal((await move(key)).json.result.status, 'completed')
    await t.verify()
  })
})

async function fundedAccounts() {
  const { scope } = merchant
  const at = t.app.parts.clock.now(scope)
  return db.transaction(async (tx) => {
    const account = await mainAccount(tx, scope, 'SLE', at)
    const { id: otherAccount } = await openAccount(tx, scope, { name: 'Rent', currency: 'SLE' }, at)
    const funding = await systemAccount(tx, scope, 'funding', 'SLE', at)
    const movements = [
      { accountId: funding, amount: -100n },
      { accountId: account, amount: 100n },
    ]
    await writePosting(tx, scope, { reference: newReference(at), at, owners: [], movements })
    return {
      account: showId(accountIds, account),
      otherAccount: showId(accountIds, otherAccount),
    }
  })
}

describe('the format of a key', () => {
  test('is 1 to 64 printable ASCII characters', async () => {
    for (const key of ['k', 'x'.repeat(64), 'a b', '~!"#$%&()*+,-./:;<=>?@[]^_`{|}', randomUUID()])
      assert.equal((await post(key)).status, 200, key)
    for (const key of ['x'.repeat(65), 'x'.repeat(1000), 'a\tb', 'é', 'ÿ', 'a\u00a0']) {
      const { json } = await post(key)
      assert.equal(json.error.reason, 'idempotency_key_invalid', key)
    }
    for (const key of ['', '   '])
      assert.equal((await post(key)).json.error.reason, 'idempotency_key_missing')
  })

  test('is compared exactly', async () => {
    const answers = await Promise.all(['Key', 'key', 'key_'].map((key) => post(key)))
    assert.equal(new Set(answers.map(({ json }) => json.result.id)).size, 3)
  })
})
