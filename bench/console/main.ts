import { parseArgs } from 'node:util'
import { sumNewLinesOfAllSpaces } from '../../packages/server/src/finance/reconciliation/summing.ts'
import { accountIds } from '../../packages/server/src/ledger/accounts/resources.ts'
import { homeOf, openDatabase } from '../../packages/server/src/platform/db/database.ts'
import { showId } from '../../packages/server/src/platform/ids.ts'
import { beginSession } from '../../packages/server/src/tenants/spaces/sessions.ts'
import { type Books, openBooks, openMainAccounts } from '../books.ts'
import type { BenchDatabase } from '../database.ts'
import { startNode } from '../node.ts'
import { stockShop } from '../route-fixtures.ts'
import { withBenchDatabase } from '../with-database.ts'
import { growShop } from './growth.ts'
import { type MeasuredSearch, measureSearches } from './searches.ts'
import { type Measured, measurePages, percentile } from './visits.ts'

/**
 * `npm run bench:console -- --payments 10000000`: measures how long console pages take in a real browser, from
 * navigation to content, and how long searches take, first with few payments and then with very many. The books of this database do not
 * balance, because copied payments were never made.
 */
const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '1000000' },
    visits: { type: 'string', default: '100' },
    folder: { type: 'string' },
  },
})
const [payments, visits] = [Number(values.payments), Number(values.visits)]
if (!(Number.isInteger(payments) && payments > 0 && Number.isInteger(visits) && visits > 0)) {
  console.error('--payments and --visits must be whole numbers from 1')
  process.exit(1)
}

const stocked = 200

process.exitCode = await withBenchDatabase(undefined, values.folder, async (database) => {
  const books = await openBooks(database, 10, 1)
  const [main = ''] = await openMainAccounts(database, [books])
  await stock(database, books, main)
  const few = await measure(database, books, main)
  await growShop(database.client, books.scope, main, payments)
  await sumClearing(database)
  // Completes the writes that are left over from growing the tables, so that they are not measured.
  if (database.isOwn) await database.client.query('checkpoint')
  const many = await measure(database, books, main)
  print(few.pages, many.pages)
  printSearches(few.searches, many.searches)
  return 0
})

async function stock(database: BenchDatabase, books: Books, main: string): Promise<void> {
  const node = await startNode(database, ['serve', '--work'], { RATE_LIMITS: 'off' })
  const shop = {
    origin: node.origin,
    token: books.token,
    spaceId: books.shownSpaceId,
    mainAccount: showId(accountIds, main),
  }
  await stockShop(shop, stocked)
  await node.stop()
}

async function measure(
  database: BenchDatabase,
  { userId, shownSpaceId, token }: Books,
  main: string,
): Promise<{ pages: Measured[]; searches: MeasuredSearch[] }> {
  const arrival = { userId, method: 'link', address: '127.0.0.1', agent: 'bench' } as const
  const db = openDatabase(database.connection, { maxConnections: 1, onIdleError: () => {} })
  const secret = await homeOf(db).transaction((tx) => beginSession(tx, arrival, new Date()))
  await db.close()
  const node = await startNode(database, ['serve'], { RATE_LIMITS: 'off' })
  try {
    const account = showId(accountIds, main)
    const shop = { origin: node.origin, spaceId: shownSpaceId }
    return {
      pages: await measurePages({ ...shop, secret, account, visits }),
      searches: await measureSearches({ ...shop, token }),
    }
  } finally {
    await node.stop()
  }
}

/** Sums ledger lines, as the hourly job does. */
async function sumClearing({ connection }: BenchDatabase): Promise<void> {
  const db = openDatabase(connection, { maxConnections: 1, onIdleError: () => {} })
  await sumNewLinesOfAllSpaces(db, new AbortController().signal)
  await db.close()
}

function print(few: Measured[], many: Measured[]): void {
  console.log(`${''.padEnd(24)}  ${stocked} payments      ${payments.toLocaleString('en')} payments`)
  console.log(`${'to content, ms'.padEnd(24)}    p50    p99       p50    p99   p99 waited   p50 ratio`)
  const rowOf = (name: string, before: Measured[], after: Measured[]) => {
    const [then, now] = [before, after].map((all) => all.flatMap(({ visits }) => visits))
    const at = (percent: number, all = then) => percentile(all?.map((visit) => visit.ms) ?? [], percent)
    const waited = percentile(now?.map((visit) => visit.waited) ?? [], 99)
    const ratio = (at(50, now) / at(50)).toFixed(2).padStart(12)
    const figures = [ms(at(50)), ms(at(99)), '   ', ms(at(50, now)), ms(at(99, now)), ms(waited), ratio]
    console.log(name.padEnd(24) + figures.join(''))
  }
  for (const [i, { name }] of many.entries()) rowOf(name, few.slice(i, i + 1), many.slice(i, i + 1))
  rowOf('all pages', few, many)
  console.log(`\nthe slowest visits with ${payments.toLocaleString('en')} payments, ms    waited`)
  for (const { name, visit } of slowest(many)) console.log(name.padEnd(40) + ms(visit.ms) + ms(visit.waited))
}

function printSearches(few: MeasuredSearch[], many: MeasuredSearch[]): void {
  console.log('\na search, ms                p50    p99       p50    p99')
  for (const [i, { name, p50, p99 }] of many.entries())
    console.log(
      name.padEnd(24) +
        [few[i]?.p50 ?? 0, few[i]?.p99 ?? 0].map(ms).join('') +
        '   ' +
        [p50, p99].map(ms).join(''),
    )
}

function slowest(pages: Measured[]) {
  return pages
    .flatMap(({ name, visits }) => visits.map((visit) => ({ name, visit })))
    .toSorted((a, b) => b.visit.ms - a.visit.ms)
    .slice(0, 20)
}

function ms(value: number): string {
  return value.toFixed(0).padStart(7)
}
