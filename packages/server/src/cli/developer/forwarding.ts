import { Agent, request } from 'undici'
import type { WebhookEvent } from '../../../../sdk/src/index.ts'
import { signHs256 } from '../../events/webhooks/signing.ts'
import { toJson } from '../output/describe.ts'
import { shortReason } from './connection.ts'

/** The receiver's response to one event: its HTTP status, or the reason that there was no response. */
export type Forwarded = { status?: number; error?: string; durationMs: number }

const limitMs = 15_000 // `pesewa listen`: time limit for a receiver’s response

/**
 * Returns a function that posts an event exactly as a webhook would, with the same body and signature. It does
 * not follow redirects.
 */
export function createForwarder(url: string, key: Buffer): (event: WebhookEvent) => Promise<Forwarded> {
  // Opens a new connection each time, so that a restarted receiver does not look unavailable.
  const agent = new Agent({ pipelining: 0 })
  return async (event) => {
    const { id } = event
    // The service writes an event with `JSON.stringify`, so this is the text that it sends to webhooks.
    const json = toJson(event)
    const timestamp = Math.floor(Date.now() / 1_000)
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const { statusCode, body } = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': signHs256(key, id, timestamp, json),
        },
        body: json,
        signal: AbortSignal.timeout(limitMs),
      })
      await body.dump()
      return { status: statusCode, durationMs: durationMs() }
    } catch (error) {
      return { error: shortReason(error), durationMs: durationMs() }
    }
  }
}
