import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { publish } from '../../../packages/server/src/events/events.ts'
import { webhookIds } from '../../../packages/server/src/events/resources.ts'
import { sequenceNext } from '../../../packages/server/src/events/sequencer.ts'
import { startDispatcher } from '../../../packages/server/src/events/webhooks/dispatcher.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { readId } from '../../../packages/server/src/platform/ids.ts'
import type { Environment } from '../../../packages/server/src/platform/scope.ts'
import { type Merchant, startTestApp, until } from '../../support/harness.ts'
import { type Hook, type Received, startHook } from '../../support/hook.ts'
import { startMailbox } from '../../support/smtp.ts'

const mailbox = await startMailbox()
const t = await startTestApp({ settings: { SMTP_URL: mailbox.url } })
const hooks: Hook[] = []
after(async () => {
  await t.close()
  await mailbox.close()
  await Promise.all(hooks.map((hook) => hook.close()))
})
const { db, clock } = t.app.parts

const hour = 3_600_000

async function receiver(): Promise<Hook> {
  const hook = await startHook()
  hooks.push(hook)
  return hook
}

/** Creates a Space with one endpoint. */
async function shop(more: object = {}, environment: Environment = 'test') {
  const merchant = await t.merchant({ environment })
  const hook = await receiver()
  const made = await register(merchant, hook, more)
  return { merchant, hook, webhook: made, secret: made.verificationMethod.secret as string }
}

