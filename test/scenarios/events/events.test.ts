import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publish } from '../../../packages/server/src/events/events.ts'
import { eventIds } from '../../../packages/server/src/events/resources.ts'
import { sequenceNext, startSequencer } from '../../../packages/server/src/events/sequencer.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import { paymentIds } from '../../../packages/server/src/money/payments/resources.ts'
import { type Database, openDatabase } from '../../../packages/server/src/platform/db/database.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { showId } from '../../../packages/server/src/platform/ids.ts'
import { follow } from '../../support/follow.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { fund } from '../../support/money.ts'

const t = await startTestApp()
after(() => t.close())
const { db, clock } = t.app.parts

const path = '/v1/events'
const slowly = sql`select pg_sleep(0.002)`

const list = async (merchant: Merchant, query = '') =>
  (await merchant.call('GET', `${path}?limit=50${query}`)).body.result

/** Waits until there are this many events, newest first. */
const listed = (merchant: Merchant, count: number, query = '') =>
  until(async () => {
    const events = await list(merchant, query)
    return events.length >= count && events
  })

const openAccount = async (merchant: Merchant) =>
  (await merchant.call('POST', '/v1/financial-accounts', { name: 'Rent', currency: 'SLE' })).body.result.id

/** Creates a shop with two accounts. A transfer between them has two events, and each of its two lines has one. */
async function shop() {
  const merchant = await t.merchant()
  const main = await fund(t.app.parts, merchant.scope, 1_000)
  const rent = await openAccount(merchant)
  await listed(merchant, 1)
  const move = async (value: number) =>
    (
      await merchant.call('POST', '/v1/internal-transfers', {
        amount: { currency: 'SLE', value },
        sourceFinancialAccount: { id: main },
        destinationFinancialAccount: { id: rent },
      })
    ).body.result
  return { merchant, main, rent, move }
}

/** Creates endpoints that receive nothing, because no node runs jobs. */
async function withEndpoints(merchant: Merchant, count: number) {
  const body = { name: 'Shop', url: 'https://shop.example/hook', events: ['checkout_session.*'] }
  for (let i = 0; i < count; i++)
    assert.equal((await merchant.call('POST', '/v1/webhooks', body)).status, 200)
}

/** Publishes events of a fictitious session in a transaction that commits when it is released. */
async function holdOpen(merchant: Merchant, name: string) {
  const release = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const ended = db.transaction(async (tx) => {
    await publish(tx, merchant.scope, session(merchant, name))
    written.resolve()
    await release.promise
  })
  await Promise.race([written.promise, ended])
  return async () => {
    release.resolve()
    await ended
  }
}

/** Sequences a round of about this many rows. Returns whether there are more. */
const sequenceSome = async (db: Database, maxRows: number) =>
  (await sequenceNext(db, selectPostedLines, { maxRows, isBacklogPaused: false })).isMore

const session = ({ scope }: Merchant, name: string) => ({
  types: ['checkout_session.created'] as const,
  objectId: crypto.randomUUID(),
  data: { name },
  at: clock.now(scope),
})

