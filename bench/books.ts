import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Scope } from '../src/platform/clock.ts'
import { openDatabase } from '../src/platform/db/database.ts'
import { showId } from '../src/platform/ids.ts'
import { addUser, createSpace, createToken, setMember } from '../src/spaces/spaces.ts'
import { type Proof, verifyBooks } from '../src/verify.ts'
import type { BenchDatabase } from './database.ts'

/** Whose transfers are made: a Space with a token, and accounts with money. */
export type Books = { scope: Scope; shownSpaceId: string; userId: string; token: string; accounts: number }

const dayMs = 86_400_000

export async function openBooks(database: BenchDatabase, accounts: number): Promise<Books> {
  const { scope, userId, token } = await createShop(database, 'Bench')
  const { client } = database
  await client.query(readFileSync(path.join(import.meta.dirname, 'schema.sql'), 'utf8'))
  // Before everything that may be grown later: ids and times rise together.
  const openedAt = new Date(Date.now() - dayMs - accounts)
  await client.query('select bench.open_accounts($1, $2, $3, $4)', [...valuesOf(scope), accounts, openedAt])
  await client.query('vacuum analyze')
  return { scope, shownSpaceId: showId('space', scope.spaceId), userId, token, accounts }
}

/** A Space and a token for it. */
export function createShop(
  database: BenchDatabase,
  name: string,
): Promise<Pick<Books, 'scope' | 'userId' | 'token'>> {
  return withDatabase(database, (db) =>
    db.transaction(async (tx) => {
      const space = await createSpace(tx, { name, country: 'SL' })
      const user = await addUser(tx, `${name.toLowerCase()}@pesewa.example`)
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
      return { scope: { spaceId: space.id, environment: 'test' }, userId: user.id, token: text }
    }),
  )
}

const transfersAtOnce = 50_000
const linesOfTransfer = 2

/** Adds transfers, as if made one each millisecond, until the ledger has this many lines. */
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
  // As a node that works would have done.
  await client.query('select chain_books($1, $2, true)', valuesOf(scope))
  await client.query('vacuum analyze')
}

const valuesOf = ({ spaceId, environment }: Scope) => [spaceId, environment]

/**
 * A benchmark whose books do not add up is void. What it put into the tables itself nobody was told of, so nobody chains
 * it: it waits for that, also where all else is chained by now.
 */
export async function proveBooks(database: BenchDatabase): Promise<Proof> {
  // every space: whatever was made here
  await database.client.query(
    'insert into unchained (space_id, environment) select distinct space_id, environment from ledger_accounts',
  )
  return withDatabase(database, (db) => verifyBooks(db))
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