const register = async (merchant: Merchant, hook: Hook, more: object = {}) => {
  const body = { name: 'Shop', url: hook.url, events: ['*'], ...more }
  const answer = await merchant.call('POST', '/v1/webhooks', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

const session = ({ scope }: Merchant, name: string) => ({
  types: ['checkout_session.created'] as const,
  objectId: crypto.randomUUID(),
  data: { name },
  callbackState: 'cart 42',
  at: clock.now(scope),
})

/** Publishes the creation of a fictitious session. */
const happen = async (merchant: Merchant, ...names: string[]) => {
  for (const name of names) await db.transaction((tx) => publish(tx, merchant.scope, session(merchant, name)))
}

const namesOf = (received: Received[]) => received.map(({ event }) => event.data.name)

const deliveries = async (merchant: Merchant, webhook: { id: string }, query = '') =>
  (await merchant.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=50${query}`)).body.result

/** Waits until the newest deliveries all have this status. */
const settled = (merchant: Merchant, webhook: { id: string }, status: string, count = 1) =>
  until(async () => {
    const all = await deliveries(merchant, webhook)
    return all.length >= count && all.every((one: { status: string }) => one.status === status) && all
  })

/** Waits until the delivery has had this many attempts. */
const tried = (merchant: Merchant, id: string, attempts: number) =>
  until(async () => {
    const { body } = await merchant.call('GET', `/v1/deliveries/${id}`)
    return body.result.attempts.length >= attempts && body.result
  })

const verifyWith = (secret: string, { text, headers }: Received, options?: { format: 'raw' }) =>
  new Webhook(secret, options).verify(text, headers as Record<string, string>)

describe('a delivery', () => {
  test('is the event exactly as the API shows it, with a signature that the public library accepts', async () => {
    const { merchant, hook, secret } = await shop({ headers: { 'X-Shop': '42' } })
    await happen(merchant, 'first')
    const [received] = await hook.take(1)
    assert.deepEqual(verifyWith(secret, received!), received!.event)
    const listed = (await merchant.call('GET', '/v1/events')).body.result[0]
    assert.deepEqual(received!.event, listed)
    assert.equal(received!.id, listed.id)
    assert.equal(listed.callbackState, 'cart 42')
    assert.equal(received!.headers['x-shop'], '42')
    assert.equal(received!.headers['content-type'], 'application/json')
  })

  test('is rejected by the library after any change', async () => {
    const { merchant, hook, secret } = await shop()
    await happen(merchant, 'first')
    const [received] = await hook.take(1)
    const altered = { ...received!, text: received!.text.replace('first', 'worst') }
    assert.throws(() => verifyWith(secret, altered))
    assert.throws(() => verifyWith(`whsec_${Buffer.alloc(32).toString('base64')}`, received!))
  })

  test('arrives in event order', async () => {
    const { merchant, hook } = await shop()
    const names = Array.from({ length: 30 }, (_, i) => `no. ${i}`)
    await happen(merchant, ...names)
    const received = await hook.take(30)
    // If many are waiting, some are sent concurrently, but none is far from its place.
    namesOf(received).forEach((name, i) => {
      assert.ok(Math.abs(names.indexOf(name) - i) <= 16, `${name} arrived as no. ${i}`)
    })
    assert.deepEqual(new Set(namesOf(received)), new Set(names))
  })

  test('goes only to subscribers of its type, its resource or all types', async () => {
    const merchant = await t.merchant()
    const [all, object, name, other, off] = await Promise.all(Array.from({ length: 5 }, receiver))
    await register(merchant, all!)
    await register(merchant, object!, { events: ['checkout_session.*'] })
    await register(merchant, name!, { events: ['payment.failed', 'checkout_session.created'] })
    const elsewhere = await register(merchant, other!, { events: ['payment.*', 'checkout_session.expired'] })
    const disabled = await register(merchant, off!, { enabled: false })
    await happen(merchant, 'first')
    await Promise.all([all!, object!, name!].map((hook) => hook.take(1)))
    assert.deepEqual(await deliveries(merchant, elsewhere), [])
    assert.deepEqual(await deliveries(merchant, disabled), [])
    assert.equal(other!.received.length + off!.received.length, 0)
  })

  test('never crosses Spaces or environments', async () => {
    const { merchant, hook } = await shop()
    const stranger = await shop()
    const live = await t.merchant({ sameUserAs: merchant, environment: 'live' })
    await happen(live, 'live')
    await happen(stranger.merchant, 'theirs')
    await happen(merchant, 'ours')
    await hook.take(1)
    await stranger.hook.take(1)
    assert.deepEqual(namesOf(hook.received), ['ours'])
    assert.deepEqual(namesOf(stranger.hook.received), ['theirs'])
  })

  test('shows each attempt: time, status, duration and the first kilobyte of the response', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = { status: 500, body: 'é'.repeat(2_000) }
    await happen(merchant, 'first')
    await hook.take(1)
    const [{ id }] = await until(async () => {
      const listed = await deliveries(merchant, webhook)
      return listed[0]?.attempts.length === 1 && listed
    })
    const { body } = await merchant.call('GET', `/v1/deliveries/${id}`)
    const [attempt] = body.result.attempts
    assert.equal(attempt.statusCode, 500)
    assert.equal(attempt.error, null)
    assert.equal(attempt.responseBody, 'é'.repeat(512))
    assert.ok(attempt.durationMs >= 0)
    assert.equal(body.result.status, 'pending')
    assert.ok(body.result.nextAttemptTime > attempt.time)
    assert.equal(body.result.eventId, hook.received[0]!.id)
    assert.equal(body.result.webhookId, webhook.id)
  })
})

describe('a failing receiver', () => {
  test('is retried after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each ±20%', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 503
    await happen(merchant, 'first')
    await hook.take(1)
    const [{ id }] = await deliveries(merchant, webhook)
    const waits = [5_000, 300_000, hour / 2, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
    for (const [i, waitMs] of waits.entries()) {
      const { attempts, nextAttemptTime } = await tried(merchant, id, i + 1)
      const waitedMs = Date.parse(nextAttemptTime) - Date.parse(attempts.at(-1).time)
      assert.ok(waitedMs >= waitMs * 0.8 && waitedMs <= waitMs * 1.2, `${waitedMs} after attempt ${i + 1}`)
      await t.advance(merchant.scope, waitedMs)
    }
    const ended = await tried(merchant, id, 10)
    assert.equal(ended.status, 'failed')
    assert.equal(ended.nextAttemptTime, null)
    const ids = new Set(hook.received.map((received) => received.id))
    const texts = new Set(hook.received.map(({ text }) => text))
    assert.deepEqual([hook.received.length, ids.size, texts.size], [10, 1, 1])
  })

  test('succeeds only with 2xx: redirects are not followed, and any other response is retried', async () => {
    const elsewhere = await receiver()
    const { merchant, hook, webhook } = await shop()
    for (const status of [199 + 2, 204, 301, 302, 307, 400, 404, 500]) {
      hook.answer = { status, headers: { location: elsewhere.url } }
      const before = hook.received.length
      await happen(merchant, String(status))
      await hook.take(before + 1)
      const [delivery] = await until(async () => {
        const listed = await deliveries(merchant, webhook)
        return listed.length === before + 1 && listed[0].attempts.length === 1 && listed
      })
      assert.equal(delivery.status, status < 300 ? 'delivered' : 'pending', String(status))
    }
    assert.equal(elsewhere.received.length, 0)
  })

  test('can request a longer wait, but not a shorter one', async () => {
    const { merchant, hook, webhook } = await shop()
    const waited = async (retryAfter: string) => {
      hook.answer = { status: 429, headers: { 'retry-after': retryAfter } }
      const before = hook.received.length
      await happen(merchant, retryAfter)
      await hook.take(before + 1)
      const [delivery] = await until(async () => {
        const listed = await deliveries(merchant, webhook)
        return listed.length === before + 1 && listed[0].attempts.length === 1 && listed
      })
      return Date.parse(delivery.nextAttemptTime) - Date.parse(delivery.attempts[0].time)
    }
    assert.equal(await waited('3600'), hour)
    assert.ok((await waited('1')) >= 4_000)
    assert.ok((await waited('soon')) <= 6_000)
    assert.equal(await waited('999999999'), 24 * hour)
    const date = new Date(clock.now(merchant.scope).getTime() + 2 * hour).toUTCString()
    assert.ok(Math.abs((await waited(date)) - 2 * hour) < 60_000)
  })

  test('that is down for three days gets everything afterwards, each with its own id, oldest first', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 500
    // So few that the endpoint is never paused.
    const names = Array.from({ length: 8 }, (_, i) => `no. ${i}`)
    await happen(merchant, ...names)
    await hook.take(8)
    for (let hours = 0; hours < 72; hours += 4) {
      const attempted = async () =>
        (await deliveries(merchant, webhook)).reduce(
          (sum: number, { attempts }: { attempts: object[] }) => sum + attempts.length,
          0,
        )
      const now = clock.now(merchant.scope).getTime() + 4 * hour
      const due = (await deliveries(merchant, webhook)).filter(
        ({ nextAttemptTime }: { nextAttemptTime: string }) => Date.parse(nextAttemptTime) <= now,
      ).length
      const before = await attempted()
      await t.advance(merchant.scope, 4 * hour)
      await until(async () => (await attempted()) >= before + due)
    }
    const seen = hook.received.length
    hook.answer = 200
    await t.advance(merchant.scope, 30 * hour)
    await settled(merchant, webhook, 'delivered', 8)
    const after = hook.received.slice(seen)
    assert.deepEqual(namesOf(after), names)
    for (const { id, event } of hook.received) assert.equal(id, event.id)
    assert.equal(new Set(hook.received.map(({ id }) => id)).size, 8)
  })

  test('that returns 410 is disabled immediately, with an event and a mail', async () => {
    const { merchant, hook, webhook } = await shop({ alertEmails: ['dev@shop.example'] })
    const watcher = await receiver()
    await register(merchant, watcher, { events: ['webhook.disabled'] })
    hook.answer = 410
    await happen(merchant, 'first')
    const [received] = await watcher.take(1)
    assert.equal(received!.event.type, 'webhook.disabled')
    assert.deepEqual(received!.event.object, { id: webhook.id, type: 'webhook' })
    const shown = (await merchant.call('GET', `/v1/webhooks/${webhook.id}`)).body.result
    assert.equal(shown.enabled, false)
    assert.deepEqual(received!.event.data, shown)
    assert.equal('secret' in received!.event.data.verificationMethod, false)
    const mail = await until(() => mailbox.received[0])
    assert.deepEqual(mail.to, ['dev@shop.example'])
    assert.match(mail.data, /returned 410 Gone/)
    assert.match(mail.data, new RegExp(webhook.id))
    await happen(merchant, 'second')
    await until(async () => (await merchant.call('GET', '/v1/events')).body.result.length === 3)
    assert.equal((await deliveries(merchant, webhook)).length, 1)
  })

  test('is disabled after five days without success, and starts fresh when enabled again', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 500
    const shown = async () => (await merchant.call('GET', `/v1/webhooks/${webhook.id}`)).body.result
    const failing = async () =>
      (
        await db.pool.query(
          'select failing_since from webhooks where id = any(select webhook_id from webhook_deliveries where space_id = $1)',
          [merchant.scope.spaceId],
        )
      ).rows[0]?.failing_since
    await happen(merchant, 'first')
    await until(failing)
    await t.advance(merchant.scope, 119 * hour)
    await hook.take(2)
    await settled(merchant, webhook, 'pending')
    assert.equal((await shown()).enabled, true)
    await t.advance(merchant.scope, hour + 1_000)
    await until(async () => !(await shown()).enabled)
    // Pending deliveries stay pending, and are sent once the endpoint is enabled again.
    hook.answer = 200
    await merchant.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: true })
    await t.advance(merchant.scope, 24 * hour)
    await settled(merchant, webhook, 'delivered')
    assert.equal(await failing(), null)
  })
})

test('a Space whose endpoints fill a node makes room for another Space', async () => {
  const quiet = await startTestApp({ work: false })
  const { parts } = quiet.app
  const sequenceAll = async () => {
    while ((await sequenceNext(parts.db, selectPostedLines)).isMore);
  }
  const [busy, other] = [await quiet.merchant(), await quiet.merchant()]
  const busyHooks = await Promise.all(Array.from({ length: 4 }, receiver))
  for (const hook of busyHooks) await register(busy, hook)
  const otherHook = await receiver()
  await register(other, otherHook)
  const events = 500
  const names = Array.from({ length: events }, (_, i) => `no. ${i}`)
  await parts.db.transaction((tx) => publish(tx, busy.scope, ...names.map((name) => session(busy, name))))
  await sequenceAll()
  const dispatcher = await startDispatcher(parts, quiet.database.connection, busyHooks.length)
  try {
    await Promise.all(busyHooks.map((hook) => hook.take(1)))
    await parts.db.transaction((tx) => publish(tx, other.scope, session(other, 'other')))
    await sequenceAll()
    await otherHook.take(1)
    for (const { received } of busyHooks) assert.ok(received.length < events, 'the other Space had to wait')
    await Promise.all(busyHooks.map((hook) => hook.take(events)))
  } finally {
    await dispatcher.stop()
    await quiet.close()
  }
})

describe('redelivery', () => {
  test('of one delivery sends the same bytes again', async () => {
    const { merchant, hook, webhook, secret } = await shop()
    await happen(merchant, 'first')
    const [first] = await hook.take(1)
    const [delivery] = await settled(merchant, webhook, 'delivered')
    const again = await merchant.call('POST', `/v1/deliveries/${delivery.id}/redeliver`, {})
    assert.equal(again.body.result.status, 'pending')
    const [, second] = await hook.take(2)
    assert.equal(second!.text, first!.text)
    assert.equal(second!.id, first!.id)
    verifyWith(secret, second!)
    const { attempts, status } = await tried(merchant, delivery.id, 2)
    assert.deepEqual([attempts.length, status], [2, 'delivered'])
  })

  test('of failures since a time includes events never sent, and skips delivered ones', async () => {
    const { merchant, hook, webhook } = await shop()
    const { scope } = merchant
    await happen(merchant, 'delivered')
    await settled(merchant, webhook, 'delivered')
    const since = clock.now(scope).toISOString()
    hook.answer = 500
    await happen(merchant, 'failed')
    const failed = (
      await until(async () => {
        const listed = await deliveries(merchant, webhook)
        return listed.length === 2 && listed
      })
    )[0]
    await db.pool.query(
      `update webhook_deliveries set status = 'failed', next_attempt_at = null where space_id = $1 and status = 'pending'`,
      [scope.spaceId],
    )
    await merchant.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
    await happen(merchant, 'missed')
    await until(async () => (await merchant.call('GET', '/v1/events')).body.result.length === 3)
    hook.answer = 200
    const before = hook.received.length
    const refused = await merchant.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, { since })
    assert.equal(refused.body.error.reason, 'state_conflict')
    await merchant.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: true })
    await merchant.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, { since })
    await settled(merchant, webhook, 'delivered', 3)
    assert.deepEqual(namesOf(hook.received.slice(before)), ['failed', 'missed'])
    assert.ok(failed)
  })

  test('of failures does not wait for the next retry', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 500
    await happen(merchant, 'retried')
    const failing = await until(async () => {
      const [delivery] = await deliveries(merchant, webhook)
      return delivery?.attempts.length > 0 && delivery
    })
    // The next retry is hours away.
    await db.pool.query(
      `update webhook_deliveries set next_attempt_at = next_attempt_at + interval '5 hours' where space_id = $1`,
      [merchant.scope.spaceId],
    )
    hook.answer = 200
    const body = { since: failing.createTime }
    await merchant.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, body)
    await settled(merchant, webhook, 'delivered')
  })

  test('of a range sends all of its events again, and nothing else', async () => {
    const { merchant, hook, webhook } = await shop()
    const { scope } = merchant
    const moments: string[] = []
    for (const name of ['before', 'first', 'second', 'after']) {
      await t.advance(scope, 60_000)
      moments.push(clock.now(scope).toISOString())
      await happen(merchant, name)
    }
    await hook.take(4)
    await settled(merchant, webhook, 'delivered', 4)
    const range = { since: moments[1], until: moments[3], status: 'all' }
    await merchant.call('POST', `/v1/webhooks/${webhook.id}/redeliver`, range)
    const received = await hook.take(6)
    await settled(merchant, webhook, 'delivered', 4)
    assert.deepEqual(namesOf(received.slice(4)), ['first', 'second'])
  })
})

describe('a secret', () => {
  test('is shown only by create and rotate and in replays, and is encrypted in the database', async () => {
    const merchant = await t.merchant()
    const hook = await receiver()
    const body = { name: 'Shop', url: hook.url, events: ['*'] }
    const key = { 'idempotency-key': crypto.randomUUID() }
    const first = await merchant.call('POST', '/v1/webhooks', body, key)
    const again = await merchant.call('POST', '/v1/webhooks', body, key)
    assert.deepEqual(again.body, first.body)
    assert.equal(again.headers.get('service-idempotent-replay'), 'true')
    const { id, verificationMethod } = first.body.result
    assert.match(verificationMethod.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const path of [`/v1/webhooks/${id}`, '/v1/webhooks'])
      assert.doesNotMatch(JSON.stringify((await merchant.call('GET', path)).body), /whsec_/)
    const stored = await db.pool.query(
      `select (select jsonb_agg(k) from idempotency_keys k where space_id = $1)::text
        || (select jsonb_agg(w) from webhooks w where space_id = $1)::text as text`,
      [merchant.scope.spaceId],
    )
    assert.doesNotMatch(stored.rows[0].text, /whsec_/)
    const raw = Buffer.from(verificationMethod.secret.slice(6), 'base64').toString('hex')
    assert.ok(!stored.rows[0].text.includes(raw))
  })

  test('after a rotation both keys sign for 24 h, then only the new one', async () => {
    const { merchant, hook, webhook, secret } = await shop()
    const rotated = await merchant.call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, {})
    const newer = rotated.body.result.verificationMethod.secret
    assert.notEqual(newer, secret)
    await happen(merchant, 'during')
    const [during] = await hook.take(1)
    assert.equal(String(during!.headers['webhook-signature']).split(' ').length, 2)
    verifyWith(secret, during!)
    verifyWith(newer, during!)
    await t.advance(merchant.scope, 24 * hour + 1_000)
    await happen(merchant, 'after')
    const [, later] = await hook.take(2)
    verifyWith(newer, later!)
    assert.throws(() => verifyWith(secret, later!))
  })

  test('may be chosen by the merchant: base64 after whsec_, or ASCII characters', async () => {
    const encoded = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const plain = 'a secret of thirty-two characters'
    for (const chosen of [encoded, plain]) {
      const { merchant, hook, secret } = await shop({ verificationMethod: { type: 'HS256', secret: chosen } })
      assert.equal(secret, chosen)
      await happen(merchant, 'first')
      const [received] = await hook.take(1)
      verifyWith(chosen, received!, chosen === plain ? { format: 'raw' } : undefined)
    }
  })

  test('for ED25519 is never shared; the public key verifies', async () => {
    const { merchant, hook, webhook } = await shop({ verificationMethod: { type: 'ED25519' } })
    assert.equal(webhook.verificationMethod.secret, undefined)
    const verifies = ({ headers, text }: Received, publicKey: string, signature: string) => {
      const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
      return verify(null, Buffer.from(content), key, Buffer.from(signature.slice('v1a,'.length), 'base64'))
    }
    await happen(merchant, 'first')
    const [first] = await hook.take(1)
    const signature = String(first!.headers['webhook-signature'])
    assert.match(signature, /^v1a,/)
    assert.ok(verifies(first!, webhook.verificationMethod.publicKey, signature))
    assert.ok(
      !verifies({ ...first!, text: `${first!.text} ` }, webhook.verificationMethod.publicKey, signature),
    )
    const rotated = (await merchant.call('POST', `/v1/webhooks/${webhook.id}/rotate-secret`, {})).body.result
    await happen(merchant, 'second')
    const [, second] = await hook.take(2)
    const [newer, older] = String(second!.headers['webhook-signature']).split(' ')
    assert.ok(verifies(second!, rotated.verificationMethod.publicKey, newer!))
    assert.ok(verifies(second!, webhook.verificationMethod.publicKey, older!))
  })
})

describe('/v1/webhooks', () => {
  test('GET, PATCH, DELETE 200; 404 after removal', async () => {
    const { merchant, hook, webhook } = await shop({ metadata: { team: 'a' }, alertEmails: ['a@b.example'] })
    const path = `/v1/webhooks/${webhook.id}`
    const { secret: _, ...verificationMethod } = webhook.verificationMethod
    assert.deepEqual((await merchant.call('GET', path)).body.result, { ...webhook, verificationMethod })
    const changed = await merchant.call('PATCH', path, {
      name: 'Other',
      events: ['payment.*', 'payment.*'],
      enabled: false,
      headers: { 'X-A': 'b' },
      alertEmails: null,
      metadata: null,
    })
    const { result } = changed.body
    assert.deepEqual(
      [result.name, result.events, result.enabled, result.headers, result.alertEmails, result.metadata],
      ['Other', ['payment.*'], false, { 'X-A': 'b' }, [], {}],
    )
    assert.equal(result.url, hook.url)
    for (let i = 0; i < 2; i++) {
      const removed = await merchant.call('DELETE', path)
      assert.deepEqual(removed.body, { success: true, messages: [], result: null })
    }
    assert.equal((await merchant.call('GET', path)).status, 404)
    assert.equal((await merchant.call('PATCH', path, { name: 'x' })).status, 404)
    assert.deepEqual((await merchant.call('GET', '/v1/webhooks')).body.result, [])
  })

  test('DELETE 200: the webhook and its deliveries disappear immediately, even while a delivery is locked', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 500
    await happen(merchant, 'first')
    const [delivery] = await settled(merchant, webhook, 'pending')
    await tried(merchant, delivery.id, 1)
    await db.transaction(async (tx) => {
      await tx.query(
        sql`select from webhook_deliveries where space_id = ${merchant.scope.spaceId} for update`,
      )
      assert.equal((await merchant.call('DELETE', `/v1/webhooks/${webhook.id}`)).status, 200)
      for (const [method, path] of [
        ['GET', `/v1/deliveries/${delivery.id}`],
        ['POST', `/v1/deliveries/${delivery.id}/redeliver`],
        ['GET', `/v1/webhooks/${webhook.id}/deliveries`],
        ['GET', `/v1/webhooks/${webhook.id}`],
      ] as const)
        assert.equal((await merchant.call(method, path, method === 'POST' ? {} : undefined)).status, 404)
    })
  })

  test('DELETE removes all its deliveries, however many, and no others', async () => {
    const { merchant, hook, webhook } = await shop()
    const other = await register(merchant, hook)
    const { spaceId } = merchant.scope
    const waiting = 60_000
    const ids = new Map([webhook, other].map(({ id }) => [id, readId(webhookIds, id)!]))
    const write = (id: string, count: number) =>
      db.write(sql`
        insert into webhook_deliveries (space_id, environment, id, webhook_id, position, status, next_attempt_at,
          created_at)
        select ${spaceId}, 'test', gen_random_uuid(), ${id}, nth, 'pending', now() + interval '1 day', now()
        from generate_series(1, ${count}::int) nth`)
    for (const id of ids.values()) await write(id, waiting)
    await merchant.call('DELETE', `/v1/webhooks/${webhook.id}`)
    const count = async (id: string) =>
      (
        await db.one<{ count: number }>(sql`
          select count(*)::int as count from webhook_deliveries
          where space_id = ${spaceId} and environment = 'test' and webhook_id = ${ids.get(id)!}`)
      )?.count
    await until(async () => (await count(webhook.id)) === 0)
    assert.equal(await count(other.id), waiting)
    // By a statement that read the webhook before its removal.
    await write(ids.get(webhook.id)!, 1)
    await t.advance(merchant.scope, 60_000)
    await until(async () => (await count(webhook.id)) === 0)
    assert.equal(await count(other.id), waiting)
  })

  test('DELETE during an attempt: the outcome is ignored', async () => {
    const { merchant, hook, webhook } = await shop()
    hook.answer = 'never'
    await happen(merchant, 'first')
    await hook.take(1)
    const [delivery] = await deliveries(merchant, webhook)
    await merchant.call('DELETE', `/v1/webhooks/${webhook.id}`)
    await happen(merchant, 'second')
    await until(async () => (await merchant.call('GET', '/v1/events')).body.result.length === 2)
    hook.hangUp()
    // The same node still serves another endpoint of the Space.
    const other = await receiver()
    await register(merchant, other)
    await happen(merchant, 'third')
    await other.take(1)
    assert.equal((await merchant.call('GET', `/v1/deliveries/${delivery.id}`)).status, 404)
    assert.equal(hook.received.length, 1)
  })

  test('POST ping: the endpoint gets a test event whatever its subscriptions, and no other endpoint does', async () => {
    const { merchant, hook, webhook } = await shop({ events: ['payout.completed'] })
    const other = await receiver()
    const otherWebhook = await register(merchant, other)
    const ping = (id: string) => merchant.call('POST', `/v1/webhooks/${id}/ping`, {})
    assert.equal((await ping(webhook.id)).body.result.id, webhook.id)
    const [received] = await hook.take(1)
    assert.equal(received!.event.type, 'webhook.ping')
    assert.deepEqual(received!.event.object, { id: webhook.id, type: 'webhook' })
    assert.deepEqual(await deliveries(merchant, otherWebhook), [])
    await merchant.call('PATCH', `/v1/webhooks/${webhook.id}`, { enabled: false })
    assert.equal((await ping(webhook.id)).status, 409)
  })

  const bad: [string, object, string][] = [
    ['no name', { name: '' }, 'name'],
    ['a long name', { name: 'n'.repeat(101) }, 'name'],
    ['an unknown release', { apiRelease: 'oak' }, 'apiRelease'],
    ['no absolute URL', { url: 'shop.example/hook' }, 'url'],
    ['a URL with credentials', { url: 'https://a:b@shop.example/' }, 'url'],
    ['a long URL', { url: `https://shop.example/${'a'.repeat(240)}` }, 'url'],
    ['a URL on a private network', { url: 'http://10.0.0.1/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['too many events', { events: Array(101).fill('*') }, 'events'],
    ['an unknown event', { events: ['payment.exploded'] }, 'events[0]'],
    ['a test event', { events: ['webhook.ping'] }, 'events[0]'],
    ['a reserved header', { headers: { 'Webhook-Id': 'x' } }, 'headers'],
    ['a header with a line break', { headers: { 'X-A': 'b\r\nX-B: c' } }, 'headers'],
    ['a non-text header', { headers: { 'X-A': 7 } }, 'headers.X-A'],
    [
      'too many headers',
      { headers: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'v'])) },
      'headers',
    ],
    [
      'too many alert addresses',
      { alertEmails: ['a@b.example', 'b@b.example', 'c@b.example'] },
      'alertEmails',
    ],
    ['an invalid alert address', { alertEmails: ['a@b.example\r\nBcc: c@d.example'] }, 'alertEmails[0]'],
    [
      'a short secret',
      { verificationMethod: { type: 'HS256', secret: 'x'.repeat(31) } },
      'verificationMethod.secret',
    ],
    ['a long secret', { verificationMethod: { secret: 'x'.repeat(257) } }, 'verificationMethod.secret'],
    [
      'a secret that is not base64',
      { verificationMethod: { secret: `whsec_${'!'.repeat(40)}` } },
      'verificationMethod.secret',
    ],
    [
      'a secret with too few bytes',
      { verificationMethod: { secret: `whsec_${Buffer.alloc(23).toString('base64')}` } },
      'verificationMethod.secret',
    ],
    [
      'a secret for ED25519',
      { verificationMethod: { type: 'ED25519', secret: 'x'.repeat(32) } },
      'verificationMethod.secret',
    ],
    ['an unknown method', { verificationMethod: { type: 'RS256' } }, 'verificationMethod.type'],
  ]
  for (const [name, more, param] of bad)
    test(`POST 400 with ${name}, naming the field`, async () => {
      const merchant = await t.merchant()
      const body = { name: 'Shop', url: 'https://shop.example/hook', events: ['*'], ...more }
      const answer = await merchant.call('POST', '/v1/webhooks', body)
      assert.equal(answer.status, 400)
      assert.deepEqual(
        answer.body.error.details.map((detail: { param: string }) => detail.param),
        [param],
      )
    })

  test('POST 400 in live without https and a public address', async () => {
    const merchant = await t.merchant({ environment: 'live' })
    for (const url of ['http://shop.example/hook', 'https://127.0.0.1/hook', 'https://localhost/hook']) {
      const answer = await merchant.call('POST', '/v1/webhooks', { name: 'Shop', url, events: ['*'] })
      assert.deepEqual([answer.status, answer.body.error.details[0].param], [400, 'url'])
    }
  })

  test('in live reaches nothing on this machine, even if its address changes', async () => {
    const merchant = await t.merchant({ environment: 'live' })
    const hook = await receiver()
    const port = new URL(hook.url).port
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
      'localhost',
      'a@127.0.0.1',
    ]
    for (const host of hosts) {
      const body = { name: host, url: 'https://shop.example/hook', events: ['checkout_session.created'] }
      const webhook = (await merchant.call('POST', '/v1/webhooks', body)).body.result
      // As if it had been created before the rules existed, or had evaded them.
      await db.pool.query('update webhooks set url = $2 where space_id = $1 and name = $3', [
        merchant.scope.spaceId,
        `http://${host}:${port}/hook`,
        host,
      ])
      await happen(merchant, host)
      const [delivery] = await until(async () => {
        const listed = await deliveries(merchant, webhook)
        return listed[0]?.attempts.length > 0 && listed
      })
      assert.equal(delivery.attempts[0].error, 'address not allowed', host)
      await merchant.call('DELETE', `/v1/webhooks/${webhook.id}`)
    }
    assert.equal(hook.received.length, 0)
  })

  test('POST 409 for a Space with a hundred webhooks', async () => {
    const merchant = await t.merchant()
    const body = { name: 'Shop', url: 'https://shop.example/hook', events: ['*'] }
    for (let i = 0; i < 100; i++)
      assert.equal((await merchant.call('POST', '/v1/webhooks', body)).status, 200)
    const refused = await merchant.call('POST', '/v1/webhooks', body)
    assert.equal(refused.body.error.reason, 'state_conflict')
  })
})

