import { fieldsOf, must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { newId, showId } from '../../platform/ids.ts'
import { enqueue, type JobPayload, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import { createGuardedPeer } from '../../platform/outbound/guarded-peer.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { eventIds } from '../resources.ts'
import { type EventSettings, webhookNetworks } from '../settings.ts'
import { attemptOf } from './deliveries.ts'
import { postEvent } from './message.ts'
import { saveExample, selectWebhook, type Webhook } from './store.ts'
import { lockWebhook } from './webhooks.ts'

const job = 'webhooks.send-example'

export type ExampleParts = Platform<EventSettings> & { openApi(): object }

/**
 * Sends an example of an event type to an endpoint, once. It is not an event: the list of events and the stream
 * do not contain it, and its object does not exist. In the live environment, receivers would act on it.
 *
 * @throws Refusal in the live environment, or if the webhook is disabled
 */
export async function requestExample(tx: Tx, scope: Scope, id: string, eventType: string): Promise<Webhook> {
  const webhook = await lockWebhook(tx, scope, id)
  if (scope.environment === 'live')
    throw new Refusal('state_conflict', { message: 'Examples can be sent only in the test environment.' })
  if (!webhook.enabled) throw new Refusal('state_conflict', { message: 'The webhook is not enabled.' })
  // Another request replaces one that has not been started, so there is at most one per webhook.
  enqueue(tx, job, { ...scope, webhookId: id, eventType }, `${job} ${id}`)
  return webhook
}

/** Returns the job that posts an example, signed like an event, and saves the outcome in the webhook. */
export const exampleJobs = (parts: ExampleParts): Jobs => ({
  [job]: async (payload: JobPayload) => {
    const { db, clock, settings } = parts
    const [scope, eventType] = [scopeOf(payload), String(payload.eventType)]
    const webhook = await selectWebhook(db, scope, String(payload.webhookId))
    if (!webhook?.enabled) return
    const allowedNetworks = webhookNetworks(settings, scope.environment)
    const peer = createGuardedPeer({ allowedNetworks, maxConnections: 1 })
    try {
      const startedAt = performance.now()
      const event = exampleOf(parts, scope, eventType, clock.now(scope))
      const outcome = await postEvent(parts, peer, scope, webhook, event)
      const attempt = attemptOf(outcome, clock.now(scope), Math.round(performance.now() - startedAt))
      await db.transaction((tx) => saveExample(tx, scope, webhook.id, { eventType, ...attempt }))
    } finally {
      await peer.destroy()
    }
  },
})

/** Builds the event from the example in the API reference, with a new id, so that receivers do not ignore it. */
function exampleOf({ openApi }: ExampleParts, scope: Scope, type: string, at: Date) {
  const { webhooks } = fieldsOf(openApi())
  const { post } = fieldsOf(fieldsOf(webhooks)[type])
  const { content } = fieldsOf(fieldsOf(post).requestBody)
  const { example } = fieldsOf(fieldsOf(content)['application/json'])
  const id = showId(eventIds, newId(at))
  const text = JSON.stringify({
    ...fieldsOf(must(example, 'example of an event type')),
    id,
    type,
    environment: scope.environment,
    spaceId: showId(spaceIds, scope.spaceId),
    timestamp: at.toISOString(),
    isExample: true,
  })
  return { id, text }
}
