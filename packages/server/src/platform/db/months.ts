import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@pesewa/values'
import type pg from 'pg'
import { migrate } from './migrate.ts'
import { type Connection, createClient, sessionOf } from './servers.ts'

// The tables with a row for each payment have a partition per month of the time in their ids: `payments_2026_12`.
// `payments_before` and `payments_after` have the rows of earlier and later months, so that there is a partition for
// every id.
//
// See docs/decisions/0257-month-partitions.md.

const monthsAhead = 2 // months after the current one for which there are partitions
const triesPerTable = 100 // attempts to lock a table, each of which makes others wait for at most 50 ms
const pauseMs = 500

/**
 * Creates the partitions of the current and the next two months if they do not exist. `now` is wall-clock time. Live
 * rows therefore never reach the last partition, which has only rows of test Spaces whose clocks are ahead.
 *
 * @throws Error if a transaction uses a table for too long
 */
export async function makeMonths(client: pg.Pool | pg.Client, now: Date): Promise<void> {
  const months = [startOfMonth(now, 0), startOfMonth(now, monthsAhead + 1)]
  for (const { name } of await selectDivided(client)) await makeMonthsOf(client, name, months)
}

/**
 * On the first day of a month, updates the statistics of its partitions several times within a minute. Plans that were
 * made while they were empty may use any index. Autovacuum would notice the first rows only after a minute.
 */
export async function analyzeNewMonth(client: pg.Pool | pg.Client, now: Date): Promise<void> {
  if (now.getUTCDate() !== 1) return
  const suffix = `_${startOfMonth(now, 0).slice(0, 'yyyy-mm'.length).replace('-', '_')}`
  for (const waitMs of analyzePausesMs) {
    await sleep(waitMs)
    // The names come from the database's catalogue.
    for (const { name } of await selectDivided(client)) await client.query(`analyze ${name}${suffix}`)
  }
}

const analyzePausesMs = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]

/** Returns the tables that have no partition for next month yet. */
export async function findTablesBehind(client: pg.Pool | pg.Client, now: Date): Promise<string[]> {
  const needed = startOfMonth(now, 2)
  const divided = await selectDivided(client)
  return divided.filter(({ end }) => end === null || end < needed).map(({ name }) => name)
}

/** Returns the divided tables, each with the date on which its last partition begins, which is null without months. */
async function selectDivided(client: pg.Pool | pg.Client): Promise<{ name: string; end: string | null }[]> {
  const { rows } = await client.query<{ name: string; end: string | null }>(
    `select relname as name, months_end(relname)::text as end from pg_class
     where relkind = 'p' and relnamespace = current_schema()::regnamespace and to_regclass(relname || '_after') is not null
     order by relname`,
  )
  return rows
}

async function makeMonthsOf(client: pg.Pool | pg.Client, table: string, months: string[]): Promise<void> {
  for (let attempt = 1; ; attempt++)
    try {
      await client.query('select make_months($1, $2, $3)', [table, ...months])
      return
    } catch (error) {
      if (codeOf(error) !== '55P03' || attempt === triesPerTable) throw error
      await sleep(pauseMs * (1 + Math.random()))
    }
}

/** Returns the date on which the month `later` months after that of `at` begins, in UTC. */
const startOfMonth = (at: Date, later: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later))
    .toISOString()
    .slice(0, 'yyyy-mm-dd'.length)

/** Applies all pending migrations, creates the partitions of the next months, and returns the migrations' names. */
export async function prepareDatabase(
  connection: Connection,
  report?: (progress: string) => void,
): Promise<string[]> {
  const applied = await migrate(connection, undefined, report)
  const client = createClient(sessionOf(connection))
  client.on('error', () => {})
  await client.connect()
  try {
    await makeMonths(client, new Date())
  } finally {
    await client.end()
  }
  return applied
}
