import Type from 'typebox'
import type { Reader } from '../../platform/db/database.ts'
import { personal } from '../../platform/http/admission/personal.ts'
import { noBody, resource } from '../../platform/http/commands/resource.ts'
import { command, list, type Route } from '../../platform/http/commands/route.ts'
import {
  createTime,
  group,
  idOf,
  listOf,
  nullableTime,
  object,
  optional,
  optionalEnum,
  ownId,
  shownAddress,
  shownText,
  withDescription,
  withMeanings,
} from '../../platform/http/shapes/shapes.ts'
import { enqueue, type JobPayload, scopeOf } from '../../platform/jobs/queue.ts'
import type { Jobs } from '../../platform/jobs/runner.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { EventParts } from '../event-envelope.ts'
import { deliveryIds, eventIds, webhookIds } from '../resources.ts'
import { attempt, headerList } from './attempt-shapes.ts'
import { presentDelivery } from './deliveries.ts'
import {
  redeliver,
  redeliverSome,
  selectDeliveries,
  selectDelivery,
  shareDeliveries,
} from './delivery-store.ts'
import { openRequests } from './request.ts'
import { webhook } from './shapes.ts'
import { deliveryStatuses } from './states.ts'
import { endPause, selectWebhook } from './store.ts'
import { lockWebhook, presentMasked, presentWebhook, wakeDispatchers } from './webhooks.ts'

const delivery = object(
  {
    id: ownId(deliveryIds),
    webhookId: withDescription(idOf(webhookIds), 'Webhook that receives the event.'),
    eventId: withDescription(idOf(eventIds), 'Event to deliver.'),
    eventType: shownText('Type of the event to deliver.', 'payment.completed'),
    status: withMeanings(Type.Enum(deliveryStatuses), 'Delivery status.', {
      pending: 'waiting for the first or next attempt',
      delivered: 'accepted by the webhook',
      failed: 'not accepted within three days',
    }),
    nextAttemptTime: withDescription(
      nullableTime,
      'When the next attempt is due; null if there will be none.',
    ),
    attempts: listOf('The last 25 attempts.', attempt),
    request: optional(
      group('The request as it would be sent now, freshly signed. Only in GET responses for one delivery.', {
        method: Type.Literal('POST', { description: 'HTTP method.' }),
        url: withDescription(shownAddress, 'URL of the webhook.'),
        headers: withDescription(
          headerList,
          'Headers. The signature and custom headers are `****` for callers without `webhooks:write`.',
        ),
        body: personal(shownText('The event, exactly as it is signed.'), 'text'),
      }),
    ),
    createTime,
  },
  {
    title: 'Delivery',
    description: 'The delivery of one event to one webhook. The last 25 attempts are kept.',
  },
)

const moment = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-21T08:00:00Z'] })

const range = object({
  since: moment('Start of the range, inclusive.'),
  until: optional(moment('End of the range, exclusive; defaults to now.')),
  status: optional(
    Type.Enum(['failed', 'all'], {
      default: 'failed',
      description:
        'Events to redeliver. `failed` (default): events whose delivery failed or is being retried, and events that were never sent, for example while the webhook was disabled. `all`: every event.',
    }),
  ),
})

