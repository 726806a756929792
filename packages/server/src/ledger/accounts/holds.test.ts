import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startTestApp, until } from '../../../../../test/support/harness.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { systemAccount } from './accounts.ts'
import { applyLedgerWork, captureEach, releaseEach, reserveEach } from './holds.ts'
import { openAccount } from './new-account.ts'
import { post } from './postings.ts'
import { newReference } from './reference.ts'
import { selectBalances } from './store.ts'

const t = await startTestApp()
after(() => t.close())
const { db, clock } = t.app.parts
/** Captured money has no real payee in these tests, so this check is excluded. */
const made = { except: /^every posting has an owner/ }

/** Opens an account with 1000, and another one to capture into. */
async function funded() {
  const { scope } = await t.merchant()
  const at = clock.now(scope)
  const [accountId, shop, fees] = await db.transaction(async (tx) => {
    const account = await openAccount(tx, scope, { name: 'Main', currency: 'SLE' }, at)
    const other = await openAccount(tx, scope, { name: 'Shop', currency: 'SLE' }, at)
    const funding = await systemAccount(tx, scope, 'funding', 'SLE', at)
    const movements = [
      { accountId: funding, amount: -1_000n },
      { accountId: account.id, amount: 1_000n },
    ]
    await post(tx, scope, { reference: newReference(at), at, owners: [], movements })
    return [account.id, other.id, await systemAccount(tx, scope, 'fees', 'SLE', at)]
  })
  const owner = { id: accountId, type: 'checkout_session' as const }
  return {
    scope,
    hold: async (amount: bigint, expiresAt: Date | null = null) => {
      const newHold = { scope, accountId, amount, owner, expiresAt, at: clock.now(scope) }
      return (await db.transaction((tx) => reserveEach(tx, [newHold])))[0]
    },
    capture: (id: string, amount: bigint, fee = 0n) => {
      const at = clock.now(scope)
      const credits = [
        { accountId: shop, amount },
        ...(fee > 0n ? [{ accountId: fees, amount: fee, feeCode: 'payout' }] : []),
      ]
      const capture = { scope, id, reference: newReference(at), owners: [owner], credits, at }
      return db.transaction((tx) => captureEach(tx, [capture]))
    },
    release: (id: string) => db.transaction((tx) => releaseEach(tx, [{ scope, id, at: clock.now(scope) }])),
    balance: async (id = accountId) => {
      const { posted, held } = (await selectBalances(db, scope, [id])).get(id)!
      return [posted, held]
    },
    accountId,
    shop,
    owner,
  }
}

const conflict = (error: unknown) => error instanceof Refusal && error.reason === 'state_conflict'
const linesOf = ({ spaceId, environment }: Scope, accountId: string) =>
  db.query<{ amount: bigint; feeCode: string | null }>(sql`
    select amount, fee_code from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and account_id = ${accountId} order by seq desc`)

