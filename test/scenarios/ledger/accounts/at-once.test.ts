import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { codeOf } from '@pesewa/values'
import fc from 'fast-check'
import { systemAccount } from '../../../../packages/server/src/ledger/accounts/accounts.ts'
import type { Hold } from '../../../../packages/server/src/ledger/accounts/hold-store.ts'
import {
  captureEach,
  releaseEach,
  reserveEach,
} from '../../../../packages/server/src/ledger/accounts/holds.ts'
import { openAccount } from '../../../../packages/server/src/ledger/accounts/new-account.ts'
import { post } from '../../../../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../../../../packages/server/src/ledger/accounts/reference.ts'
import { accountIds } from '../../../../packages/server/src/ledger/accounts/resources.ts'
import { selectBalances } from '../../../../packages/server/src/ledger/accounts/store.ts'
import { sql } from '../../../../packages/server/src/platform/db/sql.ts'
import { createCommand } from '../../../../packages/server/src/platform/http/commands/command.ts'
import {
  fingerprintOf,
  type KeyedResponse,
} from '../../../../packages/server/src/platform/http/commands/idempotency.ts'
import type { Call, CommandRoute } from '../../../../packages/server/src/platform/http/commands/route.ts'
import { showId } from '../../../../packages/server/src/platform/ids.ts'
import { Refusal } from '../../../../packages/server/src/platform/refusals.ts'
import type { Scope } from '../../../../packages/server/src/platform/scope.ts'
import { startTestApp, type TestApp } from '../../../support/harness.ts'

const one = await startTestApp({ work: false })
const other = await startTestApp({ work: false, anotherNodeOf: one })
after(async () => {
  await other.close()
  await one.close()
})

const path = '/v1/internal-transfers'
const currencies = ['SLE', 'GHS', 'XOF']
const accountsOfEach = 3
const funds = 1_000n

/** The two nodes, each with its handler for POST transfers. */
const nodes = [one, other].map((node: TestApp) => ({
  ...node.app.parts,
  create: createCommand(
    node.app.parts,
    node.app.routes.find((route): route is CommandRoute => route.kind === 'command' && route.url === path)!,
  ),
}))

type World = { scope: Scope; accounts: string[]; holds: { hold: Hold; credit: string }[] }

/** Creates a Space with three accounts in each of three currencies, all with the same balance. */
async function createWorld(): Promise<World> {
  const { scope } = await one.merchant()
  const { db, clock } = nodes[0]!
  const at = clock.now(scope)
  const accounts: string[] = []
  for (const currency of currencies)
    for (let i = 0; i < accountsOfEach; i++)
      await db.transaction(async (tx) => {
        const { id } = await openAccount(tx, scope, { name: `${currency} ${i}`, currency }, at)
        const funding = await systemAccount(tx, scope, 'funding', currency, at)
        const movements = [
          { accountId: funding, amount: -funds },
          { accountId: id, amount: funds },
        ]
        await post(tx, scope, { reference: newReference(at), at, owners: [], movements })
        accounts.push(id)
      })
  return { scope, accounts, holds: [] }
}

const spaces = 3
const node = fc.nat({ max: nodes.length - 1 })
const space = fc.nat({ max: spaces - 1 })
const account = fc.nat({ max: currencies.length * accountsOfEach - 1 })
const amount = fc.integer({ min: 1, max: 700 })

const command = fc.oneof(
  // A key always has the same body, so that the same key means the same request. Most keys occur more than
  // once.
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('transfer' as const), node, space, key: fc.nat({ max: 50 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hold' as const), node, space, account, amount }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('capture' as const), node, space, pick: fc.nat(), amount }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), node, space, pick: fc.nat() }) },
  // For all Spaces concurrently, in any order.
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('holds' as const, 'captures' as const, 'releases' as const),
      node,
      space,
      pick: fc.nat(),
      account,
      amount: fc.integer({ min: 1, max: 60 }),
    }),
  },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

/** Returns the request of a key. Sometimes its amount exceeds the balance, and rarely its account is wrong. */
function requestOf({ accounts }: World, key: number) {
  const source = key % accounts.length
  const group = Math.floor(source / accountsOfEach)
  const destination = group * accountsOfEach + ((source + 1 + (key % 2)) % accountsOfEach)
  const wrong = key % 17 === 0 ? source : destination
  return {
    amount: { currency: currencies[group]!, value: 1 + ((key * 37) % 500) },
    sourceFinancialAccount: { id: showId(accountIds, accounts[source]!) },
    destinationFinancialAccount: { id: showId(accountIds, accounts[wrong]!) },
  }
}

/** The responses by Space and key. */
type Answers = Map<string, KeyedResponse[]>

