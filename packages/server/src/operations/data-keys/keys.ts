import { randomBytes } from 'node:crypto'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import {
  countKeyChange,
  deleteWrappingKeys,
  estimateRows,
  insertDataKeys,
  insertWrappingKey,
  lockKeys,
  lockWrappingKey,
  type MasterKeys,
  markRetiring,
  selectKeyStatus,
  selectOlderNodes,
  selectRun,
  startRun,
  turnOn,
  unwrapNewest,
  writeRewrapped,
} from '../../platform/encryption/key-changes.ts'
import { keyBytes, keysChannel, placeOf, type WrappingKey } from '../../platform/encryption/open-keyring.ts'
import { selectLiving } from '../../platform/jobs/job-store.ts'
import { enqueue, enqueueOrExtend, outsideSpaces } from '../../platform/jobs/queue.ts'
import { Refusal } from '../../platform/refusals.ts'
import { createVault } from '../../platform/vault.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { installationId, installationScope } from '../../tenants/spaces/chained-changes.ts'
import { encryptedTables } from './encrypted-tables.ts'

export const reencryptionJob = 'keys.reencrypt'

/**
 * Turns encryption on, and starts the job that encrypts existing rows.
 *
 * @throws Refusal `state_conflict` while a node of an earlier release is running, because it could not read what is
 * encrypted
 */
export async function turnOnEncryption(tx: Tx, decider: Decider): Promise<void> {
  const older = await selectOlderNodes(tx, await selectLiving(tx))
  if (older.length > 0)
    throw new Refusal('state_conflict', {
      message: `Nodes of an earlier release are running (${older.map(({ version }) => version).join(', ')}). Replace them first.`,
    })
  if ((await turnOn(tx)) === 0)
    throw new Refusal('state_conflict', { message: 'Encryption has already been turned on.' })
  await record(tx, decider, 'keys.encrypt', {})
  await begin(tx)
}

/**
 * Replaces the data key of a Space, or of all Spaces, and starts the job that encrypts everything again. Both keys are
 * valid until it has finished.
 */
export async function rotateKeys(
  db: Database,
  masters: MasterKeys,
  decider: Decider,
  spaceId?: string,
): Promise<{ rotated: number }> {
  const wrapping = await unwrapNewest(db, masters)
  return db.transaction(async (tx) => {
    await lockWrappingKey(tx, wrapping)
    if (await selectRun(tx))
      throw new Refusal('state_conflict', {
        message: 'Data is still being encrypted. See: pesewa keys status',
      })
    const active = await markRetiring(tx, spaceId ?? null)
    if (active.length === 0)
      throw new Refusal('state_conflict', {
        message: 'There is no key to rotate. The Space does not exist, or has no personal data yet.',
      })
    const added = active.map((each) => ({
      spaceId: each.spaceId,
      purpose: 'data' as const,
      generation: each.generation + 1,
    }))
    await insertDataKeys(
      tx,
      wrapping,
      added.map((key) => ({ ...key, key: randomBytes(keyBytes) })),
    )
    await record(tx, decider, 'keys.rotate', { keys: active.length, ...(spaceId && { spaceId }) })
    await countKeyChange(tx)
    await begin(tx)
    return { rotated: active.length }
  })
}

/**
 * Wraps all keys with a new wrapping key, and that one with the current master key. `masters` also contains the previous
 * one. Nothing is encrypted again.
 */
export async function rewrapKeys(
  db: Database,
  masters: MasterKeys,
  decider: Decider,
): Promise<{ keys: number; masterKey: string }> {
  const before = await unwrapNewest(db, masters)
  const key = randomBytes(keyBytes)
  const [master] = masters
  // Before the transaction, because the master key may be in a KMS.
  const wrapped = await master.wrap(key)
  const after: WrappingKey = { generation: before.generation + 1, vault: createVault(key.toString('base64')) }
  return db.transaction(async (tx) => {
    await lockWrappingKey(tx, before)
    await insertWrappingKey(tx, after.generation, wrapped, master.source)
    const rows = await lockKeys(tx)
    const rewrapped = rows.map((row) => {
      const place = placeOf(row.spaceId, row.purpose, row.generation)
      return { ...row, wrapped: after.vault.lock(place, before.vault.unlock(place, row.wrapped)) }
    })
    await writeRewrapped(tx, rewrapped, after.generation)
    await deleteWrappingKeys(tx, before.generation)
    await record(tx, decider, 'keys.rewrap', { keys: rows.length, masterKey: master.source })
    await countKeyChange(tx)
    return { keys: rows.length, masterKey: master.source }
  })
}

/** Returns how far encryption is, for the operator. */
export async function describeKeys(db: Reader) {
  const { isOn, masterKey, activeKeys, retiringKeys, oldestKeyAt, ...run } = await selectKeyStatus(db)
  const { runStartedAt, runFinishedAt, rowsDone, rowsEstimated } = run
  return {
    encryption: isOn ? ('on' as const) : ('off' as const),
    masterKey: masterKey ?? null,
    keys: Number(activeKeys),
    retiringKeys: Number(retiringKeys),
    oldestKeyTime: oldestKeyAt?.toISOString() ?? null,
    reencryption:
      runStartedAt === null
        ? null
        : {
            startTime: runStartedAt.toISOString(),
            endTime: runFinishedAt?.toISOString() ?? null,
            rowsDone: Number(rowsDone),
            rowsEstimated: Math.max(Number(rowsEstimated ?? 0), Number(rowsDone)),
          },
  }
}

async function begin(tx: Tx): Promise<void> {
  await startRun(
    tx,
    await estimateRows(
      tx,
      encryptedTables.map(({ name }) => name),
    ),
  )
  enqueue(tx, reencryptionJob, outsideSpaces, null, reencryptionJob)
  tx.wake(keysChannel)
}

/** Lets the job that encrypts again continue after this time. */
export const continueLater = (tx: Tx, afterMs: number) =>
  enqueueOrExtend(tx, reencryptionJob, outsideSpaces, { key: reencryptionJob, afterMs, isPostponed: true })

const record = (tx: Tx, decider: Decider, action: string, details: object) =>
  writeAuditEntry(tx, installationScope('live'), decider, {
    ...{ action, objectType: 'installation', objectId: installationId, details },
  })
