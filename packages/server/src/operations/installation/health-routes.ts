import { wholeNumber } from '@pesewa/values'
import { webhookIds } from '../../events/resources.ts'
import type { Database } from '../../platform/db/database.ts'
import { type Route, read } from '../../platform/http/commands/route.ts'
import { showId } from '../../platform/ids.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { type Health, readHealth } from './health.ts'
import { health } from './health-shapes.ts'
import { maxOpen, maxQueueCount, maxQueued } from './health-store.ts'

/**
 * The route that reports the health of the installation: nodes, queues, the database and the last verification
 * of the books.
 */
export const healthRoutes = (parts: { db: Database; catalogue: Catalogue }): Route[] => [
  read({
    url: '/v1/installation/health',
    permission: 'installation:read',
    summary: 'Retrieve the state of the installation',
    result: health,
    read: async () => presentHealth(await readHealth(parts), parts.db.node),
  }),
]

const shownTime = (time: Date | null) => time?.toISOString() ?? null

/**
 * Returns a count as shown in the API. A count that has reached its limit is `estimated`, because the actual
 * number may be higher.
 */
const counted = (count: number, limit = maxQueued) => ({ count, estimated: count >= limit })

function presentHealth(state: Health, own: number) {
  const { nodes, jobs, lanes, outcomes, webhooks, database, replicas, proof, clock } = state
  const openOf = (ownerType: string) =>
    outcomes.reduce((sum, one) => sum + (one.ownerType === ownerType ? one.count : 0), 0)
  return {
    nodes: nodes.map(({ node, isAlive, startedAt, stoppedAt, ...record }) => ({
      id: node,
      isThis: node === own,
      ...record,
      status: isAlive ? ('alive' as const) : stoppedAt ? ('stopped' as const) : ('lost' as const),
      startTime: startedAt.toISOString(),
      stopTime: shownTime(stoppedAt),
    })),
    queues: {
      jobs: { ...counted(jobs.due), oldestDueTime: shownTime(jobs.oldestAt) },
      events: counted(state.events),
      deliveries: counted(state.deliveries),
      lanes: lanes.map(({ waiting, ...lane }) => ({ ...lane, ...counted(waiting, maxQueueCount) })),
    },
    unknownOutcomes: outcomes.map(({ ownerType, count, oldestAt, ...place }) => ({
      ...place,
      type: ownerType,
      count,
      estimated: openOf(ownerType) >= maxOpen,
      oldestSubmitTime: oldestAt.toISOString(),
    })),
    webhooks: {
      ...webhooks,
      estimated: webhooks.failing + webhooks.disabled >= maxQueued,
      longestFailing: state.failingWebhooks.map(({ spaceId, environment, id, failingSince, isDisabled }) => ({
        spaceId: showId(spaceIds, spaceId),
        environment,
        webhookId: showId(webhookIds, id),
        isDisabled,
        failingSinceTime: shownTime(failingSince),
      })),
    },
    database: { ...database, sizeBytes: wholeNumber(database.sizeBytes), replicas },
    clock: { differenceMs: clock.aheadMs, uncertaintyMs: clock.uncertaintyMs },
    lastProof: proof
      ? {
          isOk: proof.isOk,
          startTime: proof.startedAt.toISOString(),
          endTime: proof.endedAt.toISOString(),
          checks: proof.checks,
        }
      : null,
  }
}
