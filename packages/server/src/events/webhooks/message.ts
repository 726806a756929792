import { NoAnswer, send } from '@pesewa/connector-kit'
import type { Agent } from 'undici'
import type { Platform } from '../../platform/platform.ts'
import type { Scope } from '../../platform/scope.ts'
import type { EventEnvelope } from '../event-envelope.ts'
import type { AttemptOutcome } from './deliveries.ts'
import { signEd25519, signHs256 } from './signing.ts'
import type { Webhook } from './store.ts'
import { vaultName } from './webhooks.ts'

const timeoutMs = 15_000 // limit: timeout of one delivery attempt
const shownBytes = 1024 // bytes kept of a receiver’s response

/**
 * Posts a signed event to an endpoint. Whatever the receiver does is returned as an outcome, and only internal
 * errors are thrown.
 */
export async function postEvent(
  platform: Platform,
  peer: Agent,
  scope: Scope,
  webhook: Webhook,
  event: SignedEvent,
): Promise<AttemptOutcome> {
  const headers = headersOf(platform, scope, webhook, event)
  if (!headers) return { error: 'the signing secret can no longer be decrypted: rotate it' }
  try {
    const response = await send(peer, {
      method: 'POST',
      url: webhook.url,
      headers,
      body: event.text,
      timeoutMs,
      answerBytes: shownBytes,
      wantsHeaders: true,
    })
    return { response }
  } catch (error) {
    if (error instanceof NoAnswer) return { error: error.message }
    throw error
  }
}

/** The id and the JSON of an event, which are signed. */
type SignedEvent = Pick<EventEnvelope, 'id' | 'text'>

/** Returns all headers of a request that is sent now, or `undefined` if the keys cannot be decrypted. */
export function headersOf(
  platform: Platform,
  scope: Scope,
  webhook: Webhook,
  event: SignedEvent,
): Record<string, string> | undefined {
  const keys = keysOf(platform, scope, webhook)
  return (
    keys && {
      ...webhook.headers,
      'content-type': 'application/json',
      'user-agent': 'Pesewa-Webhooks/1',
      ...sign(webhook, keys, event),
    }
  )
}

/**
 * Returns the signing key, and the previous one while it is still valid. Returns `undefined` if they were
 * encrypted with another SECRET_KEY.
 */
function keysOf(
  { vault, clock }: Platform,
  scope: Scope,
  { id, secret, oldSecret, oldSecretUntil }: Webhook,
): Buffer[] | undefined {
  const isOldValid = oldSecret !== null && oldSecretUntil !== null && oldSecretUntil > clock.now(scope)
  try {
    return (isOldValid ? [secret, oldSecret] : [secret]).map((key) => vault.unlock(vaultName(id), key))
  } catch {
    return undefined
  }
}

function sign({ verification }: Webhook, keys: Buffer[], { id, text }: SignedEvent) {
  const signWith = verification === 'ED25519' ? signEd25519 : signHs256
  return signedHeaders(id, (timestamp) => keys.map((key) => signWith(key, id, timestamp, text)).join(' '))
}

/**
 * Returns the headers of a delivery. `sign` receives the wall-clock time in seconds, because receivers compare
 * it with their clocks.
 */
export function signedHeaders(id: string, sign: (timestamp: number) => string): Record<string, string> {
  const timestamp = Math.trunc(Date.now() / 1000)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(timestamp),
  }
}