describe('custom header values', () => {
  const hidden = { authorization: '****', 'X-Shop': '****' }
  const headers = { authorization: 'Bearer of the receiver', 'X-Shop': '42' }

  test('are shown only to callers who may change the webhook', async () => {
    const owner = await t.merchant()
    const made = await owner.call('POST', '/v1/webhooks', {
      name: 'Orders',
      url: 'https://shop.example/hook',
      events: ['*'],
      headers,
    })
    const { id } = made.body.result
    const seenBy = async (merchant: Merchant) => {
      const one = (await merchant.call('GET', `/v1/webhooks/${id}`)).body.result
      const [listed] = (await merchant.call('GET', '/v1/webhooks')).body.result
      assert.deepEqual(listed, one)
      return one.headers
    }
    assert.deepEqual([made.body.result.headers, await seenBy(owner)], [headers, headers])
    assert.deepEqual(await seenBy(await t.merchant({ sameUserAs: owner, scopes: ['webhooks:read'] })), hidden)
    const viewer = await t.merchant({ sameUserAs: owner, role: 'viewer' })
    // The user's previous role is cached for half a second; reads until it has expired.
    await until(async () => {
      const { body } = await viewer.call('GET', `/v1/webhooks/${id}`)
      return body.result.headers.authorization === hidden.authorization
    })
    assert.deepEqual(await seenBy(viewer), hidden)
  })

  test('appear in no event', async () => {
    const owner = await t.merchant()
    const { id } = (
      await owner.call('POST', '/v1/webhooks', {
        name: 'Orders',
        url: 'https://shop.example/hook',
        events: ['payment.completed'],
        headers,
      })
    ).body.result
    await owner.call('POST', `/v1/webhooks/${id}/ping`, {})
    const [ping] = await t.events(owner.scope)
    assert.deepEqual([ping!.type, (ping!.data as { headers: object }).headers], ['webhook.ping', hidden])
  })
})
