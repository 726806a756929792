import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { startTestApp } from '../../../../../test/support/harness.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { mainAccount, systemAccount } from './accounts.ts'
import { openAccount } from './new-account.ts'
import { post } from './postings.ts'
import { newReference } from './reference.ts'
import { luhnDigit, newUvan } from './uvan.ts'

const t = await startTestApp({ work: false })
after(() => t.close())
const { db } = t.app.parts

const at = new Date()

async function scopeWithAccounts(count: number, currency = 'SLE') {
  const { scope } = await t.merchant()
  const accounts = await db.transaction(async (tx) => {
    const opened: string[] = []
    for (let i = 0; i < count; i++)
      opened.push((await openAccount(tx, scope, { name: `A${i}`, currency }, at)).id)
    return opened
  })
  const funding = await db.transaction((tx) => systemAccount(tx, scope, 'funding', currency, at))
  return { scope, accounts, funding }
}

type Movement = { accountId: string; amount: bigint }
const book = (scope: Scope, movements: Movement[]) =>
  db.transaction((tx) => post(tx, scope, { reference: newReference(at), at, owners: [], movements }))

const move = (from: string, to: string, amount: bigint): Movement[] => [
  { accountId: from, amount: -amount },
  { accountId: to, amount },
]

const postedOf = async ({ spaceId, environment }: Scope, id: string) =>
  (
    await db.one<{ posted: bigint }>(sql`
      select posted from ledger_accounts
      where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)
  )?.posted

test('a posting that does not balance is refused as a whole', async () => {
  const { scope, accounts, funding } = await scopeWithAccounts(1)
  const movements = [
    { accountId: funding, amount: -100n },
    { accountId: accounts[0]!, amount: 99n },
  ]
  await assert.rejects(book(scope, movements), /must balance/)
  assert.equal(await postedOf(scope, accounts[0]!), 0n)
})

test('a posting must balance in each currency: 100 SLE against 100 GHS is refused', async () => {
  const { scope, accounts } = await scopeWithAccounts(1)
  const ghs = await db.transaction((tx) => systemAccount(tx, scope, 'funding', 'GHS', at))
  await assert.rejects(book(scope, move(ghs, accounts[0]!, 100n)), /must balance/)
})

test('a merchant account cannot be overdrawn: the database itself refuses', async () => {
  const { scope, accounts, funding } = await scopeWithAccounts(2)
  await book(scope, move(funding, accounts[0]!, 100n))
  await assert.rejects(book(scope, move(accounts[0]!, accounts[1]!, 101n)), /would overdraw/)
  assert.equal(await postedOf(scope, accounts[0]!), 100n)
  // Not even by a statement that skips the check.
  await assert.rejects(
    db.transaction((tx) =>
      tx.run(sql`
        update ledger_accounts set posted = -1
        where space_id = ${scope.spaceId} and environment = 'test' and id = ${accounts[0]!}`),
    ),
    /ledger_accounts_not_overdrawn/,
  )
})

test('a posting cannot use an account of another Space', async () => {
  const [one, other] = [await scopeWithAccounts(1), await scopeWithAccounts(1)]
  await assert.rejects(book(one.scope, move(one.funding, other.accounts[0]!, 1n)), /does not exist/)
})

test('a transaction that has locked accounts cannot lock others: two such transactions could deadlock', async () => {
  const { scope, accounts, funding } = await scopeWithAccounts(2)
  const [one, other] = accounts as [string, string]
  const bookTwice = (to: string) =>
    db.transaction(async (tx) => {
      for (const account of [one, to])
        await post(tx, scope, {
          ...{ reference: newReference(at), at, owners: [] },
          movements: move(funding, account, 1n),
        })
    })
  await assert.rejects(bookTwice(other), /must lock all its accounts together/)
  await bookTwice(one)
  assert.equal(await postedOf(scope, one), 2n)
})

test('lines cannot be changed or removed', async () => {
  const { scope, accounts, funding } = await scopeWithAccounts(1)
  await book(scope, move(funding, accounts[0]!, 100n))
  const tamper = (statement: ReturnType<typeof sql>) => db.transaction((tx) => tx.run(statement))
  await assert.rejects(
    tamper(
      sql`update ledger_lines set amount = 1 where space_id = ${scope.spaceId} and environment = 'test'`,
    ),
    /append only/,
  )
  await assert.rejects(
    tamper(sql`delete from ledger_lines where space_id = ${scope.spaceId} and environment = 'test'`),
    /append only/,
  )
  // every space: a truncate has no condition
  await assert.rejects(tamper(sql`truncate ledger_lines`), /append only/)
})

test('one posting may move an account several times; each line has its own running balance, in order', async () => {
  const { scope, accounts, funding } = await scopeWithAccounts(1)
  const [account] = accounts as [string]
  await book(scope, [
    { accountId: funding, amount: -70n },
    { accountId: account, amount: 100n },
    { accountId: account, amount: -30n },
  ])
  const lines = await db.query<{ seq: bigint; balanceAfter: bigint }>(sql`
    select seq, balance_after from ledger_lines
    where space_id = ${scope.spaceId} and environment = 'test' and account_id = ${account} order by id`)
  assert.deepEqual(
    lines.map(({ seq, balanceAfter }) => [seq, balanceAfter]),
    [
      [1n, 100n],
      [2n, 70n],
    ],
  )
})

test('whatever is posted concurrently on a few accounts, the books add up and nothing is overdrawn', async () => {
  const transfer = fc.record({
    from: fc.nat({ max: 3 }),
    to: fc.nat({ max: 3 }),
    amount: fc.bigInt({ min: 1n, max: 150n }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 30, maxLength: 60 }), async (transfers) => {
      const { scope, accounts, funding } = await scopeWithAccounts(4)
      for (const account of accounts) await book(scope, move(funding, account, 200n))
      const valid = transfers.filter(({ from, to }) => from !== to)
      const outcomes = await Promise.allSettled(
        valid.map(({ from, to, amount }) => book(scope, move(accounts[from]!, accounts[to]!, amount))),
      )
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.match(String(outcome.reason), /would overdraw/)
      const balances = await Promise.all(accounts.map((account) => postedOf(scope, account)))
      assert.equal(
        balances.reduce<bigint>((sum, balance) => sum + balance!, 0n),
        800n,
      )
      assert.ok(balances.every((balance) => balance! >= 0n))
      // Posts to any accounts, without a real owner.
      await t.verify({ except: /^every posting has an owner/ })
    }),
    { numRuns: 5 },
  )
})

test('a main account requested concurrently is opened once', async () => {
  const { scope } = await t.merchant()
  const ids = await Promise.all(
    Array.from({ length: 12 }, () => db.transaction((tx) => mainAccount(tx, scope, 'GHS', at))),
  )
  assert.equal(new Set(ids).size, 1)
})

test('an account number has 16 digits and passes the Luhn check', () => {
  assert.equal(luhnDigit('7992739871'), '3')
  for (let i = 0; i < 100; i++) {
    const uvan = newUvan()
    assert.match(uvan, /^\d{16}$/)
    assert.equal(luhnDigit(uvan.slice(0, 15)), uvan[15])
  }
})