describe('GET /v1/events', () => {
  test('200 shows the resource exactly as GET does, in the order of events', async () => {
    const { merchant, move } = await shop()
    const transfer = await move(300)
    const events = (await listed(merchant, 5)).reverse().slice(1)
    assert.deepEqual(
      events.map(({ type }: { type: string }) => type),
      [
        'financial_transaction.created',
        'financial_transaction.created',
        'internal_transfer.created',
        'internal_transfer.completed',
      ],
    )
    const completed = events.at(-1)
    assert.deepEqual(completed.data, transfer)
    assert.deepEqual(completed.object, { id: transfer.id, type: 'internal_transfer' })
    assert.equal(completed.apiVersion, 'baobab.2026-11-21')
    assert.equal(completed.environment, 'test')
    assert.equal(completed.spaceId, merchant.spaceId)
    assert.equal(completed.timestamp, transfer.createTime)
    for (const line of events.slice(0, 2)) {
      const shown = (await merchant.call('GET', `/v1/financial-transactions/${line.object.id}`)).body.result
      assert.deepEqual(line.data, shown)
    }
    const sequences = events.map(({ sequence }: { sequence: number }) => sequence)
    assert.deepEqual(sequences, [2, 3, 4, 5])
    const one = (await merchant.call('GET', `${path}/${completed.id}`)).body.result
    assert.deepEqual(one, completed)
  })

  test('200 by type, by object and since a time, separately and together', async () => {
    const { merchant, move } = await shop()
    const first = await move(1)
    await listed(merchant, 5)
    await t.advance(merchant.scope, 60_000)
    const second = await move(2)
    await listed(merchant, 9)
    const typesOf = async (query: string) =>
      (await list(merchant, query)).map(({ type }: { type: string }) => type.split('.')[1])
    assert.deepEqual(await typesOf(`&objectId=${first.id}`), ['completed', 'created'])
    assert.deepEqual(await typesOf('&type=internal_transfer.completed'), ['completed', 'completed'])
    const since = `&since=${second.createTime}`
    assert.equal((await typesOf(since)).length, 4)
    assert.deepEqual(await typesOf(`${since}&type=internal_transfer.created`), ['created'])
    assert.deepEqual(await typesOf(`${since}&objectId=${first.id}`), [])
    assert.equal((await typesOf('&since=2020-01-01T00:00:00Z')).length, 9)
    assert.deepEqual(await typesOf('&since=2120-01-01T00:00:00Z'), [])
  })

  test('200 since a time is correct even after the clock was set back', async () => {
    const { merchant, move } = await shop()
    await t.advance(merchant.scope, 86_400_000)
    const ahead = await move(1)
    await listed(merchant, 5)
    await db.pool.query('update test_clocks set offset_ms = 0 where space_id = $1', [merchant.scope.spaceId])
    await until(() => clock.now(merchant.scope).getTime() < Date.parse(ahead.createTime))
    const back = await move(2)
    await listed(merchant, 9)
    const since = async (time: string) => (await list(merchant, `&since=${time}`)).length
    assert.equal(await since(ahead.createTime), 4)
    assert.equal(await since(back.createTime), 8)
  })

  test('200 page by page, without duplicates or gaps while new ones arrive', async () => {
    const { merchant, move } = await shop()
    for (let i = 0; i < 5; i++) await move(1)
    await listed(merchant, 21)
    const seen: number[] = []
    let after = ''
    do {
      const { body } = await merchant.call('GET', `${path}?limit=4${after && `&after=${after}`}`)
      seen.push(...body.result.map(({ sequence }: { sequence: number }) => sequence))
      after = body.pagination.next
      await move(1)
    } while (after)
    assert.deepEqual(
      seen,
      Array.from({ length: 21 }, (_, i) => 21 - i),
    )
  })

  test('400 names invalid input; 404 for an unknown event', async () => {
    const merchant = await t.merchant()
    const issues = async (query: string) => {
      const { status, body } = await merchant.call('GET', `${path}?${query}`)
      return [status, body.error.details.map(({ param }: { param: string }) => param)]
    }
    assert.deepEqual(await issues('type=payment.exploded'), [400, ['type']])
    assert.deepEqual(await issues('since=yesterday'), [400, ['since']])
    assert.deepEqual(await issues('objectId=pay-nonsense'), [400, ['objectId']])
    assert.deepEqual(await issues(`objectId=${showId(paymentIds, crypto.randomUUID())}`), [400, ['objectId']])
    assert.deepEqual(await issues('limit=0'), [400, ['limit']])
    assert.equal((await merchant.call('GET', `${path}/evt-nonsense`)).status, 404)
    assert.equal((await merchant.call('GET', `${path}/${showId(eventIds, crypto.randomUUID())}`)).status, 404)
  })
})

