import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sequenceNext } from '../../../packages/server/src/events/sequencer.ts'
import { mainAccount, systemAccount } from '../../../packages/server/src/ledger/accounts/accounts.ts'
import { postEach } from '../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../packages/server/src/ledger/accounts/reference.ts'
import { selectPostedLines } from '../../../packages/server/src/ledger/accounts/store.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import { type Merchant, startTestApp } from '../../support/harness.ts'

const postings = 30
const linesOfPosting = 3

const t = await startTestApp({ work: false })
after(() => t.close())
const { db, clock } = t.app.parts
let merchant: Merchant
let main: string
before(async () => {
  merchant = await t.merchant()
  main = await db.transaction((tx) => mainAccount(tx, merchant.scope, 'SLE', clock.now(merchant.scope)))
})

/** Books postings with the same timestamp, each with two lines that merchants see and one that they do not. */
async function book(): Promise<void> {
  const { scope } = merchant
  const at = clock.now(scope)
  await db.transaction(async (tx) => {
    const funding = await systemAccount(tx, scope, 'funding', 'SLE', at)
    const movements = [
      { accountId: main, amount: 500n },
      { accountId: funding, amount: -499n },
      { accountId: main, amount: -1n, feeCode: 'test' },
    ]
    const one = () => ({ scope, reference: newReference(at), at, owners: [], movements })
    await postEach(tx, Array.from({ length: postings }, one))
  })
}

/** Sequences what is new. Returns the number of ledger lines that were read by index. */
const sequence = () =>
  db.transaction(async (tx) => {
    const read = async () =>
      (
        await tx.only<{ rows: number }>(sql`
          -- every space: counters of a table
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
          where relname like 'ledger\\_lines\\_%'`)
      ).rows
    const before = await read()
    await sequenceNext({ ...db, transaction: async (work) => work(tx) }, selectPostedLines)
    return (await read()) - before
  })

/** Returns, for each sequenced posting of the Space, the amounts of its events' lines in order. */
const sequencedAmounts = async () =>
  (
    await db.query<{ amounts: string[] }>(sql`
      select array(
          select line.amount::text from unnest(s.line_ids) with ordinality as posted (id, place)
          join ledger_lines line on line.space_id = s.space_id and line.environment = s.environment
            and line.id = posted.id
          order by posted.place) as amounts
      from sequenced_facts s
      where s.space_id = ${merchant.scope.spaceId} and s.environment = 'test'`)
  ).map(({ amounts }) => amounts)

test('the lines of a posting are found without reading other lines of the same time', async () => {
  await book()
  assert.equal(await sequence(), postings * linesOfPosting)
  assert.deepEqual(await sequencedAmounts(), Array(postings).fill(['500', '-1']))
})

test('the lines of a posting of the previous release, whose ids are random, are found, too', async () => {
  await book()
  const facts = await db.query<{ id: string; at: Date }>(sql`
    select id, at from event_facts fact
    where space_id = ${merchant.scope.spaceId} and environment = 'test'
      and not exists (select 1 from sequenced_facts where fact_number = fact.number)`)
  assert.equal(facts.length, postings)
  for (const { id, at } of facts)
    await db.query(sql`
      update event_facts set id = ${newId(at)}
      where space_id = ${merchant.scope.spaceId} and environment = 'test' and id = ${id}`)
  await sequence()
  assert.deepEqual(await sequencedAmounts(), Array(2 * postings).fill(['500', '-1']))
  await t.verify({ except: /every posting has an owner/ })
})
