import { wholeNumber } from '@pesewa/values'
import { publish } from '../../events/events.ts'
import type { Database, Tx } from '../../platform/db/database.ts'
import { showId } from '../../platform/ids.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Log } from '../../platform/log.ts'
import type { Platform } from '../../platform/platform.ts'
import { type Environment, environments, type Scope } from '../../platform/scope.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { claimHead, lastHead, selectUnpublishedHeads } from './chain-store.ts'

const maxAtOnce = 1_000 // chain heads published together

/**
 * Once a day, publishes the head of each chain that has grown. This creates copies that this installation
 * cannot alter.
 */
export const headJobs = (
  { db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'>,
  stopping: AbortSignal,
): Jobs => ({
  'books.publish-heads': async () => {
    let scopes: Scope[]
    do {
      scopes = await selectUnpublishedHeads(db, maxAtOnce)
      for (const scope of scopes) {
        stopping.throwIfAborted()
        await db.transaction((tx) => publishHead(tx, scope, clock.now(scope)))
      }
    } while (scopes.length === maxAtOnce)
    for (const environment of environments) await logHead(db, log, environment)
  },
})

/**
 * Writes the head of the installation's chain to the log, because this chain has no events. Copies of the log
 * are kept elsewhere.
 */
async function logHead(db: Database, log: Log, environment: Environment): Promise<void> {
  const head = await lastHead(db, installationScope(environment))
  if (!head) return
  const { number, hash } = head
  log.info(
    { environment, number: String(number), hash: hash.toString('hex') },
    'current head of the installation chain',
  )
}

async function publishHead(tx: Tx, scope: Scope, at: Date): Promise<void> {
  const head = await claimHead(tx, scope)
  if (!head) return
  publish(tx, scope, {
    types: ['ledger.chained'],
    objectId: scope.spaceId,
    data: {
      id: showId(spaceIds, scope.spaceId),
      number: wholeNumber(head.number),
      hash: head.hash.toString('hex'),
      time: head.madeAt.toISOString(),
    },
    at,
  })
}
