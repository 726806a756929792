import { noBody, resource } from '../../platform/http/commands/resource.ts'
import type { Call, Route } from '../../platform/http/commands/route.ts'
import { object, optional } from '../../platform/http/shapes/shapes.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import { writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { deciderOf } from '../../tenants/spaces/deciders.ts'
import { webhookIds } from '../resources.ts'
import type { EventSettings } from '../settings.ts'
import { type WithHours, withHours } from './activity.ts'
import { activityQuery } from './attempt-shapes.ts'
import { requestExample } from './example-events.ts'
import { createWebhook } from './new-webhook.ts'
import {
  exampleRequest,
  newWebhook,
  secret,
  secretRule,
  urlRule,
  webhook,
  webhookChange,
  withSecret,
} from './shapes.ts'
import { hasExisted, selectWebhook, selectWebhooks, shareWebhooks, type Webhook } from './store.ts'
import {
  changeWebhook,
  checkSecret,
  checkWebhook,
  pingWebhook,
  presentMasked,
  presentWebhook,
  removeWebhook,
  rotateSecret,
} from './webhooks.ts'

export function webhookRoutes(parts: Platform<EventSettings>): Route[] {
  const { db } = parts
  const webhooks = resource({
    url: '/v1/webhooks',
    permission: 'webhooks',
    idKind: webhookIds,
    result: webhook,
    find: shareWebhooks(db),
    present: (row: WithHours<Webhook> & { newSecret?: string | undefined }, { scope, may }) =>
      may('webhooks:write') ? presentWebhook(scope, row, row.newSecret) : presentMasked(scope, row),
  })
  const active = (
    { scope, now, query }: Call<{ withActivity?: boolean }>,
    rows: Webhook[],
  ): Promise<WithHours<Webhook>[]> | Webhook[] =>
    query.withActivity ? withHours(db, scope, rows, now) : rows
  return [
    webhooks.create({
      summary: 'Create a webhook',
      reasons: ['state_conflict'],
      body: newWebhook(),
      isSecret: true,
      shows: withSecret,
      example: {
        name: 'Orders',
        url: 'https://shop.example/hooks/pesewa',
        events: ['payment.completed', 'checkout_session.*'],
      },
      rules: [urlRule, secretRule('verificationMethod.secret')],
      validate: (_db, { scope, body }, issues) => checkWebhook(parts, scope, body, issues),
      write: async (tx, { scope, body, now }) => {
        const { webhook, secret } = await createWebhook(tx, parts, scope, body, now)
        return { ...webhook, newSecret: secret }
      },
    }),
    webhooks.list({
      summary: 'List webhooks',
      query: activityQuery,
      list: async (call, page) => active(call, await selectWebhooks(db, call.scope, page)),
    }),
    webhooks.read({
      summary: 'Retrieve a webhook',
      query: activityQuery,
      find: async (call, find) => {
        const webhook = await find()
        return webhook && (await active(call, [webhook]))[0]
      },
    }),
    webhooks.change({
      summary: 'Update a webhook',
      body: webhookChange(),
      example: { enabled: false },
      rules: [urlRule],
      validate: (_db, { scope, body }, issues) => checkWebhook(parts, scope, body, issues),
      write: (tx, { scope, id, body, now }) => changeWebhook(tx, parts, scope, id, body, now),
    }),
    webhooks.remove({
      summary: 'Delete a webhook',
      about: 'Also deletes its deliveries.',
      write: async (tx, { scope, id, now }) => {
        if (!(await hasExisted(tx, scope, id))) throw new Refusal('not_found')
        await removeWebhook(tx, scope, id, now)
      },
    }),
    webhooks.action('rotate-secret', {
      summary: 'Rotate the secret of a webhook',
      about: 'The old secret stays valid for 24 hours.',
      body: object({ secret: optional(secret) }),
      isSecret: true,
      shows: withSecret,
      needsStepUp: true,
      example: {},
      rules: [secretRule('secret')],
      validate: async (db, { scope, id, body }, issues) => {
        const webhook = await selectWebhook(db, scope, id)
        if (webhook) checkSecret(webhook, body.secret, issues)
      },
      write: async (tx, { scope, id, body, userId, now }) => {
        const { webhook, secret } = await rotateSecret(tx, parts, scope, id, body.secret, now)
        await writeAuditEntry(tx, scope, await deciderOf(tx, { userId }, 'a new secret'), {
          action: 'webhook.rotate_secret',
          objectType: 'webhook',
          objectId: id,
          details: { name: webhook.name, isOwnSecret: body.secret !== undefined },
        })
        return { ...webhook, newSecret: secret }
      },
    }),
    webhooks.action('ping', {
      ...noBody,
      summary: 'Send a test event to a webhook',
      reasons: ['state_conflict'],
      write: (tx, { scope, id, now }) => pingWebhook(tx, scope, id, now),
    }),
    webhooks.action('send-example', {
      summary: 'Send an example to a webhook',
      about: 'Sends an example of an event type. Only in the test environment.',
      reasons: ['state_conflict'],
      body: exampleRequest(),
      example: { eventType: 'payment.completed' },
      write: (tx, { scope, id, body }) => requestExample(tx, scope, id, body.eventType),
    }),
  ]
}