describe('sequencing', () => {
  test('200 for an object whose first event is not sequenced yet', async () => {
    const merchant = await t.merchant()
    const lineItems = [{ name: 'Mats', price: { currency: 'SLE', value: 100 } }]
    for (let i = 0; i < 20; i++) {
      const { body } = await merchant.call('POST', '/v1/checkout-sessions', { name: 'Mats', lineItems })
      const { status } = await merchant.call('GET', `/v1/events?objectId=${body.result.id}`)
      assert.equal(status, 200)
    }
  })

  test('continues alongside a slow transaction, whose events arrive after its commit', async () => {
    const merchant = await t.merchant()
    const commit = await holdOpen(merchant, 'slow')
    for (const name of ['quick', 'quicker'])
      await db.transaction((tx) => publish(tx, merchant.scope, session(merchant, name)))
    const before = await listed(merchant, 2)
    await commit()
    const names = (await listed(merchant, 3)).map(
      ({ sequence, data }: { sequence: number; data: { name: string } }) => [sequence, data.name],
    )
    assert.deepEqual(names, [
      [3, 'slow'],
      [2, 'quicker'],
      [1, 'quick'],
    ])
    assert.equal(before.length, 2)
  })

  test('shows readers no gaps, with concurrent, slow or aborted writers', async () => {
    const merchant = await t.merchant()
    const { scope } = merchant
    let isWriting = true
    let written = 0
    const writer = async (nth: number) => {
      for (let i = 0; i < 30; i++) {
        await db
          .transaction(async (tx) => {
            await publish(tx, scope, session(merchant, `${nth}.${i}.a`))
            // The longer a transaction runs, the more others overtake it.
            for (let j = 0; j < (nth * i) % 7; j++) await tx.query(slowly)
            await publish(tx, scope, session(merchant, `${nth}.${i}.b`))
            if ((nth + i) % 5 === 0) throw new Error('rolled back')
            return 2
          })
          .then((count) => {
            written += count
          })
          .catch((error: Error) => assert.equal(error.message, 'rolled back'))
      }
    }
    const reader = async () => {
      let highest = 0
      while (isWriting) {
        const { rows } = await db.pool.query(
          `select count(*)::int as count, coalesce(max(sequence), 0)::int as highest, coalesce(min(sequence), 1)::int as lowest
           from events_between($1, $2, 0, 1000000)`,
          [scope.spaceId, scope.environment],
        )
        assert.deepEqual([rows[0].count, rows[0].lowest], [rows[0].highest, 1])
        assert.ok(rows[0].highest >= highest)
        highest = rows[0].highest
      }
    }
    const reading = reader()
    await Promise.all(Array.from({ length: 8 }, (_, nth) => writer(nth)))
    await until(async () => (await list(merchant)).at(0)?.sequence === written)
    isWriting = false
    await reading
    // Each fact was sequenced once.
    const { rows } = await db.pool.query(
      'select count(distinct fact_number)::int as facts, count(distinct id)::int as ids from events_between($1, $2, 0, 1000000)',
      [scope.spaceId, scope.environment],
    )
    assert.deepEqual(rows[0], { facts: written, ids: written })
  })

  test('a backlog is sequenced in parts, in write order', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const merchant = await quiet.merchant()
      const names = Array.from({ length: 25 }, (_, i) => `no. ${i}`)
      for (const name of names)
        await quiet.app.parts.db.transaction((tx) => publish(tx, merchant.scope, session(merchant, name)))
      let rounds = 1
      while (await sequenceSome(quiet.app.parts.db, 10)) rounds++
      assert.ok(rounds >= 3, `${rounds} rounds`)
      const events = (await merchant.call('GET', `${path}?limit=50`)).body.result
      assert.deepEqual(events.map(({ data }: { data: { name: string } }) => data.name).reverse(), names)
    } finally {
      await quiet.close()
    }
  })

  test('a Space with many events does not delay any other, and its own events stay in order', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const { db } = quiet.app.parts
      const [loud, other] = [await quiet.merchant(), await quiet.merchant()]
      const names = Array.from({ length: 300 }, (_, i) => `no. ${i}`)
      await db.transaction((tx) =>
        publish(tx, loud.scope, ...names.slice(0, 200).map((name) => session(loud, name))),
      )
      await sequenceSome(db, 50)
      const write = (who: Merchant, name: string) =>
        db.transaction((tx) => publish(tx, who.scope, session(who, name)))
      for (const name of names.slice(200)) await write(loud, name)
      await write(other, 'quiet')
      const sequenceOf = async ({ scope }: Merchant) =>
        Number(
          (await db.one<{ sequence: bigint }>(sql`
            select sequence from event_counters
            where space_id = ${scope.spaceId} and environment = ${scope.environment}`))!.sequence,
        )
      while ((await list(other)).length === 0) await sequenceSome(db, 50)
      assert.ok((await sequenceOf(loud)) < names.length, 'the other Space was sequenced last')
      while (await sequenceSome(db, 50));
      const events = await quiet.app.parts.db.query<{ name: string; sequence: bigint }>(sql`
        select fact.data::json->>'name' as name, sequence
        from events_between(${loud.scope.spaceId}, 'test', 0, 1000000) event
        join event_facts fact on fact.space_id = ${loud.scope.spaceId} and fact.environment = 'test'
          and fact.id = event.fact_id
        order by position`)
      assert.deepEqual(
        events,
        names.map((name, i) => ({ name, sequence: BigInt(i + 1) })),
      )
    } finally {
      await quiet.close()
    }
  })

  test('sequences each fact once and each writer in order, with backlogs, slow and aborted writers, on two nodes', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const { db } = quiet.app.parts
      const merchants = await Promise.all([0, 1, 2].map(() => quiet.merchant()))
      const written = new Map<string, string[]>()
      const write = async (writer: number) => {
        const merchant = merchants[writer % merchants.length]!
        for (let i = 0; i < 25; i++) {
          const names = ['a', 'b', 'c'].map((part) => `${writer}.${i}.${part}`)
          const isDone = await db
            .transaction(async (tx) => {
              for (const name of names) await publish(tx, merchant.scope, session(merchant, name))
              for (let j = 0; j < (writer * i) % 5; j++) await tx.query(slowly)
              if ((writer + i) % 5 === 0) throw new Error('rolled back')
            })
            .then(() => true)
            .catch(() => false)
          if (isDone) written.set(`${writer}`, [...(written.get(`${writer}`) ?? []), ...names])
        }
      }
      let isWriting = true
      const sequenceAll = async () => {
        while (isWriting || (await sequenceSome(db, 4))) await sequenceSome(db, 4)
      }
      const sequencers = [sequenceAll(), sequenceAll()]
      await Promise.all([0, 1, 2, 3, 4, 5].map(write))
      isWriting = false
      await Promise.all(sequencers)
      while (await sequenceSome(db, 4));
      for (const [i, { scope }] of merchants.entries()) {
        const events = await db.query<{ name: string; sequence: bigint }>(sql`
          select fact.data::json->>'name' as name, sequence
          from events_between(${scope.spaceId}, 'test', 0, 1000000) event
          join event_facts fact on fact.space_id = ${scope.spaceId} and fact.environment = 'test'
            and fact.id = event.fact_id
          order by position`)
        assert.deepEqual(
          events.map(({ sequence }) => Number(sequence)),
          events.map((_, nth) => nth + 1),
        )
        for (const writer of [i, i + merchants.length])
          assert.deepEqual(
            events.map(({ name }) => name).filter((name) => name.startsWith(`${writer}.`)),
            written.get(`${writer}`),
          )
      }
    } finally {
      await quiet.close()
    }
  })

  test('a round creates a limited number of deliveries, regardless of the number of endpoints', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const { db } = quiet.app.parts
      const merchant = await quiet.merchant()
      await withEndpoints(merchant, 100)
      await db.transaction((tx) =>
        publish(tx, merchant.scope, ...Array.from({ length: 60 }, (_, i) => session(merchant, `no. ${i}`))),
      )
      const rowsOf = async () =>
        (await db.one<{ count: number }>(sql`
          select count(*)::int as count from webhook_deliveries
          where space_id = ${merchant.scope.spaceId} and environment = 'test'`))!.count
      for (let before = 0, isMore = true; isMore; ) {
        isMore = await sequenceSome(db, 500)
        const after = await rowsOf()
        assert.ok(after - before <= 600, `${after - before} deliveries at once`)
        before = after
      }
      assert.equal(await rowsOf(), 6_000)
    } finally {
      await quiet.close()
    }
  })

  test('a backlog whose usual round would time out is sequenced in smaller rounds', async () => {
    const quiet = await startTestApp({ work: false })
    const hurried = openDatabase(quiet.database.connection, {
      maxConnections: 2,
      statementTimeoutMs: 400,
      onIdleError: () => {},
    })
    try {
      const { db, log } = quiet.app.parts
      const merchant = await quiet.merchant()
      await withEndpoints(merchant, 100)
      await db.transaction((tx) =>
        publish(tx, merchant.scope, ...Array.from({ length: 400 }, (_, i) => session(merchant, `no. ${i}`))),
      )
      const stop = await startSequencer(hurried, selectPostedLines, log)
      await until(async () => (await list(merchant))[0]?.sequence === 400)
      await stop()
    } finally {
      await hurried.close()
      await quiet.close()
    }
  })

  test('does not miss a transaction that was the newest one when the others were sequenced', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const { db } = quiet.app.parts
      const merchant = await quiet.merchant()
      const sequenceAll = async () => {
        for (let i = 0; i < 4; i++) await sequenceNext(db, selectPostedLines)
      }
      await db.transaction((tx) => publish(tx, merchant.scope, session(merchant, 'first')))
      await sequenceNext(db, selectPostedLines)
      await db.transaction(async (tx) => {
        await publish(tx, merchant.scope, session(merchant, 'slow'))
        await sequenceAll()
      })
      await sequenceAll()
      const events = (await merchant.call('GET', path)).body.result
      assert.deepEqual(
        events.map(({ data }: { data: { name: string } }) => data.name),
        ['slow', 'first'],
      )
    } finally {
      await quiet.close()
    }
  })

  test('continues in a database restored from a dump, where transaction ids start over', async () => {
    const quiet = await startTestApp({ work: false })
    try {
      const { db } = quiet.app.parts
      const merchant = await quiet.merchant()
      const write = (name: string) =>
        db.transaction((tx) => publish(tx, merchant.scope, session(merchant, name)))
      const sequenceAll = async () => {
        while (await sequenceSome(db, 2));
        const events = (await merchant.call('GET', `${path}?limit=50`)).body.result
        return events.map(({ data }: { data: { name: string } }) => data.name).reverse()
      }
      await write('before')
      assert.deepEqual(await sequenceAll(), ['before'])
      const waiting = ['waits', 'waits too', 'and this']
      for (const name of waiting) await write(name)
      // As after a dump, all rows have transaction ids far in the future.
      await db.pool.query('update event_facts set xid = (xid::text::bigint + 1000000000)::text::xid8')
      await db.pool.query(
        "update event_sequencer set told = '1000001000:1000001000:', mark_xid = '1000001000'",
      )
      await write('after')
      assert.deepEqual(await sequenceAll(), ['before', ...waiting, 'after'])
      await write('later')
      assert.deepEqual(await sequenceAll(), ['before', ...waiting, 'after', 'later'])
    } finally {
      await quiet.close()
    }
  })
})