async function carryOut(worlds: World[], command: Command, answers: Answers): Promise<void> {
  const { db, clock, create } = nodes[command.node]!
  const world = worlds[command.space]!
  const { scope } = world
  const at = clock.now(scope)
  if (command.kind === 'transfer') {
    const body = requestOf(world, command.key)
    const call = { scope, body, now: at } as Call
    const answer = await create({
      key: `key ${command.key}`,
      fingerprint: fingerprintOf('POST', path, body),
      call,
    })
    const name = `${command.space} ${command.key}`
    answers.set(name, [...(answers.get(name) ?? []), answer])
    return
  }
  if (command.kind === 'hold') {
    const [hold] = await db.transaction((tx) => reserveEach(tx, [{ ...newHold(world, command), scope, at }]))
    if (hold) world.holds.push({ hold, credit: creditOf(world, command.account) })
    return
  }
  if (command.kind === 'holds') {
    const newHolds = turned(worlds, command.pick).map((one) => ({
      ...newHold(one, command),
      scope: one.scope,
      at: clock.now(one.scope),
    }))
    const holds = await db.transaction((tx) => reserveEach(tx, newHolds))
    turned(worlds, command.pick).forEach((one, i) => {
      const hold = holds[i]
      if (hold) one.holds.push({ hold, credit: creditOf(one, command.account) })
    })
    return
  }
  if (command.kind === 'captures' || command.kind === 'releases') {
    const picked = turned(worlds, command.pick).flatMap((one) => {
      const held = one.holds[command.pick % one.holds.length]
      return held ? [{ ...held, scope: one.scope, id: held.hold.id, at: clock.now(one.scope) }] : []
    })
    if (command.kind === 'releases') return void (await db.transaction((tx) => releaseEach(tx, picked)))
    const captures = picked.map(({ scope, id, credit, at }) => {
      const credits = [{ accountId: credit, amount: BigInt(command.amount) }]
      return { scope, id, at, reference: newReference(at), owners: [], credits }
    })
    return void (await db.transaction((tx) => captureEach(tx, captures)))
  }
  const held = world.holds[command.pick % world.holds.length]
  if (!held) return
  const { id } = held.hold
  if (command.kind === 'release')
    return void (await db.transaction((tx) => releaseEach(tx, [{ scope, id, at }])))
  const credits = [{ accountId: held.credit, amount: BigInt(command.amount) }]
  const capture = { scope, id, reference: newReference(at), owners: [], credits, at }
  await db.transaction((tx) => captureEach(tx, [capture]))
}

/** Returns the same Spaces, starting with another one. */
const turned = (worlds: World[], by: number): World[] =>
  worlds.map((_, i) => worlds[(i + by) % worlds.length]!)

const newHold = ({ accounts }: World, { account, amount }: { account: number; amount: number }) => {
  const accountId = accounts[account]!
  return { accountId, amount: BigInt(amount), owner: { id: accountId, type: 'checkout_session' as const } }
}

/** Returns another account in the same currency. */
function creditOf({ accounts }: World, account: number): string {
  const group = Math.floor(account / accountsOfEach)
  return accounts[group * accountsOfEach + ((account + 1) % accountsOfEach)]!
}

/** Captured money belongs to no object in this test, so this check is excluded. */
const nobodysCaptures = { except: /^every posting has an owner/ }

/** Whether a refusal is expected: for a transfer to the same account, or a capture of more than is held. */
const isExpected = (error: unknown) =>
  error instanceof Refusal && ['arguments_invalid', 'state_conflict'].includes(error.reason)

/** Whether a lock timed out, which may happen on a busy machine. A deadlock fails with a different code. */
const isLate = (error: unknown) => codeOf(error) === '55P03'

test('concurrent operations in three Spaces on two nodes neither create nor lose money, overdraw no account, and use each key once', async () => {
  let [captured, released] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 250, maxLength: 400 }), async (commands) => {
      const worlds = [await createWorld(), await createWorld(), await createWorld()]
      const answers: Answers = new Map()
      // In two waves, because only an existing hold can be captured or released.
      const half = Math.ceil(commands.length / 2)
      for (const wave of [commands.slice(0, half), commands.slice(half)]) {
        const outcomes = await Promise.allSettled(wave.map((command) => carryOut(worlds, command, answers)))
        for (const outcome of outcomes)
          if (outcome.status === 'rejected') assert.ok(isExpected(outcome.reason), String(outcome.reason))
      }
      for (const world of worlds) {
        const touched = await touchedHolds(world)
        captured += touched.captured
        released += touched.released
      }

      for (const ofKey of answers.values()) {
        assert.equal(new Set(ofKey.map(({ text }) => text)).size, 1, 'a replay equals the first response')
        assert.equal(ofKey.filter(({ replay }) => !replay).length, 1, 'each key is used once')
      }
      for (const [i, world] of worlds.entries())
        await assertBooks(world, [...answers.keys()].filter((name) => name.startsWith(`${i} `)).length)
      await one.verify(nobodysCaptures)
    }),
    // Runs depend on timing, so a shrunken counterexample would not help.
    { numRuns: 4, endOnFailure: true },
  )
  assert.ok(captured > 0 && released > 0, 'holds were captured and released')
})

