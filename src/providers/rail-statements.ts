import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import { download } from '../platform/outbound/download.ts'
import { NoAnswer } from '../platform/outbound/outbound.ts'
import type {
  Connector,
  RailStatements,
  StatementPeriod,
  StatementRefused,
  UnknownOutcome,
} from './connector.ts'

const queryEveryMs = 5_000
const waitMs = 15 * 60_000 // limit: how long a statement that a rail makes is waited for

/** Where the statement is to be written: a file that does not exist yet. */
type StatementWish = StatementPeriod & { callbackUrl: string; file: string }

/**
 * Has the rail state what moved, and writes it to a file: all of it or nothing. To request it moves no money: what was unknown
 * may be repeated.
 */
export async function fetchStatement(
  { statements, listStatement }: Pick<Connector, 'statements' | 'listStatement'>,
  wish: StatementWish,
  pace = { everyMs: queryEveryMs, withinMs: waitMs },
): Promise<Fetched> {
  if (existsSync(wish.file)) return { outcome: 'refused', why: 'the file is there already' }
  if (statements) return fetchMade(statements, wish, pace)
  return listStatement
    ? writeListed(listStatement, wish)
    : { outcome: 'refused', why: 'the rail makes no statements on request' }
}

type Fetched = { outcome: 'written'; bytes: number } | StatementRefused | UnknownOutcome

async function writeListed(
  listStatement: NonNullable<Connector['listStatement']>,
  { file, ...period }: StatementWish,
): Promise<Fetched> {
  const listed = await listStatement(period)
  if (listed.outcome !== 'listed') return listed
  const text = stringify(listed.rows)
  // Only who fetched it may read it: payers' numbers are in it.
  await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  return { outcome: 'written', bytes: Buffer.byteLength(text) }
}

/** Waits until it is made. */
async function fetchMade(
  statements: RailStatements,
  { file, ...period }: StatementWish,
  pace: { everyMs: number; withinMs: number },
): Promise<Fetched> {
  const requested = await statements.request(period)
  if (requested.outcome !== 'accepted') return requested
  const made = await untilReady(statements, requested.statementId, pace)
  if (made.outcome !== 'ready') return made
  try {
    return { outcome: 'written', bytes: await download(made.url, file) }
  } catch (error) {
    if (error instanceof NoAnswer) return { outcome: 'unknown', why: `the download: ${error.message}` }
    throw error
  }
}

/** One query that says nothing is followed by another. */
async function untilReady(
  statements: RailStatements,
  statementId: string,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<Exclude<Awaited<ReturnType<RailStatements['query']>>, { outcome: 'pending' }>> {
  const endMs = performance.now() + withinMs
  let why = 'it is not ready yet: try again later'
  while (performance.now() < endMs) {
    const state = await statements.query(statementId)
    if (state.outcome === 'ready' || state.outcome === 'refused') return state
    if (state.outcome === 'unknown') why = state.why
    await delay(everyMs)
  }
  return { outcome: 'unknown', why }
}