describe('GET /v1/events/stream', () => {
  test('200 sends events from now on, and after an interruption resumes after the last one', async () => {
    const { merchant, move } = await shop()
    const stream = await follow(t.baseUrl, merchant)
    await move(1)
    const first = await stream.take(4)
    stream.close()
    await move(2)
    const again = await follow(t.baseUrl, merchant, first[1]!.id)
    const second = await again.take(6)
    again.close()
    assert.deepEqual(
      [...first.slice(0, 2), ...second].map(({ data }) => data.sequence),
      [2, 3, 4, 5, 6, 7, 8, 9],
    )
    const listed = await list(merchant)
    assert.deepEqual(second.at(-1)!.data, listed[0])
    assert.equal(second.at(-1)!.type, listed[0].type)
    assert.equal(second.at(-1)!.id, listed[0].id)
  })

  test('ends when the token is revoked, before it sends anything more', async () => {
    const { merchant, move } = await shop()
    const other = await t.merchant({ sameUserAs: merchant })
    const stream = await follow(t.baseUrl, other)
    await db.pool.query('update tokens set revoked_at = now() where hash = sha256($1)', [other.token])
    await until(async () => (await other.call('GET', path)).status === 401)
    await move(1)
    await stream.ended
    assert.deepEqual(stream.received, [])
  })

  test('403 and 400 as for other routes', async () => {
    const merchant = await t.merchant()
    const stranger = await t.merchant({ scopes: ['payments:read'] })
    const get = (who: Merchant, headers: Record<string, string> = {}) =>
      who.call('GET', `${path}/stream`, undefined, headers)
    assert.equal((await get(stranger)).status, 403)
    const foreign = showId(eventIds, crypto.randomUUID())
    for (const id of ['nonsense', foreign]) {
      const { status, body } = await get(merchant, { 'last-event-id': id })
      assert.deepEqual([status, body.error.details[0].param], [400, 'Last-Event-ID'])
    }
  })

  test('429 for a Space with twenty open streams; closing one makes room', async () => {
    const merchant = await t.merchant()
    const streams = []
    for (let i = 0; i < 20; i++) streams.push(await follow(t.baseUrl, merchant))
    const refused = await merchant.call('GET', `${path}/stream`)
    assert.equal(refused.status, 429)
    assert.ok(refused.headers.get('retry-after'))
    streams[0]!.close()
    const again = await until(() => follow(t.baseUrl, merchant).catch(() => undefined))
    for (const stream of [...streams.slice(1), again]) stream.close()
  })

  test('a stopping node ends its streams immediately, and asks their clients to reconnect', async () => {
    const node = await startTestApp({ anotherNodeOf: t })
    const merchant = await t.merchant()
    const { token, spaceId } = merchant
    const headers = { authorization: `Bearer ${token}`, 'service-space-id': spaceId }
    const stream = await fetch(`${node.baseUrl}/v1/events/stream`, { headers })
    await node.close()
    assert.match(
      await stream.text(),
      /^: open\n\n: the node is shutting down; reconnect\nretry: \d{1,3}\n\n$/,
    )
  })
})
