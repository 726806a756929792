import type { Tx } from '../../platform/db/database.ts'
import { currentRelease } from '../../platform/http/admission/version.ts'
import { newId } from '../../platform/ids.ts'
import type { Platform } from '../../platform/platform.ts'
import { Issues, Refusal } from '../../platform/refusals.ts'
import type { Scope } from '../../platform/scope.ts'
import type { EventSettings } from '../settings.ts'
import { countWebhooks, insertWebhook, type Webhook } from './store.ts'
import { checkWebhook, type NewWebhook, newKeys, vaultName } from './webhooks.ts'

const maxWebhooks = 100 // limit: webhooks per Space and environment

/** Creates an endpoint and returns it with its secret, which will not be shown again. */
export async function createWebhook(
  tx: Tx,
  platform: Platform<EventSettings>,
  scope: Scope,
  newWebhook: NewWebhook,
  at: Date,
): Promise<{ webhook: Webhook; secret: string | undefined }> {
  const { type = 'HS256', secret } = newWebhook.verificationMethod ?? {}
  const issues = new Issues()
  checkWebhook(platform, scope, newWebhook, issues)
  issues.refuse()
  // Two concurrent requests may exceed the limit. This is acceptable, because the limit only protects the
  // service and need not be exact.
  if ((await countWebhooks(tx, scope)) >= maxWebhooks)
    throw new Refusal('state_conflict', { message: `A Space can have at most ${maxWebhooks} webhooks.` })
  const id = newId(at)
  const keys = newKeys(type, secret)
  const webhook: Webhook = {
    id,
    name: newWebhook.name,
    apiRelease: newWebhook.apiRelease ?? currentRelease.name,
    url: newWebhook.url,
    subscriptions: [...new Set(newWebhook.events)],
    enabled: newWebhook.enabled ?? true,
    headers: newWebhook.headers ?? {},
    alertEmails: newWebhook.alertEmails ?? [],
    verification: type,
    secret: platform.vault.lock(vaultName(id), keys.key),
    publicKey: keys.publicKey,
    oldSecret: null,
    oldSecretUntil: null,
    metadata: newWebhook.metadata ?? {},
    failingSince: null,
    pausedUntil: null,
    lastExample: null,
    createdAt: at,
    updatedAt: at,
  }
  await insertWebhook(tx, scope, webhook)
  return { webhook, secret: keys.secret }
}
