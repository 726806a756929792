import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Proof, verifyBooks } from '../packages/server/src/finance/books/verify.ts'
import { mainAccounts, systemAccounts } from '../packages/server/src/ledger/accounts/accounts.ts'
import { postEach } from '../packages/server/src/ledger/accounts/postings.ts'
import { newReference } from '../packages/server/src/ledger/accounts/reference.ts'
import { type HomeTx, homeOf, openDatabase } from '../packages/server/src/platform/db/database.ts'
import { showId } from '../packages/server/src/platform/ids.ts'
import type { Scope } from '../packages/server/src/platform/scope.ts'
import { findChecks } from '../packages/server/src/slices.ts'
import { spaceIds } from '../packages/server/src/tenants/spaces/resources.ts'
import { addUser, createSpace, createToken, setMember } from '../packages/server/src/tenants/spaces/spaces.ts'
import type { BenchDatabase } from './database.ts'

/** A caller: a Space with its own token. */
export type Shop = { scope: Scope; shownSpaceId: string; userId: string; token: string }

/**
 * The Spaces in which the transfers are made: one shop with many accounts, or many shops that together have the
 * same number of accounts.
 */
export type Books = Shop & { accounts: number; shops: Shop[]; accountsOfEach: number }

const dayMs = 86_400_000

/** Minimum number of accounts for a transfer, not counting account 0. */
const minAccounts = 2

export async function openBooks(database: BenchDatabase, accounts: number, spaces: number): Promise<Books> {
  const { client } = database
  await client.query(readFileSync(path.join(import.meta.dirname, 'schema.sql'), 'utf8'))
  const [shop, ...shops] = (await createShops(database, 1 + spaces)) as [Shop, ...Shop[]]
  const accountsOfEach = Math.max(minAccounts, Math.floor(accounts / spaces))
  // Runs before the history grows, because ids and times must increase together.
  const openedAt = new Date(Date.now() - dayMs - accounts)
  for (const [{ scope }, count] of [
    [shop, accounts] as const,
    ...shops.map((each) => [each, accountsOfEach] as const),
  ])
    await client.query('select bench.open_accounts($1, $2, $3, $4)', [...valuesOf(scope), count, openedAt])
  await chainAll(database)
  await client.query('vacuum analyze')
  return { ...shop, accounts, shops, accountsOfEach }
}

/** Chains everything that waits to be chained, without the pauses that a node makes. */
export async function chainAll({ client }: BenchDatabase): Promise<void> {
  // every space: all scopes of the benchmark
  await client.query(
    'select chain_books(space_id, environment, true) from (select distinct space_id, environment from unchained) left_over',
  )
}

/** Creates a Space and a token for it. */
export const createShop = async (database: BenchDatabase, name: string): Promise<Shop> =>
  withDatabase(database, (db) => homeOf(db).transaction((tx) => insertShop(tx, name)))

const createShops = (database: BenchDatabase, count: number): Promise<Shop[]> =>
  withDatabase(database, (db) =>
    homeOf(db).transaction(async (tx) => {
      const shops: Shop[] = []
      for (let i = 0; i < count; i++) shops.push(await insertShop(tx, `Bench ${i}`))
      return shops
    }),
  )

async function insertShop(tx: HomeTx, name: string): Promise<Shop> {
  const space = await createSpace(tx, { name, country: 'SL' })
  const user = await addUser(tx, `${name.toLowerCase().replace(' ', '')}@pesewa.example`)
  await setMember(tx, { spaceId: space.id, userId: user.id, role: 'owner' })
  const { text } = await createToken(tx, {
    userId: user.id,
    environment: 'test',
    name: 'Bench',
    scopes: ['*'],
    lifeMs: null,
    spaceIds: [space.id],
    networks: null,
  })
  const scope: Scope = { spaceId: space.id, environment: 'test' }
  return { scope, shownSpaceId: showId(spaceIds, space.id), userId: user.id, token: text }
}

const funds = 1_000_000_000_000n

/** Opens the shops' main accounts, funds them and returns their ids. */
export const openMainAccounts = (database: BenchDatabase, shops: Shop[]): Promise<string[]> =>
  withDatabase(database, (db) =>
    db.transaction(async (tx) => {
      const at = new Date()
      const currency = 'SLE'
      const mains = await mainAccounts(
        tx,
        shops.map(({ scope }) => ({ scope, currency, at })),
      )
      const funding = await systemAccounts(
        tx,
        shops.map(({ scope }) => ({ scope, purpose: 'funding', currency, at })),
      )
      await postEach(
        tx,
        shops.map(({ scope }, i) => ({
          scope,
          reference: newReference(at),
          at,
          owners: [],
          movements: [
            { accountId: funding[i]!, amount: -funds },
            { accountId: mains[i]!, amount: funds },
          ],
        })),
      )
      return mains
    }),
  )

const transfersAtOnce = 50_000
const linesOfTransfer = 2

/** Adds transfers, one per millisecond, until the ledger has this many lines. */
export async function growLedger(
  { client }: BenchDatabase,
  { scope, accounts }: Books,
  lines: number,
  tell: (lines: number) => void,
): Promise<void> {
  const { rows } = await client.query('select count(*)::int as count from ledger_lines')
  const wanted = Math.ceil((lines - rows[0].count) / linesOfTransfer)
  const startMs = Date.now() - dayMs + 1000
  for (let done = 0; done < wanted; done += transfersAtOnce) {
    const count = Math.min(transfersAtOnce, wanted - done)
    await client.query('select bench.grow($1, $2, $3, $4, $5)', [
      ...valuesOf(scope),
      accounts,
      count,
      new Date(startMs + done),
    ])
    tell(rows[0].count + linesOfTransfer * (done + count))
  }
  // In production, a background job does this.
  await client.query('select chain_books($1, $2, true)', valuesOf(scope))
  await client.query('vacuum analyze')
}

const valuesOf = ({ spaceId, environment }: Scope) => [spaceId, environment]

/**
 * Verifies the books; if they do not balance, the benchmark is void. Rows that were inserted directly are not
 * queued for chaining, so this queues their scopes first.
 */
export async function proveBooks(database: BenchDatabase): Promise<Proof> {
  // every space: all scopes of the benchmark
  await database.client.query(
    'insert into unchained (space_id, environment) select distinct space_id, environment from ledger_accounts',
  )
  return withDatabase(database, (db) => verifyBooks(db, findChecks))
}

export async function withDatabase<T>(
  { connection }: BenchDatabase,
  work: (db: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const db = openDatabase(connection, { maxConnections: 2, statementTimeoutMs: 0, onIdleError: () => {} })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
