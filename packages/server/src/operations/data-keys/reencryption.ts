import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import type { Database, Reader } from '../../platform/db/database.ts'
import { retireKeys, selectRun, writeProgress } from '../../platform/encryption/key-changes.ts'
import { encryptedTables } from './encrypted-tables.ts'
import { countMarks, encryptChunk, hashRest } from './row-store.ts'

type Options = {
  signal?: AbortSignal
  /** Time for which nodes may still write as before, because they have not heard of the change. */
  settleMs?: number
  chunkSize?: number
}

const standardChunkSize = 500 // rows that are read, and encrypted if needed, in one transaction
const standardSettleMs = 30_000 // time after which every node has noticed that encryption or keys have changed
const maxMarks = 5_000 // changes that wait to be sealed before the job pauses
const markPauseMs = 250

/**
 * Encrypts everything that is plain, and everything that is encrypted with a retiring key. Continues where it was
 * interrupted. A second pass finds what nodes wrote that had not yet noticed the change. Retiring keys are then deleted.
 *
 * The sealed contents of an object change from the plain number to its hash, so the change is marked. If the object had
 * been tampered with, it keeps its seal, and `pesewa verify` finds it.
 */
export async function reencrypt(
  db: Database,
  { signal, settleMs = standardSettleMs, chunkSize = standardChunkSize }: Options = {},
): Promise<void> {
  const encryption = must(db.encryption, 'keys of personal data')
  await encryption.load([])
  const run = await selectRun(db)
  if (!run || !encryption.isOn()) return
  const passes = [1, 2].filter((pass) => pass >= (run.cursor?.pass ?? 1))
  for (const pass of passes) {
    const from = run.cursor?.pass === pass ? run.cursor : undefined
    if (pass === 2 && !from) await sleep(settleMs, undefined, { signal })
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
}

/** Waits while many changes are waiting to be sealed, so that the chain keeps up. */
async function waitForSeals(db: Reader): Promise<void> {
  while ((await countMarks(db, maxMarks)) >= maxMarks) await sleep(markPauseMs)
}
