import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publish } from '../../../packages/server/src/events/events.ts'
import { sequenceNext } from '../../../packages/server/src/events/sequencer.ts'
import { type Dispatcher, startDispatcher } from '../../../packages/server/src/events/webhooks/dispatcher.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { type Hook, startHook } from '../../support/hook.ts'

// Only what a test starts is running: the sequencer, step by step, and one dispatcher.
const t = await startTestApp({ work: false })
const limited = await startTestApp({
  work: false,
  settings: { RATE_LIMITS: 'on', WEBHOOK_LIMIT: '5', ENDPOINT_LIMIT_TEST: '1000' },
  anotherNodeOf: t,
})
const hooks: Hook[] = []
const { db, clock } = t.app.parts
let dispatcher: Dispatcher | undefined
after(async () => {
  await dispatcher?.stop()
  await limited.close()
  await t.close()
  await Promise.all(hooks.map((hook) => hook.close()))
})

/** Consecutive failures until an endpoint is paused, and attempts that may run concurrently with the last one. */
const [failuresToPause, concurrent] = [20, 15]

async function receiver(answer: Hook['answer'] = 200): Promise<Hook> {
  const hook = await startHook()
  hook.answer = answer
  hooks.push(hook)
  return hook
}

/** Returns the URL of a closed port. */
async function closedPort(): Promise<string> {
  const hook = await startHook()
  await hook.close()
  return hook.url
}

