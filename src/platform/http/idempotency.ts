import { createHash } from 'node:crypto'
import type { Scope } from '../clock.ts'
import { codeOf, type Database, type Tx } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { Refusal } from '../refusals.ts'
import { canonicalJson } from './json.ts'

export type KeyedRequest = { scope: Scope; key: string; method: string; path: string; body: unknown }
export type KeyedAnswer = { text: string; replay: boolean }

/**
 * Carries out a command once per key. The key's row, the work and the answer commit in one transaction: a refusal
 * or a crash leaves the key free. A concurrent request with the same key waits on the row until the first is done.
 */
export function once(
  db: Database,
  request: KeyedRequest,
  work: (tx: Tx) => Promise<string>,
): Promise<KeyedAnswer> {
  const fingerprint = fingerprintOf(request)
  return db.transaction(async (tx) => {
    if (!(await claimKey(tx, request, fingerprint))) return replay(tx, request, fingerprint)
    const text = await work(tx)
    await keepAnswer(tx, request, text)
    return { text, replay: false }
  })
}

function fingerprintOf({ method, path, body }: KeyedRequest): Buffer {
  return createHash('sha256')
    .update(`${method}\n${path}\n${canonicalJson(body)}`)
    .digest()
}

async function claimKey(tx: Tx, { scope, key }: KeyedRequest, fingerprint: Buffer): Promise<boolean> {
  try {
    // Waits (at most the lock time-out) while another transaction holds the same key uncommitted.
    const claimed = await tx.run(sql`
      insert into idempotency_keys (space_id, environment, key, fingerprint)
      values (${scope.spaceId}, ${scope.environment}, ${key}, ${fingerprint})
      on conflict (space_id, environment, key) do nothing`)
    return claimed === 1
  } catch (error) {
    if (codeOf(error) === '55P03')
      throw new Refusal('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })
    throw error
  }
}

async function replay(tx: Tx, { scope, key }: KeyedRequest, fingerprint: Buffer): Promise<KeyedAnswer> {
  const known = await tx.one<{ fingerprint: Buffer; answer: string }>(sql`
    select fingerprint, answer from idempotency_keys
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and key = ${key}`)
  if (!known) throw new Refusal('idempotency_key_in_progress', { headers: { 'retry-after': '1' } })
  if (!known.fingerprint.equals(fingerprint)) throw new Refusal('idempotency_key_in_use')
  return { text: known.answer, replay: true }
}

async function keepAnswer(tx: Tx, { scope, key }: KeyedRequest, text: string): Promise<void> {
  await tx.run(sql`
    update idempotency_keys set answer = ${text}
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and key = ${key}`)
}

const forgetAtOnce = 10_000

/** Forgets keys older than the retention; in slices, so that no delete holds its locks for long. */
export async function forgetOldKeys(db: Database, retentionMs: number): Promise<void> {
  let forgotten: number
  do {
    // every space: retention is one setting of the deployment
    forgotten = await db.transaction((tx) =>
      tx.run(sql`
        delete from idempotency_keys where (space_id, environment, key) in (
          select space_id, environment, key from idempotency_keys
          where created_at < now() - ${retentionMs}::bigint * interval '1 millisecond'
          order by created_at limit ${forgetAtOnce})`),
    )
  } while (forgotten === forgetAtOnce)
}
