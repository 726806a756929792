import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { claimForCounter } from '../../../packages/server/src/demo/counter.ts'
import { beginOfHistory, writeHistory } from '../../../packages/server/src/demo/history.ts'
import { demoEmails } from '../../../packages/server/src/demo/people.ts'
import { beginBooks } from '../../../packages/server/src/ledger/accounts/new-books.ts'
import { sql } from '../../../packages/server/src/platform/db/sql.ts'
import type { Scope } from '../../../packages/server/src/platform/scope.ts'
import { addUser, createSpace } from '../../../packages/server/src/tenants/spaces/spaces.ts'
import { startTestApp } from '../../support/harness.ts'

const t = await startTestApp()
after(() => t.close())
const { parts } = t.app

const dayMs = 86_400_000
const days = 28
/** Makes each day begin 53 minutes later than the one before, so that the days also cover the hours of a day. */
const stepMs = dayMs + 53 * 60_000

const { spaceId, users } = await parts.home.transaction(async (tx) => ({
  spaceId: (await createSpace(tx, { name: 'Demo', country: 'SL' })).id,
  users: {
    owner: await addUser(tx, demoEmails.owner),
    finance: await addUser(tx, demoEmails.finance),
    support: await addUser(tx, demoEmails.support),
  },
}))

/**
 * Writes the month of a demo that starts at this time, and returns the number of payments and the approval of the
 * newest payout. Keeps nothing.
 */
async function write(now: Date): Promise<Month> {
  let month: Month | undefined
  const scope: Scope = { spaceId, environment: 'test' }
  const claims = await claimForCounter(parts, scope, beginOfHistory(now))
  const kept = parts.db.transaction(async (tx) => {
    beginBooks(tx, spaceId)
    await writeHistory(tx, parts, { scope, users, claims, now })
    const [found] = await tx.query<Month>(sql`
      select count(*)::int as payments,
        (select approval from payouts where space_id = ${spaceId} and environment = 'test'
          order by created_at desc limit 1) as "newestPayout"
      from payments where space_id = ${spaceId} and environment = 'test'`)
    month = found
    throw new Discarded()
  })
  await assert.rejects(kept, Discarded)
  assert.ok(month)
  return month
}

type Month = { payments: number; newestPayout: string }

class Discarded extends Error {}

test('the month can be written on any day and at any hour: closed days have no difference, and the newest payout waits for approval', async () => {
  const first = Date.parse('2026-11-02T00:10:00Z')
  for (let i = 0; i < days; i++) {
    const now = new Date(first + i * stepMs)
    const { payments, newestPayout } = await write(now)
    assert.ok(payments >= 340 && payments <= 520, `${now.toISOString()}: ${payments} payments`)
    assert.equal(newestPayout, 'required', now.toISOString())
  }
})