const touchedHolds = async ({ scope: { spaceId, environment } }: World) =>
  (await nodes[0]!.db.one<{ captured: number; released: number }>(sql`
    select count(*) filter (where captured > 0)::int as captured, count(*) filter (where released > 0)::int as released
    from ledger_holds where space_id = ${spaceId} and environment = ${environment}`))!

async function assertBooks({ scope, accounts }: World, keys: number): Promise<void> {
  const { spaceId, environment } = scope
  const { db } = nodes[0]!
  const balances = await db.query<{ id: string; currency: string; posted: bigint; held: bigint }>(sql`
    select id, currency, posted, held from ledger_accounts
    where space_id = ${spaceId} and environment = ${environment} and kind = 'financial'`)
  for (const { posted, held } of balances) assert.ok(posted >= held && held >= 0n)
  for (const currency of currencies) {
    const sum = balances.filter((b) => b.currency === currency).reduce((total, b) => total + b.posted, 0n)
    assert.equal(sum, funds * BigInt(accountsOfEach))
  }
  const lines = await db.query<{ accountId: string; seq: bigint; amount: bigint; balanceAfter: bigint }>(sql`
    select account_id, seq, amount, balance_after from ledger_lines
    where space_id = ${spaceId} and environment = ${environment} and is_financial order by account_id, seq`)
  for (const id of accounts) {
    let [seq, balance] = [0n, 0n]
    for (const line of lines.filter(({ accountId }) => accountId === id)) {
      assert.equal(line.seq, ++seq)
      balance += line.amount
      assert.equal(line.balanceAfter, balance)
      assert.ok(balance >= 0n)
    }
  }
  const transfers = await db.query<{ status: string }>(sql`
    select status from internal_transfers where space_id = ${spaceId} and environment = ${environment}`)
  assert.equal(transfers.length, keys, 'every key made one transfer')
  assert.ok(transfers.every(({ status }) => status === 'completed' || status === 'failed'))
}

test('two nodes that batch operations on the same busy account neither deadlock nor lose a cent', async () => {
  const { scope, accounts } = await createWorld()
  const [hot, ...others] = accounts.slice(0, accountsOfEach) as [string, ...string[]]
  const deadlocks = async () =>
    (await nodes[0]!.db.one<{ deadlocks: bigint }>(sql`
      select deadlocks from pg_stat_database where datname = current_database()`))!.deadlocks
  const before = await deadlocks()
  const requests = Array.from({ length: 600 }, (_, i) => {
    const other = others[i % others.length]!
    const [source, destination] = i % 3 === 0 ? [hot, other] : [other, hot]
    const body = {
      amount: { currency: currencies[0]!, value: 1 + (i % 7) },
      sourceFinancialAccount: { id: showId(accountIds, source) },
      destinationFinancialAccount: { id: showId(accountIds, destination) },
    }
    return { node: nodes[i % nodes.length]!, key: `hot ${i}`, body }
  })
  const answers = await Promise.all(
    requests.map(({ node, key, body }) => {
      const call = { scope, body, now: node.clock.now(scope) } as Call
      return node.create({ key, fingerprint: fingerprintOf('POST', path, body), call })
    }),
  )
  assert.equal(answers.length, requests.length)
  assert.equal(await deadlocks(), before)
  const balances = await selectBalances(nodes[0]!.db, scope, accounts.slice(0, accountsOfEach))
  assert.equal(
    [...balances.values()].reduce((sum, { posted }) => sum + posted, 0n),
    funds * BigInt(accountsOfEach),
  )
  await one.verify(nobodysCaptures)
})

test('batches of many Spaces on two nodes, with movements across all of them, never deadlock', async () => {
  const worlds = await Promise.all(Array.from({ length: 12 }, createWorld))
  const deadlocks = async () =>
    (await nodes[0]!.db.one<{ deadlocks: bigint }>(sql`
      select deadlocks from pg_stat_database where datname = current_database()`))!.deadlocks
  const before = await deadlocks()
  const transfers = Array.from({ length: 300 }, (_, i) => {
    const world = worlds[(i * 7) % worlds.length]!
    const { create, clock } = nodes[i % nodes.length]!
    const body = requestOf(world, i)
    const call = { scope: world.scope, body, now: clock.now(world.scope) } as Call
    return create({ key: `key ${i}`, fingerprint: fingerprintOf('POST', path, body), call })
  })
  const movements = Array.from({ length: 20 }, (_, i) => {
    const command = { node: i % nodes.length, space: 0, pick: i, account: i % 9, amount: 1 }
    return carryOut(worlds, { kind: 'holds', ...command }, new Map()).then(() =>
      carryOut(worlds, { kind: i % 2 === 0 ? 'captures' : 'releases', ...command }, new Map()),
    )
  })
  for (const outcome of await Promise.allSettled([...transfers, ...movements]))
    if (outcome.status === 'rejected')
      assert.ok(isExpected(outcome.reason) || isLate(outcome.reason), String(outcome.reason))
  assert.equal(await deadlocks(), before)
  await one.verify(nobodysCaptures)
})
