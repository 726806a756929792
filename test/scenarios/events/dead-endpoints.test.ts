import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { publish } from '../../../src/events/events.ts'
import { sequenceNext } from '../../../src/events/sequencer.ts'
import { type Dispatcher, startDispatcher } from '../../../src/events/webhooks/dispatcher.ts'
import { postedLines } from '../../../src/ledger/postings.ts'
import { sql } from '../../../src/platform/db/sql.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { type Hook, startHook } from '../../support/hook.ts'

// Nothing works but what a test starts: the sequencer step by step, and one dispatcher.
const t = await startTestApp({ work: false })
const limited = await startTestApp({
  work: false,
  settings: { RATE_LIMITS: 'on', WEBHOOK_LIMIT: '5', ENDPOINT_LIMIT_TEST: '1000' },
  beside: t,
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

/** Failures in a row until an endpoint is paused, and attempts that may be under way beside the last of them. */
const [failuresToPause, beside] = [20, 15]

async function receiver(answer: Hook['answer'] = 200): Promise<Hook> {
  const hook = await startHook()
  hook.answer = answer
  hooks.push(hook)
  return hook
}

/** A port at which nobody listens. */
async function closedPort(): Promise<string> {
  const hook = await startHook()
  await hook.close()
  return hook.url
}

/** A Space whose events all go to this address. */
async function shop(url: string) {
  const merchant = await t.merchant()
  const body = { name: 'Shop', url, events: ['checkout_session.*'] }
  const { result } = (await merchant.call('POST', '/v1/webhooks', body)).body
  return { ...merchant, webhook: `/v1/webhooks/${result.id}` }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** So many sessions are created, and their deliveries are due. */
async function happen({ scope }: Merchant, count: number, name = 'no.') {
  const events = Array.from({ length: count }, (_, i) => ({
    types: ['checkout_session.created'] as const,
    objectId: crypto.randomUUID(),
    data: { name: `${name} ${i}` },
    at: clock.now(scope),
  }))
  await db.transaction((tx) => publish(tx, scope, ...events))
  while ((await sequenceNext(db, postedLines)).isMore);
}

/** All attempts that were made to deliver events of a Space, and the deliveries that had one. */
const countAttempts = ({ scope }: Merchant) =>
  db.only<{ attempts: number; tried: number; waiting: number }>(sql`
    select coalesce(sum(jsonb_array_length(attempts)), 0)::int as attempts,
      (count(*) filter (where attempts <> '[]'))::int as tried,
      (count(*) filter (where status = 'pending'))::int as waiting
    from webhook_deliveries where space_id = ${scope.spaceId} and environment = ${scope.environment}`)

/** As the API shows them, newest first. */
const deliveries = async (of: Shop) => (await of.call('GET', `${of.webhook}/deliveries?limit=50`)).body.result

/** Waits until the endpoint is paused: nothing of it is due. Returns when the pause ends. */
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

describe('an endpoint that is dead, with thousands of deliveries', () => {
  test('is tried so often and no more, while another Space’s events are delivered', async () => {
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
    // And a probe or two, where this has taken seconds.
    assert.ok(attempts >= failuresToPause && attempts <= failuresToPause + beside + 5, `${attempts} attempts`)
    assert.equal(waiting, 3_000)
  })

  test('is probed with one delivery after each pause, which becomes longer up to five minutes; the others stay as they are', async () => {
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
    assert.ok(before.tried <= failuresToPause + beside + 10, `${before.tried} deliveries were tried`)
    assert.ok(Math.max(...pausesMs) <= 1.2 * 300_000 + 5_000, `${pausesMs}`)
    assert.ok(pausesMs.at(-1)! >= 0.8 * 300_000 && pausesMs[0]! <= 60_000, `${pausesMs}`)
  })

  test('is tried no more often where its deliveries come one by one', async () => {
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

describe('an endpoint that comes back', () => {
  test('gets everything once one delivery has succeeded, in the order of events but for that one and what is due later', async () => {
    const hook = await receiver(500)
    const back = await shop(hook.url)
    await happen(back, 60)
    await restart()
    const endsAt = await paused(back)
    hook.answer = 200
    const before = hook.received.length
    await moveTo(back, endsAt)
    await until(async () => (await countAttempts(back)).waiting <= failuresToPause + beside)
    // Those that were tried come again in their own time.
    await t.advance(back.scope, 400_000)
    await until(async () => (await countAttempts(back)).waiting === 0)
    const names = hook.received.slice(before).map(({ event }) => Number(event.data.name.split(' ')[1]))
    assert.deepEqual([names.length, new Set(names).size], [60, 60])
    const [probe, ...rest] = names
    assert.equal(probe, 59)
    const untried = rest.filter((name) => name >= failuresToPause + beside)
    untried.forEach((name, i) => {
      // Where many wait some are sent at once.
      assert.ok(Math.abs(name - (59 - untried.length) - i) <= 16, `no. ${name} came as no. ${i}`)
    })
  })

  test('is tried at once with what somebody sends again, and with what a change of its address lets through', async () => {
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
    await hook.take(60 - failuresToPause - beside)
    assert.equal(gone.received.length, before + 1)
  })

  test('takes what is new after a pause, also where it refuses older events for ever', async () => {
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

  test('after a few failures never was paused: each delivery is tried again in its own time', async () => {
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

test('a Space sends what its budget allows in a second to all of its endpoints, and another Space does not wait for it', async () => {
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
