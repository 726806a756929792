import { countUnsequenced, countWaitingDeliveries } from '../../events/waiting-store.ts'
import { lastProofInFull } from '../../finance/books/proofs.ts'
import { measureDifference } from '../../platform/clock-watch.ts'
import type { Database } from '../../platform/db/database.ts'
import { listNodes } from '../../platform/nodes.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import {
  countFailingWebhooks,
  maxQueued,
  selectDatabaseState,
  selectDueJobs,
  selectFailingWebhooks,
  selectOpenOutcomes,
  selectProviderQueues,
  selectReplicas,
} from './health-store.ts'

export type Health = Awaited<ReturnType<typeof readHealth>>

/**
 * Reads the current state of the installation. The cost of the queries does not grow with the size of the
 * tables.
 */
export async function readHealth({
  db: { primary: db },
  catalogue,
}: {
  db: Pick<Database, 'primary'>
  catalogue: Pick<Catalogue, 'all'>
}) {
  const providerIds = catalogue.all().map(({ providerId }) => providerId)
  const [
    nodes,
    jobs,
    events,
    deliveries,
    lanes,
    outcomes,
    webhooks,
    failingWebhooks,
    database,
    replicas,
    proof,
    clock,
  ] = await Promise.all([
    listNodes(db),
    selectDueJobs(db),
    countUnsequenced(db, maxQueued),
    countWaitingDeliveries(db, maxQueued),
    selectProviderQueues(db, providerIds),
    selectOpenOutcomes(db),
    countFailingWebhooks(db),
    selectFailingWebhooks(db),
    selectDatabaseState(db),
    selectReplicas(db),
    lastProofInFull(db),
    measureDifference(db),
  ])
  return {
    nodes,
    jobs,
    events,
    deliveries,
    lanes,
    outcomes,
    webhooks,
    failingWebhooks,
    database,
    replicas,
    proof,
    clock,
  }
}
