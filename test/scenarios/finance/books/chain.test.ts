import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { startTestApp, until } from '../../../support/harness.ts'
import { addJob } from '../../../support/jobs.ts'
import { fund } from '../../../support/money.ts'

const t = await startTestApp({ settings: { LOG_LEVEL: 'fatal' } })
const other = await startTestApp({ anotherNodeOf: t, settings: { LOG_LEVEL: 'fatal' } })
after(async () => {
  await other.close()
  await t.close()
})
const { db } = t.app.parts

type Link = { number: bigint; hash: Buffer; eventCount: number }

const linksOf = ({ spaceId, environment }: Scope) =>
  db.query<Link>(sql`
    select number, hash, event_count from book_links
    where space_id = ${spaceId} and environment = ${environment} order by number`)

const isChained = ({ spaceId, environment }: Scope, lines: number) =>
  until(async () => {
    const row = await db.one<{ lines: bigint }>(sql`
      select coalesce(sum(seq_to - seq_from + 1), 0)::bigint as lines from book_ranges
      where space_id = ${spaceId} and environment = ${environment}`)
    return row!.lines === BigInt(lines)
  })

test('concurrent commits on two nodes are chained once, link by link, and the chain is valid', async () => {
  const { scope, call } = await t.merchant()
  const main = await fund(t.app.parts, scope, 100_000)
  const savings = (await call('POST', '/v1/financial-accounts', { name: 'Savings', currency: 'SLE' })).body
  const transfer = () =>
    call('POST', '/v1/internal-transfers', {
      amount: { currency: 'SLE', value: 1 },
      sourceFinancialAccount: { id: main },
      destinationFinancialAccount: { id: savings.result.id },
    })
  await Promise.all(Array.from({ length: 150 }, transfer))
  await isChained(scope, 2 + 300)
  const links = await linksOf(scope)
  assert.deepEqual(
    links.map(({ number }) => Number(number)),
    links.map((_, i) => i + 1),
  )
  await t.verify()
})

test('the head of a chain is published when the chain has grown, but not if only that event was added', async () => {
  const { scope } = await t.merchant()
  await fund(t.app.parts, scope, 500)
  await isChained(scope, 2)
  const publishHeads = () => db.pool.query(addJob('books.publish-heads'))
  const heads = async () => (await t.events(scope)).filter(({ type }) => type === 'ledger.chained')
  const [{ number, hash }] = (await linksOf(scope)).slice(-1) as [Link]
  await publishHeads()
  const [head] = await until(async () => ((await heads()).length === 1 ? heads() : undefined))
  const { data } = head as { data: { number: number; hash: string } }
  assert.deepEqual([data.number, data.hash], [Number(number), hash.toString('hex')])
  await until(async () => (await linksOf(scope)).length > Number(number))
  await publishHeads()
  // Jobs run in order: the head of another Space that has grown is published, and this one is not.
  const next = await t.merchant()
  await fund(t.app.parts, next.scope, 500)
  await isChained(next.scope, 2)
  await publishHeads()
  await until(async () => (await t.events(next.scope)).some(({ type }) => type === 'ledger.chained'))
  assert.equal((await heads()).length, 1)
})

test('a Space that cannot be chained does not hold up the others', async () => {
  const [broken, sound] = [await t.merchant(), await t.merchant()]
  await db.pool.query(
    `create function refuse_link() returns trigger language plpgsql as $$ begin raise 'no link'; end $$;
     create trigger refuse_link before insert on book_links for each row
     when (new.space_id = '${broken.scope.spaceId}') execute function refuse_link()`,
  )
  await fund(t.app.parts, broken.scope, 500)
  await fund(t.app.parts, sound.scope, 500)
  await isChained(sound.scope, 2)
  assert.deepEqual(await linksOf(broken.scope), [])
  await db.pool.query('drop function refuse_link cascade')
  await isChained(broken.scope, 2)
})

test('a link made before seals were part of links keeps its hash', async () => {
  const { scope } = await t.merchant()
  await fund(t.app.parts, scope, 500)
  await isChained(scope, 2)
  const { isKept } = await db.only<{ isKept: boolean }>(sql`
    select bool_and(link_hash('before', old) = sha256('before'::bytea || convert_to(row(old.number, old.made_at,
      old.position_after, old.position_to, old.event_count, old.events_digest, old.ranges_digest, old.audits,
      old.audits_digest)::text, 'UTF8'))) as is_kept
    from book_links link
    cross join lateral jsonb_populate_record(link, '{"seals_digest": null}') old
    where link.space_id = ${scope.spaceId} and link.environment = ${scope.environment}`)
  assert.equal(isKept, true)
})

test('seals made before they were part of links are added to the chain, unless there is a newer one', async () => {
  const { scope, call } = await t.merchant()
  const item = { name: 'Ticket', price: { currency: 'SLE', value: 500 } }
  const session = { name: 'Concert', lineItems: [item], duration: '7d' }
  const open = async () => (await call('POST', '/v1/checkout-sessions', session)).body.result.id
  const ids = [await open(), await open(), await open()]
  const { spaceId, environment } = scope
  const sealsOf = () =>
    db.query<{ number: bigint; outcome: Buffer | null }>(sql`
      select number, outcome from book_seals
      where space_id = ${spaceId} and environment = ${environment} and object_type = 'checkout_session'`)
  await until(async () => (await sealsOf()).length === ids.length)
  // As a previous release left them.
  await db.pool.query(`update book_seals set number = 0 where space_id = '${spaceId}'`)
  await call('DELETE', `/v1/checkout-sessions/${ids[0]}`)
  await until(async () => (await sealsOf()).every(({ number }) => number > 0n))
  const seals = await sealsOf()
  assert.equal(seals.length, ids.length)
  assert.equal(seals.filter(({ outcome }) => outcome !== null).length, 1)
})
