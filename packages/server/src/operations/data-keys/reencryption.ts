import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import type { Database, Reader } from '../../platform/db/database.ts'
import { retireKeys, selectRun, writeProgress } from '../../platform/encryption/key-changes.ts'
import { encryptedTables } from './encrypted-tables.ts'
import { countMarks, encryptChunk, hashRest } from './row-store.ts'

type Options = {
  signal?: AbortSignal
  /** Time since the beginning for which nodes may still write as before, because they have not noticed the change. */
  settleMs?: number
  chunkSize?: number
}

const standardChunkSize = 500 // rows that are read, and encrypted if needed, in one transaction
/**
 * Time after which every node has noticed that encryption or keys have changed. Usually that takes a moment, but a node whose
 * machine was paused may write before it notices, and what it encrypts with a deleted key would be lost.
 */
const standardSettleMs = 3_600_000
const maxMarks = 5_000 // changes that wait to be sealed before the job pauses
const markPauseMs = 250

/**
 * Encrypts everything that is plain, and everything that is encrypted with a retiring key. Continues where it was
 * interrupted. A second pass finds what nodes wrote that had not yet noticed the change. Retiring keys are then deleted.
 * Returns the time in milliseconds until the second pass may begin, or 0 if everything is done.
 *
 * The sealed contents of an object change from the plain number to its hash, so the change is marked. If the object had
 * been tampered with, it keeps its seal, and `pesewa verify` finds it.
 */
export async function reencrypt(
  db: Database,
  { signal, settleMs = standardSettleMs, chunkSize = standardChunkSize }: Options = {},
): Promise<number> {
  const encryption = must(db.encryption, 'keys of personal data')
  await encryption.load([])
  const run = await selectRun(db)
  if (!run || !encryption.isOn()) return 0
  const passes = [1, 2].filter((pass) => pass >= (run.cursor?.pass ?? 1))
  for (const pass of passes) {
    const from = run.cursor?.pass === pass ? run.cursor : undefined
    const waitMs = run.startedAt.getTime() + settleMs - Date.now()
    if (pass === 2 && !from && waitMs > 0) return waitMs
    const first = from ? encryptedTables.findIndex(({ name }) => name === from.table) : 0
    for (const [i, table] of encryptedTables.entries()) {
      if (i < first) continue
      let after = i === first ? from?.after : undefined
      do {
        signal?.throwIfAborted()
        await waitForSeals(db)
        const chunk = { after, size: chunkSize }
        const done = await db.transaction(async (tx) => {
          const done = await encryptChunk(tx, encryption, table, chunk)
          const cursor = { pass, table: table.name, after: done.last ?? null }
          await writeProgress(tx, run, cursor, pass === 1 ? done.read : 0)
          return done
        })
        after = done.last
      } while (after)
    }
  }
  await db.transaction(async (tx) => {
    await hashRest(tx, encryption)
    await retireKeys(tx, run.startedAt)
  })
  return 0
}

/** Waits while many changes are waiting to be sealed, so that the chain keeps up. */
async function waitForSeals(db: Reader): Promise<void> {
  while ((await countMarks(db, maxMarks)) >= maxMarks) await sleep(markPauseMs)
}
