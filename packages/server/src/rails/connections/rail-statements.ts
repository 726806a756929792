import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Connector,
  NoAnswer,
  type RailStatements,
  type StatementPeriod,
  type StatementRefused,
  type UnknownOutcome,
} from '@pesewa/connector-kit'
import { stringify } from 'csv-stringify/sync'
import { download } from '../../platform/outbound/download.ts'

const queryEveryMs = 5_000
const waitMs = 15 * 60_000

/** `file`: the path to which the statement is written. The file must not exist yet. */
type StatementRequest = StatementPeriod & { callbackUrl: string; file: string }

/**
 * Requests a statement from the rail and writes it to a file, either completely or not at all. No money moves,
 * so a request with an unknown result can be retried.
 */
export async function fetchStatement(
  { statements, listStatement }: Pick<Connector, 'statements' | 'listStatement'>,
  wish: StatementRequest,
  pace = { everyMs: queryEveryMs, withinMs: waitMs },
): Promise<Fetched> {
  if (existsSync(wish.file)) return { outcome: 'refused', why: 'the file already exists' }
  if (statements) return fetchMade(statements, wish, pace)
  return listStatement
    ? writeListed(listStatement, wish)
    : { outcome: 'refused', why: 'the rail does not produce statements on request' }
}

type Fetched = { outcome: 'written'; bytes: number } | StatementRefused | UnknownOutcome

async function writeListed(
  listStatement: NonNullable<Connector['listStatement']>,
  { file, ...period }: StatementRequest,
): Promise<Fetched> {
  const listed = await listStatement(period)
  if (listed.outcome !== 'listed') return listed
  const text = stringify(listed.rows)
  // Only the user who fetched the file may read it, because it contains payers' numbers.
  await writeFile(file, text, { flag: 'wx', mode: 0o600 })
  return { outcome: 'written', bytes: Buffer.byteLength(text) }
}

/** Waits until the rail has produced the statement, and downloads it. */
async function fetchMade(
  statements: RailStatements,
  { file, ...period }: StatementRequest,
  pace: { everyMs: number; withinMs: number },
): Promise<Fetched> {
  const requested = await statements.request(period)
  if (requested.outcome !== 'accepted') return requested
  const made = await untilReady(statements, requested.statementId, pace)
  if (made.outcome !== 'ready') return made
  try {
    return { outcome: 'written', bytes: await download(made.url, file) }
  } catch (error) {
    if (error instanceof NoAnswer) return { outcome: 'unknown', why: `download failed: ${error.message}` }
    throw error
  }
}

/** Polls until the statement is ready. After an ambiguous response, it tries again. */
async function untilReady(
  statements: RailStatements,
  statementId: string,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<Exclude<Awaited<ReturnType<RailStatements['query']>>, { outcome: 'pending' }>> {
  const endMs = performance.now() + withinMs
  let why = 'the statement is not ready yet; try again later'
  while (performance.now() < endMs) {
    const state = await statements.query(statementId)
    if (state.outcome === 'ready' || state.outcome === 'refused') return state
    if (state.outcome === 'unknown') why = state.why
    await delay(everyMs)
  }
  return { outcome: 'unknown', why }
}
