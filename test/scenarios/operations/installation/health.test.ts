import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createManualClock } from '@pesewa/connector-kit/simulator'
import pg from 'pg'
import { recordProof } from '../../../../packages/server/src/finance/books/proofs.ts'
import { verifyBooks } from '../../../../packages/server/src/finance/books/verify.ts'
import { readHealth } from '../../../../packages/server/src/operations/installation/health.ts'
import type { Sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { findChecks } from '../../../../packages/server/src/slices.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { createPayer } from '../../../support/payer.ts'

const rail = createManualClock()
const t = await startTestApp({ app: { simulatorClock: rail } })
const client = new pg.Client(t.database.connection)
await client.connect()
after(async () => {
  await client.end()
  await t.close()
})
const { db, seals } = t.app.parts
const operator = await t.merchant({ isOperator: true })

async function health() {
  const answer = await operator.call('GET', '/v1/installation/health')
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body.result
}

test('each node is shown as alive, stopped or lost', async () => {
  const other = await startTestApp({ anotherNodeOf: t, work: false })
  const statusOf = async (node: number) =>
    (await health()).nodes.find(({ id }: { id: number }) => id === node)?.status
  const [own] = (await health()).nodes.filter(({ isThis }: { isThis: boolean }) => isThis)
  assert.deepEqual([own.id, own.serves, own.works, own.status], [db.node, true, true, 'alive'])
  const { node } = other.app.parts.db
  assert.equal(await statusOf(node), 'alive')
  await other.close()
  await until(async () => (await statusOf(node)) === 'stopped')
  // As after a kill: there is no lock, and no record of a clean stop.
  await client.query(`update nodes set stopped_at = null where node = ${node}`)
  assert.equal(await statusOf(node), 'lost')
})

test('submitted orders are counted by provider until they have an outcome', async () => {
  const merchant = await t.merchant()
  const body = { name: 'Order', lineItems: [{ name: 'Cloth', price: { currency: 'SLE', value: 500 } }] }
  const session = (await merchant.call('POST', '/v1/checkout-sessions', body)).body.result
  const payer = createPayer(session.redirectUrl)
  await payer.pay('m17', '076123456')
  const open = await until(async () => (await health()).unknownOutcomes[0])
  assert.deepEqual(
    [open.environment, open.type, open.providerId, open.count, open.estimated],
    ['test', 'payment', 'm17', 1, false],
  )
  await until(async () => (await payer.status()) === 'done' || rail.advance(300))
  await until(async () => (await health()).unknownOutcomes.length === 0)
})

test('the last verification is shown with each of its checks', async () => {
  assert.equal((await health()).lastProof, null)
  const proof = await verifyBooks(db, findChecks, { seals })
  await db.transaction((tx) => recordProof(tx, proof))
  const { lastProof } = await health()
  assert.equal(lastProof.isOk, true)
  assert.deepEqual(
    lastProof.checks.map(({ name }: { name: string }) => name),
    proof.checks.map(({ name }) => name),
  )
  assert.ok(lastProof.checks.every(({ differences }: { differences: number }) => differences === 0))
})

test('failing webhooks are counted, and a few are named, without their URLs', async () => {
  const merchant = await t.merchant()
  const hook = {
    name: 'Orders',
    url: 'https://shop.example/hook-of-mine',
    events: ['*'],
    verificationMethod: { type: 'HS256' },
  }
  for (const _ of [1, 2]) await merchant.call('POST', '/v1/webhooks', hook)
  await client.query(`update webhooks set failing_since = now()`)
  await client.query(
    `update webhooks set disabled_reason = 'failing' where id = (select min(id::text)::uuid from webhooks)`,
  )
  const state = await health()
  const { longestFailing, ...counts } = state.webhooks
  assert.deepEqual(counts, { failing: 1, disabled: 1, estimated: false })
  assert.deepEqual(
    longestFailing.map(({ spaceId }: { spaceId: string }) => spaceId),
    [merchant.spaceId, merchant.spaceId],
  )
  assert.ok(!JSON.stringify(state).includes('hook-of-mine'))
})

type Plan = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const lookedAt = (plan: Plan): number =>
  (plan['Relation Name'] === undefined
    ? 0
    : (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']) +
  (plan.Plans ?? []).reduce((sum, inner) => sum + lookedAt(inner), 0)

describe('with many rows', () => {
  const many = 30_000

  test('each statement reads a limited number of rows', async () => {
    const space = operator.scope.spaceId
    await client.query(`
      insert into instructions (space_id, environment, id, kind, provider_id, state, amount, currency, reference,
        description, created_at, submitted_at, submitting_since, owner_type)
      select '${space}', 'test', gen_random_uuid(), 'collect', 'm17', 'succeeded', 1, 'SLE', gen_random_uuid(), '', now(),
        now(), now(), 'payment'
      from generate_series(1, ${many})`)
    await client.query(`
      insert into jobs (space_id, environment, job, payload, timing, due_at)
      select '${space}', 'test', 'x', '{}', 'real_time', now() + interval '1 day' from generate_series(1, ${many})`)
    await client.query(`
      insert into webhooks (space_id, environment, id, name, api_release, url, subscriptions, enabled, headers,
        alert_emails, verification, secret, metadata, created_at, updated_at)
      select '${space}', 'test', gen_random_uuid(), '', 'baobab', '', '{*}', true, '{}', '{}', 'HS256', '', '{}', now(),
        now()
      from generate_series(1, ${many})`)
    await client.query('analyze')
    const statements: Sql[] = []
    const watched = {
      ...db,
      query: (statement: Sql) => {
        statements.push(statement)
        return db.query(statement)
      },
      only: async (statement: Sql) => {
        statements.push(statement)
        return db.only(statement)
      },
      one: async (statement: Sql) => {
        statements.push(statement)
        return db.one(statement)
      },
    }
    await readHealth({ db: { primary: watched as typeof db }, catalogue: t.app.parts.catalogue })
    assert.ok(statements.length >= 10)
    for (const { text, values } of statements) {
      const { rows } = await client.query(`explain (analyze, format json) ${text}`, values)
      const count = lookedAt(rows[0]['QUERY PLAN'][0].Plan)
      assert.ok(count < 2_000, `${count} rows for ${text}`)
    }
  })
})
