import type { Call } from '../../platform/http/commands/route.ts'
import { type EventParts, envelopesOf } from '../event-envelope.ts'
import { shareEvents } from '../event-store.ts'
import { headerList, type ShownRequest } from './deliveries.ts'
import type { Delivery } from './delivery-store.ts'
import { headersOf } from './message.ts'
import { selectWebhook } from './store.ts'

const masked = '****'
const shownToAll = /^(?:content-type|user-agent|webhook-id|webhook-timestamp)$/

/**
 * Returns a function that builds the request of a delivery as it would be sent now, to be shown or repeated.
 * Callers who may not change webhooks see neither the signature, which proves that a message is from us, nor
 * custom headers, which often contain an API key of the receiver.
 */
export function openRequests(parts: EventParts) {
  const { db, findLines } = parts
  const find = shareEvents(db)
  return async (
    { scope, may }: Pick<Call, 'scope' | 'may'>,
    { webhookId, eventId }: Delivery,
  ): Promise<ShownRequest | undefined> => {
    const [webhook, row] = await Promise.all([selectWebhook(db, scope, webhookId), find(scope, eventId)])
    const [event] = row ? await envelopesOf(db, findLines, scope, [row]) : []
    if (!webhook || !event) return undefined
    const headers = headerList(headersOf(parts, scope, webhook, event) ?? webhook.headers)
    return {
      method: 'POST',
      url: webhook.url,
      headers: may('webhooks:write')
        ? headers
        : headers.map(({ name, value }) => ({ name, value: shownToAll.test(name) ? value : masked })),
      body: event.text,
    }
  }
}
