import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { WellFormed } from '../../platform/http/commands/route.ts'
import type { Metadata } from '../../platform/http/shapes/shapes.ts'
import { showId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs/queue.ts'
import { destinationError } from '../../platform/outbound/destinations.ts'
import type { Platform } from '../../platform/platform.ts'
import { existing, Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import { presentOwned } from '../../tenants/spaces/ownership.ts'
import { type EventType, publish } from '../events.ts'
import { webhookIds } from '../resources.ts'
import { deliveriesChannel } from '../sequencer.ts'
import { type EventSettings, webhookNetworks } from '../settings.ts'
import { presentActivity, type WithHours } from './activity.ts'
import { presentAttempt } from './deliveries.ts'
import { removeDeliveries } from './removal.ts'
import { newKeyPair, newSecret, readSecret } from './signing.ts'
import {
  type DisabledReason,
  deleteWebhook,
  disable,
  endPause,
  type SentExample,
  selectWebhook,
  updateWebhook,
  type Webhook,
} from './store.ts'

export type NewWebhook = {
  name: string
  apiRelease?: string
  url: string
  events: string[]
  enabled?: boolean
  headers?: Record<string, string>
  alertEmails?: string[]
  verificationMethod?: { type?: 'HS256' | 'ED25519'; secret?: string }
  metadata?: Metadata
}

/** There is no shared secret for ED25519. */
const generatedWithEd25519 = 'must be omitted with ED25519; the key pair is generated'
const oldSecretSignsMs = 24 * 60 * 60 * 1000

type Clearable = 'headers' | 'alertEmails' | 'metadata'
export type WebhookChange = Partial<Omit<NewWebhook, 'verificationMethod' | Clearable>> & {
  [Field in Clearable]?: NewWebhook[Field] | null
}

export async function changeWebhook(
  tx: Tx,
  platform: Platform<EventSettings>,
  scope: Scope,
  id: string,
  change: WebhookChange,
  at: Date,
): Promise<Webhook> {
  const webhook = await lockWebhook(tx, scope, id)
  const issues = new Issues()
  checkWebhook(platform, scope, change, issues)
  issues.refuse()
  const { events, headers, alertEmails, metadata, ...rest } = change
  const changed: Webhook = {
    ...webhook,
    ...rest,
    ...(events && { subscriptions: [...new Set(events)] }),
    ...(headers !== undefined && { headers: headers ?? {} }),
    ...(alertEmails !== undefined && { alertEmails: alertEmails ?? [] }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    updatedAt: at,
  }
  await updateWebhook(tx, scope, changed)
  wakeDispatchers(tx, scope)
  return changed
}

/** Notifies the dispatcher that deliveries of this Space may be due. */
export const wakeDispatchers = (tx: Tx, { environment, spaceId }: Scope) =>
  tx.wake(deliveriesChannel, `${environment} ${spaceId}`)

/**
 * Generates a new key. Deliveries are signed with both keys for a day, so that the receiver can switch at any
 * time.
 */
export async function rotateSecret(
  tx: Tx,
  { vault }: Platform,
  scope: Scope,
  id: string,
  secret: string | undefined,
  at: Date,
): Promise<{ webhook: Webhook; secret: string | undefined }> {
  const webhook = await lockWebhook(tx, scope, id)
  const issues = new Issues()
  checkSecret(webhook, secret, issues)
  issues.refuse()
  const keys = newKeys(webhook.verification, secret)
  const changed: Webhook = {
    ...webhook,
    secret: vault.lock(vaultName(id), keys.key),
    publicKey: keys.publicKey,
    oldSecret: webhook.secret,
    oldSecretUntil: new Date(at.getTime() + oldSecretSignsMs),
    updatedAt: at,
  }
  await updateWebhook(tx, scope, changed)
  return { webhook: changed, secret: keys.secret }
}

export function checkSecret({ verification }: Webhook, secret: string | undefined, issues: Issues): void {
  if (verification === 'ED25519' && secret !== undefined) issues.add('secret', generatedWithEd25519)
}

/** Sends a ping event only to this endpoint. */
export async function pingWebhook(tx: Tx, scope: Scope, id: string, at: Date): Promise<Webhook> {
  const webhook = await lockWebhook(tx, scope, id)
  if (!webhook.enabled) throw new Refusal('state_conflict', { message: 'The webhook is not enabled.' })
  await endPause(tx, scope, id, at)
  publishWebhook(tx, scope, 'webhook.ping', webhook, at)
  return webhook
}

/**
 * Hides the webhook and its deliveries immediately. A job deletes their rows, of which there may be millions,
 * in batches.
 */
export async function removeWebhook(tx: Tx, scope: Scope, id: string, at: Date): Promise<void> {
  if (await deleteWebhook(tx, scope, id, at)) removeDeliveries(tx, { ...scope, webhookId: id }, at)
}

const reasons: Record<DisabledReason, string> = {
  gone: 'it returned 410 Gone',
  failing: 'all deliveries failed for five days',
}

/**
 * Disables an endpoint that is gone or has been failing for days, and notifies its owner with an event and an
 * email.
 */
export async function disableWebhook(tx: Tx, scope: Scope, id: string, reason: DisabledReason, at: Date) {
  const webhook = await disable(tx, scope, id, reason, at)
  if (!webhook) return
  publishWebhook(tx, scope, 'webhook.disabled', webhook, at)
  if (webhook.alertEmails.length > 0)
    enqueue(tx, 'mail.send', {
      ...scope,
      to: webhook.alertEmails,
      subject: `Your webhook "${webhook.name}" was disabled`,
      text: [
        `We stopped sending events to ${webhook.url} because ${reasons[reason]}.`,
        `Webhook: ${showId(webhookIds, id)} (${scope.environment})`,
        'To resume, enable it with PATCH, then resend missed events with POST …/redeliver.',
      ].join('\n\n'),
    })
}

const publishWebhook = (tx: Tx, scope: Scope, type: EventType, webhook: Webhook, at: Date) =>
  publish(tx, scope, { types: [type], objectId: webhook.id, data: presentMasked(scope, webhook), at })

export const lockWebhook = async (tx: Tx, scope: Scope, id: string) =>
  existing(await selectWebhook(tx, scope, id, sql`for update`))

/** Returns the `place` that identifies a webhook's keys in the vault. */
export const vaultName = (id: string) => `webhook ${id}`

/**
 * Returns the webhook with its custom headers masked, for callers who are not allowed to change them. The
 * values are often API keys of the receiver.
 */
export function presentMasked(scope: Scope, webhook: WithHours<Webhook>) {
  const headers = Object.fromEntries(Object.keys(webhook.headers).map((name) => [name, masked]))
  return { ...presentWebhook(scope, webhook), headers }
}

const masked = '****'

/** Returns the webhook as shown by GET, with its secret if that was just created. */
export function presentWebhook({ spaceId }: Scope, webhook: WithHours<Webhook>, secret?: string) {
  const { verification, publicKey } = webhook
  return {
    id: showId(webhookIds, webhook.id),
    name: webhook.name,
    apiRelease: webhook.apiRelease,
    url: webhook.url,
    events: webhook.subscriptions,
    enabled: webhook.enabled,
    failingSinceTime: webhook.failingSince?.toISOString() ?? null,
    ...(webhook.hours && {
      lastDay: presentActivity(webhook.hours),
      lastExample: webhook.lastExample && presentExample(webhook.lastExample),
    }),
    headers: webhook.headers,
    alertEmails: webhook.alertEmails,
    verificationMethod: {
      type: verification,
      ...(secret !== undefined && { secret }),
      ...(publicKey !== null && { publicKey }),
    },
    ...presentOwned(spaceId, webhook),
  }
}

const presentExample = ({ eventType, ...attempt }: SentExample) => ({
  eventType,
  ...presentAttempt(attempt),
})

export function newKeys(type: Webhook['verification'], chosenSecret: string | undefined) {
  if (type === 'ED25519') {
    const { privateKey, publicKey } = newKeyPair()
    return { key: privateKey, publicKey, secret: undefined }
  }
  const secret = chosenSecret ?? newSecret()
  return { key: readSecret(secret) ?? Buffer.from(secret), publicKey: null, secret }
}

/**
 * Checks the given fields of an endpoint, and adds what is wrong with them to `issues`. Fields missing from the
 * request are not checked.
 */
export function checkWebhook(
  { settings }: Platform<EventSettings>,
  { environment }: Scope,
  { url, verificationMethod }: WellFormed<Pick<NewWebhook, 'url' | 'verificationMethod'>>,
  issues: Issues,
): void {
  if (verificationMethod?.type === 'ED25519' && verificationMethod.secret !== undefined)
    issues.add('verificationMethod.secret', generatedWithEd25519)
  if (url === undefined) return
  const allowedNetworks = webhookNetworks(settings, environment)
  const fault = destinationError(url, { allowedNetworks, httpsOnly: environment === 'live' })
  if (fault) issues.add('url', fault)
}