describe('a hold', () => {
  test('reduces the available balance without moving money', async () => {
    const account = await funded()
    await account.hold(400n)
    assert.deepEqual(await account.balance(), [1_000n, 400n])
    assert.equal(await account.hold(601n), undefined)
    await account.hold(600n)
    assert.deepEqual(await account.balance(), [1_000n, 1_000n])
    assert.equal(await account.hold(1n), undefined)
    await t.verify(made)
  })

  test('is granted to as many concurrent requests as the balance covers', async () => {
    const account = await funded()
    const holds = await Promise.all(Array.from({ length: 20 }, () => account.hold(100n)))
    assert.equal(holds.filter(Boolean).length, 10)
    assert.deepEqual(await account.balance(), [1_000n, 1_000n])
  })

  test('that is captured in full posts the money and the fee as separate lines, and leaves nothing held', async () => {
    const account = await funded()
    const { id } = (await account.hold(410n))!
    await account.capture(id, 400n, 10n)
    assert.deepEqual(await account.balance(), [590n, 0n])
    assert.deepEqual(await account.balance(account.shop), [400n, 0n])
    assert.deepEqual((await linesOf(account.scope, account.accountId)).slice(0, 2), [
      { amount: -10n, feeCode: 'payout' },
      { amount: -400n, feeCode: null },
    ])
    await t.verify(made)
  })

  test('that is captured in part keeps the rest held until it is captured or released', async () => {
    const account = await funded()
    const { id } = (await account.hold(900n))!
    await account.capture(id, 300n)
    assert.deepEqual(await account.balance(), [700n, 600n])
    await assert.rejects(account.capture(id, 601n), conflict)
    await account.capture(id, 100n)
    await account.release(id)
    assert.deepEqual(await account.balance(), [600n, 0n])
    await assert.rejects(account.capture(id, 1n), conflict)
    await t.verify(made)
  })

  test('is released once; repeating it changes nothing', async () => {
    const account = await funded()
    const { id } = (await account.hold(500n))!
    await account.release(id)
    await account.release(id)
    assert.deepEqual(await account.balance(), [1_000n, 0n])
    await assert.rejects(account.capture(id, 1n), conflict)
  })

  test('that is captured and released concurrently ends either way, but not both', async () => {
    for (let i = 0; i < 10; i++) {
      const account = await funded()
      const { id } = (await account.hold(500n))!
      await Promise.allSettled([account.capture(id, 500n), account.release(id), account.capture(id, 500n)])
      const [posted, held] = await account.balance()
      assert.ok((posted === 500n || posted === 1_000n) && held === 0n)
    }
    await t.verify(made)
  })

  test('expires by the Space’s clock: the rest is released and can no longer be captured', async () => {
    const account = await funded()
    const expiresAt = new Date(clock.now(account.scope).getTime() + 3_600_000)
    const { id } = (await account.hold(500n, expiresAt))!
    await account.capture(id, 200n)
    await t.advance(account.scope, 3_599_000)
    assert.deepEqual(await account.balance(), [800n, 300n])
    await t.advance(account.scope, 2_000)
    await assert.rejects(account.capture(id, 100n), conflict)
    await until(async () => (await account.balance())[1] === 0n)
    assert.deepEqual(await account.balance(), [800n, 0n])
    await t.verify(made)
  })

  test('cannot use an account or a hold of another Space', async () => {
    const [mine, theirs] = [await funded(), await funded()]
    const { id } = (await theirs.hold(100n))!
    const isMissing = (error: unknown) => error instanceof Refusal && error.reason === 'not_found'
    await assert.rejects(mine.release(id), isMissing)
    await assert.rejects(mine.capture(id, 1n), isMissing)
    const { scope } = mine
    const owner = { id, type: 'checkout_session' as const }
    const newHold = { scope, accountId: theirs.accountId, amount: 1n, owner, at: clock.now(scope) }
    assert.deepEqual(await db.transaction((tx) => reserveEach(tx, [newHold])), [undefined])
  })

  test('is released together with a capture of another hold and a posting on the same accounts', async () => {
    const account = await funded()
    const [one, two] = [(await account.hold(300n))!, (await account.hold(200n))!]
    const { scope, shop, owner } = account
    const at = clock.now(scope)
    const movements = [
      { accountId: account.accountId, amount: -600n },
      { accountId: shop, amount: 600n },
    ]
    await db.transaction((tx) =>
      applyLedgerWork(
        tx,
        { releases: [{ scope, id: one.id, at }] },
        {
          captures: [
            {
              ...{ scope, id: two.id, at, reference: newReference(at), owners: [owner] },
              credits: [{ accountId: shop, amount: 200n }],
            },
          ],
          postings: [{ scope, reference: newReference(at), at, owners: [owner], movements }],
        },
      ),
    )
    assert.deepEqual(await account.balance(), [200n, 0n])
    assert.deepEqual(await account.balance(shop), [800n, 0n])
    await t.verify(made)
  })

  test('cannot exceed the balance, even through a statement that skips the check', async () => {
    const account = await funded()
    const { spaceId } = account.scope
    const force = (change: ReturnType<typeof sql>) =>
      db.transaction((tx) =>
        tx.run(sql`
          update ledger_accounts set ${change}
          where space_id = ${spaceId} and environment = 'test' and id = ${account.accountId}`),
      )
    await assert.rejects(force(sql`held = 1001`), /not_overdrawn/)
    await assert.rejects(force(sql`held = -1`), /held_check/)
    await account.hold(500n)
    await assert.rejects(force(sql`posted = 499`), /not_overdrawn/)
  })
})