export function deliveryRoutes(parts: EventParts): Route[] {
  const { db } = parts
  const showRequest = openRequests(parts)
  const deliveries = resource({
    url: '/v1/deliveries',
    permission: 'webhooks',
    idKind: deliveryIds,
    result: delivery,
    find: shareDeliveries(db),
    present: presentDelivery,
  })
  return [
    list({
      url: '/v1/webhooks/:id/deliveries',
      summary: 'List the deliveries of a webhook',
      permission: 'webhooks:read',
      idKind: webhookIds,
      query: object({
        status: optionalEnum(deliveryStatuses, 'Only deliveries with this status.'),
      }),
      result: delivery,
      list: async ({ scope, id, query }, page) => {
        if (!(await selectWebhook(db, scope, id))) throw new Refusal('not_found')
        return selectDeliveries(db, scope, id, query.status, page)
      },
      position: ({ id }) => id,
      present: presentDelivery,
    }),
    command({
      url: '/v1/webhooks/:id/redeliver',
      summary: 'Redeliver the events of a time range',
      about: 'Redelivers those that failed, or all of them.',
      reasons: ['state_conflict'],
      permission: 'webhooks:resend',
      idKind: webhookIds,
      body: range,
      result: webhook,
      example: { since: '2026-11-21T08:00:00Z' },
      rules: [{ about: ['until'], says: '`until` must be later than `since`.' }],
      validate: (_db, { body, now }, issues) => checkRange(body, now, issues),
      write: async (tx, { scope, id, body, now, may }) => {
        const webhook = await lockWebhook(tx, scope, id)
        if (!webhook.enabled) throw notEnabled()
        const { since, until = now.toISOString(), status = 'failed' } = body
        const issues = new Issues()
        checkRange(body, now, issues)
        issues.refuse()
        await endPause(tx, scope, id, now)
        enqueue(tx, 'webhooks.redeliver', { ...scope, webhookId: id, since, until, status })
        return may('webhooks:write') ? presentWebhook(scope, webhook) : presentMasked(scope, webhook)
      },
    }),
    deliveries.read({
      summary: 'Retrieve a delivery',
      about: 'Includes its request and its attempts.',
      shows: {
        request: {
          method: 'POST',
          url: 'https://shop.example/hooks/pesewa',
          headers: [{ name: 'content-type', value: 'application/json' }],
          body: '{"type":"payment.completed"}',
        },
      },
      find: async (call, find) => {
        const delivery = await find()
        return delivery && { ...delivery, request: await showRequest(call, delivery) }
      },
    }),
    deliveries.action('redeliver', {
      ...noBody,
      summary: 'Redeliver an event',
      reasons: ['state_conflict'],
      permission: 'webhooks:resend',
      write: async (tx, { scope, id, now }) => {
        const { webhookId } = await findDelivery(tx, scope, id)
        const webhook = await selectWebhook(tx, scope, webhookId)
        if (!webhook?.enabled) throw notEnabled()
        await redeliver(tx, scope, id, now)
        await endPause(tx, scope, webhookId, now)
        wakeDispatchers(tx, scope)
        return findDelivery(tx, scope, id)
      },
    }),
  ]
}

function checkRange(
  { since, until }: { since?: string | undefined; until?: string | undefined },
  now: Date,
  issues: Issues,
) {
  if (since === undefined || issues.hasIssue('until')) return
  const end = until === undefined ? now.getTime() : Date.parse(until)
  if (end <= Date.parse(since)) issues.add('until', 'must be later than `since`')
}

const notEnabled = () => new Refusal('state_conflict', { message: 'The webhook is not enabled.' })

const findDelivery = async (db: Reader, scope: Scope, id: string) =>
  existing(await selectDelivery(db, scope, id))

const eventsAtOnce = 1_000

/**
 * Returns the job that redelivers the events in a time range in batches, each in a separate transaction. If the
 * job runs again, it resends only failed deliveries.
 */
export const deliveryJobs = ({ db, clock }: Platform): Jobs => ({
  'webhooks.redeliver': async (payload: JobPayload) => {
    const scope = scopeOf(payload)
    const webhookId = String(payload.webhookId)
    const range = {
      since: new Date(String(payload.since)),
      until: new Date(String(payload.until)),
      status: payload.status === 'all' ? ('all' as const) : ('failed' as const),
    }
    for (let after: bigint | undefined = 0n; after !== undefined; ) {
      const from: bigint = after
      after = await db.transaction(async (tx) => {
        const webhook = await selectWebhook(tx, scope, webhookId)
        if (!webhook?.enabled) return undefined
        const at = clock.now(scope)
        const next = await redeliverSome(tx, scope, webhookId, range, { after: from, take: eventsAtOnce, at })
        wakeDispatchers(tx, scope)
        return next
      })
    }
  },
})
