import { setTimeout as sleep } from 'node:timers/promises'
import { batchKeyOf } from '../platform/batches.ts'
import type { Database } from '../platform/db/database.ts'
import type { StreamedEvent } from '../platform/http/commands/route.ts'
import { readId } from '../platform/ids.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { FindRow } from '../platform/shared-reads.ts'
import { type EventParts, envelopesOf } from './event-envelope.ts'
import { type EventRow, selectEventsAfter, selectLastPosition } from './event-store.ts'
import { eventIds } from './resources.ts'
import { eventsChannel } from './sequencer.ts'

const heartbeatMs = 15_000
const maxEventsAtOnce = 100

/**
 * Returns the position after which a stream begins: that of the last event that the client received or, for a
 * new client, that of the newest event.
 */
export async function startPosition(
  db: Database,
  find: FindRow<EventRow>,
  scope: Scope,
  lastEventId: string | undefined,
): Promise<bigint> {
  if (!lastEventId) return selectLastPosition(db, scope)
  const id = readId(eventIds, lastEventId)
  const event = id && (await find(scope, id))
  if (event) return event.position
  throw argumentRefusal('Last-Event-ID', 'does not name an event in this Space; list events to catch up')
}

/**
 * Streams the events after `position` as server-sent events until `signal` aborts, with a keep-alive comment
 * every 15 s.
 */
export async function* streamEvents(
  { db, findLines }: EventParts,
  scope: Scope,
  position: bigint,
  signal: AbortSignal,
): AsyncGenerator<StreamedEvent[] | { comment: string }> {
  let news = Promise.withResolvers<boolean>()
  const ring = () => news.resolve(true)
  const stopListening = await db.onWake(eventsChannel, (about) => {
    if (about === undefined || about === batchKeyOf(scope)) ring()
  })
  signal.addEventListener('abort', ring)
  try {
    yield { comment: 'open' }
    while (!signal.aborted) {
      // Listening starts before the read, so that events published in between trigger another read.
      news = Promise.withResolvers()
      const rows = await selectEventsAfter(db, scope, position, maxEventsAtOnce)
      const events = await envelopesOf(db, findLines, scope, rows)
      if (events.length > 0) yield events
      position = rows.at(-1)?.position ?? position
      if (rows.length === maxEventsAtOnce) continue
      const hasNews = await Promise.race([news.promise, sleep(heartbeatMs, false, { ref: false })])
      if (!hasNews) yield { comment: 'still here' }
    }
  } finally {
    stopListening()
    signal.removeEventListener('abort', ring)
  }
}