/** Creates a Space that sends all its events to this address. */
async function shop(url: string) {
  const merchant = await t.merchant()
  const body = { name: 'Shop', url, events: ['checkout_session.*'] }
  const { result } = (await merchant.call('POST', '/v1/webhooks', body)).body
  return { ...merchant, webhook: `/v1/webhooks/${result.id}` }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** Creates this many sessions with due deliveries. */
async function happen({ scope }: Merchant, count: number, name = 'no.') {
  const events = Array.from({ length: count }, (_, i) => ({
    types: ['checkout_session.created'] as const,
    objectId: crypto.randomUUID(),
    data: { name: `${name} ${i}` },
    at: clock.now(scope),
  }))
  await db.transaction((tx) => publish(tx, scope, ...events))
  while ((await sequenceNext(db, selectPostedLines)).isMore);
}

/** Counts a Space's delivery attempts, and the deliveries with attempts. */
const countAttempts = ({ scope }: Merchant) =>
  db.only<{ attempts: number; tried: number; waiting: number }>(sql`
    select coalesce(sum(jsonb_array_length(attempts)), 0)::int as attempts,
      (count(*) filter (where attempts <> '[]'))::int as tried,
      (count(*) filter (where status = 'pending'))::int as waiting
    from webhook_deliveries where space_id = ${scope.spaceId} and environment = ${scope.environment}`)

/** Lists deliveries as the API shows them, newest first. */
const deliveries = async (of: Shop) => (await of.call('GET', `${of.webhook}/deliveries?limit=50`)).body.result

/** Waits until the endpoint is paused, so that nothing is due. Returns the end of the pause. */
const paused = (of: Shop, from = clock.now(of.scope)) =>
  until(async () => {
    const next: string[] = (await deliveries(of)).map(
      (one: { nextAttemptTime: string }) => one.nextAttemptTime,
    )
    const earliest = Date.parse(next.sort()[0] ?? '')
    return earliest > Math.max(from.getTime(), clock.now(of.scope).getTime()) && earliest
  })

const moveTo = async ({ scope }: Merchant, atMs: number) => {
  const aheadMs = atMs - clock.now(scope).getTime()
  if (aheadMs > 0) await t.advance(scope, aheadMs)
}

const restart = async (app = t) => {
  await dispatcher?.stop()
  dispatcher = await startDispatcher(app.app.parts, t.database.connection)
}

describe('a dead endpoint with thousands of deliveries', () => {
  test('gets a limited number of attempts while another Space’s events are delivered', async () => {
    await restart()
    const sound = await receiver()
    const [dead, other] = [await shop(await closedPort()), await shop(sound.url)]
    await happen(dead, 3_000)
    await restart()
    await until(async () => (await countAttempts(dead)).attempts > 0)
    for (let i = 1; i <= 100; i++) {
      await happen(other, 1)
      await sound.take(i)
    }
    await paused(dead)
    const { attempts, waiting } = await countAttempts(dead)
    // Plus one or two test deliveries, if this took seconds.
    assert.ok(
      attempts >= failuresToPause && attempts <= failuresToPause + concurrent + 5,
      `${attempts} attempts`,
    )
    assert.equal(waiting, 3_000)
  })

  test('gets one delivery after each pause, which grows to five minutes; the others are unchanged', async () => {
    const dead = await shop(await closedPort())
    await happen(dead, 500)
    await restart()
    const pausesMs: number[] = []
    let endsAt = await paused(dead)
    let before = await countAttempts(dead)
    for (let i = 0; i < 10; i++) {
      await moveTo(dead, endsAt)
      const probedFrom = clock.now(dead.scope)
      await until(async () => (await countAttempts(dead)).attempts > before.attempts)
      endsAt = await paused(dead)
      pausesMs.push(endsAt - probedFrom.getTime())
      const now = await countAttempts(dead)
      assert.deepEqual([now.attempts, now.waiting], [before.attempts + 1, 500], `probe ${i}`)
      before = now
    }
    assert.ok(before.tried <= failuresToPause + concurrent + 10, `${before.tried} deliveries were tried`)
    assert.ok(Math.max(...pausesMs) <= 1.2 * 300_000 + 5_000, `${pausesMs}`)
    assert.ok(pausesMs.at(-1)! >= 0.8 * 300_000 && pausesMs[0]! <= 60_000, `${pausesMs}`)
  })

  test('gets no more attempts if its deliveries arrive one by one', async () => {
    const dead = await shop(await closedPort())
    await restart()
    for (let i = 1; i <= failuresToPause; i++) {
      await happen(dead, 1)
      await until(async () => (await countAttempts(dead)).tried >= i)
    }
    await paused(dead)
    const before = await countAttempts(dead)
    const sound = await receiver()
    const other = await shop(sound.url)
    for (let i = 1; i <= 30; i++) {
      await happen(dead, 1)
      await happen(other, 1)
      await sound.take(i)
    }
    await paused(dead)
    const { attempts } = await countAttempts(dead)
    assert.ok(attempts <= before.attempts + 5, `${attempts - before.attempts} attempts for 30 events`)
  })

  test('stays paused when another node takes over', async () => {
    const dead = await shop(await closedPort())
    await happen(dead, 500)
    await restart()
    const endsAt = await paused(dead)
    const before = await countAttempts(dead)
    await restart()
    await moveTo(dead, endsAt)
    await until(async () => (await countAttempts(dead)).attempts > before.attempts)
    await paused(dead)
    assert.equal((await countAttempts(dead)).attempts, before.attempts + 1)
  })
})

describe('an endpoint that recovers', () => {
  test('gets everything after one successful delivery, in event order except for that delivery and later retries', async () => {
    const hook = await receiver(500)
    const back = await shop(hook.url)
    await happen(back, 60)
    await restart()
    const endsAt = await paused(back)
    hook.answer = 200
    const before = hook.received.length
    await moveTo(back, endsAt)
    await until(async () => (await countAttempts(back)).waiting <= failuresToPause + concurrent)
    // Deliveries that were already attempted keep their own retry times.
    await t.advance(back.scope, 400_000)
    await until(async () => (await countAttempts(back)).waiting === 0)
    const names = hook.received.slice(before).map(({ event }) => Number(event.data.name.split(' ')[1]))
    assert.deepEqual([names.length, new Set(names).size], [60, 60])
    const [probe, ...rest] = names
    assert.equal(probe, 59)
    const untried = rest.filter((name) => name >= failuresToPause + concurrent)
    untried.forEach((name, i) => {
      // If many are waiting, some are sent concurrently.
      assert.ok(Math.abs(name - (59 - untried.length) - i) <= 16, `no. ${name} arrived as no. ${i}`)
    })
  })

  test('is tried immediately after a manual retry, and after its URL is changed', async () => {
    const [gone, hook] = [await receiver(500), await receiver()]
    const back = await shop(gone.url)
    await happen(back, 60)
    await restart()
    await paused(back)
    const [, , chosen] = await deliveries(back)
    const before = gone.received.length
    const again = await back.call('POST', `/v1/deliveries/${chosen.id}/redeliver`, {})
    assert.ok(Date.parse(again.body.result.nextAttemptTime) <= clock.now(back.scope).getTime())
    const [probe] = (await gone.take(before + 1)).slice(before)
    assert.equal(probe!.id, chosen.eventId)
    await paused(back)
    assert.equal(gone.received.length, before + 1)
    await back.call('PATCH', back.webhook, { url: hook.url })
    await hook.take(60 - failuresToPause - concurrent)
    assert.equal(gone.received.length, before + 1)
  })

  test('gets new events after a pause, even if it always rejects older ones', async () => {
    const hook = await receiver(({ data }) => (data.name.startsWith('refused') ? 422 : 200))
    const picky = await shop(hook.url)
    await happen(picky, 40, 'refused')
    await restart()
    await paused(picky)
    await happen(picky, 3, 'taken')
    for (let pauses = 0; pauses < 3; pauses++) await moveTo(picky, await paused(picky))
    await until(async () => (await countAttempts(picky)).waiting === 40)
    assert.ok((await deliveries(picky)).every(({ status }: { status: string }) => status !== 'failed'))
  })

  test('is not paused after a few failures: each delivery has its own retries', async () => {
    const hook = await receiver(503)
    const slow = await shop(hook.url)
    await happen(slow, 5)
    await restart()
    for (const [tries, waitMs] of [
      [1, 5_000],
      [2, 300_000],
      [3, 1_800_000],
    ] as const) {
      const tried = await until(async () => {
        const all = await deliveries(slow)
        return all.every(({ attempts }: { attempts: object[] }) => attempts.length === tries) && all
      })
      for (const { attempts, nextAttemptTime } of tried) {
        const waitedMs = Date.parse(nextAttemptTime) - Date.parse(attempts.at(-1).time)
        assert.ok(waitedMs >= 0.8 * waitMs && waitedMs <= 1.2 * waitMs, `${waitedMs} after attempt ${tries}`)
      }
      await t.advance(slow.scope, 1.2 * waitMs)
    }
  })
})

test('a Space’s endpoints share its budget of attempts per second, and another Space does not wait for them', async () => {
  const [many, few] = [await receiver(), await receiver()]
  const [busy, other] = [await shop(many.url), await shop(few.url)]
  await happen(busy, 400)
  const since = performance.now()
  await restart(limited)
  await many.take(1)
  for (let i = 1; i <= 5; i++) {
    await happen(other, 1)
    await few.take(i)
  }
  await many.take(12)
  const seconds = (performance.now() - since) / 1000
  assert.ok(many.received.length <= 5 + 5 * seconds, `${many.received.length} attempts in ${seconds} s`)
})
