import type { WebhookEvent } from '../generated/types.ts'
import { writeJson } from '../json.ts'
import { decodeBase64 } from '../webhooks.ts'

type DataOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>['data']

/** Creates an event of the given type for a test. `data` needs only the fields that your code reads. */
export function testEvent<Type extends WebhookEvent['type']>(
  type: Type,
  data: Partial<DataOf<Type>>,
): Extract<WebhookEvent, { type: Type }> {
  const [kind = ''] = type.split('.')
  const event = {
    id: `evt-${crypto.randomUUID()}`,
    type,
    apiVersion: 'test',
    environment: 'test',
    spaceId: 'spc-test',
    timestamp: new Date().toISOString(),
    sequence: 1,
    object: { id: String((data as { id?: unknown }).id ?? `${kind}-test`), type: kind },
    data,
  }
  // The data is incomplete: it contains only what the test provides.
  return event as unknown as Extract<WebhookEvent, { type: Type }>
}

export type SignedWebhook = { body: string; headers: Record<string, string> }

/**
 * Signs an event as the service does, so that your endpoint can verify it. `secret` is the webhook's secret:
 * either `whsec_…` or any other string that you have set.
 *
 * @param at time of signing; defaults to now
 */
export async function signWebhook(
  event: { id: string },
  secret: string,
  { at = new Date() }: { at?: Date } = {},
): Promise<SignedWebhook> {
  const body = writeJson(event)
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const raw = secret.startsWith('whsec_')
    ? decodeBase64(secret.slice('whsec_'.length))
    : new TextEncoder().encode(secret)
  if (!raw) throw new TypeError('secret must be base64 after whsec_')
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const content = new TextEncoder().encode(`${event.id}.${timestamp}.${body}`)
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, content))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': event.id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
    },
  }
}
