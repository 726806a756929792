import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '@pesewa/values'
import { batchKeyOf } from '../platform/batches.ts'
import type { Database } from '../platform/db/database.ts'
import type { EventSource, StreamedEvent } from '../platform/http/commands/route.ts'
import { readId, showId } from '../platform/ids.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import { resourceOf } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import type { FindRow } from '../platform/shared-reads.ts'
import { type EventParts, envelopesOf } from './event-envelope.ts'
import { type EventRow, selectEventsAfter, selectLastPosition, selectTypesAfter } from './event-store.ts'
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
export const streamEvents = (
  { db, findLines }: EventParts,
  scope: Scope,
  position: bigint,
  signal: AbortSignal,
): ReturnType<EventSource> =>
  streamAfter(db, scope, position, signal, {
    read: (after) => selectEventsAfter(db, scope, after, maxEventsAtOnce),
    present: (rows) => envelopesOf(db, findLines, scope, rows),
  })

/**
 * Streams only the types of the objects that events after `position` are about, each with the permission to read
 * such objects. Changes of the same type that are read together are one message.
 */
export const streamChanges = (
  db: Database,
  scope: Scope,
  position: bigint,
  signal: AbortSignal,
): ReturnType<EventSource> =>
  streamAfter(db, scope, position, signal, {
    read: (after) => selectTypesAfter(db, scope, after, maxEventsAtOnce),
    async present(rows) {
      const latest = new Map(rows.map(({ id, type }) => [type.split('.', 1)[0] ?? '', id]))
      return [...latest].map(([type, id]) => ({
        id: showId(eventIds, id),
        type: 'change',
        text: JSON.stringify({ type }),
        permission: must(resourceOf(type).readPermission, 'permission of a resource with events'),
      }))
    },
  })

type Reading<Row> = {
  /** Returns the next rows after a position, at most `maxEventsAtOnce`. */
  read(position: bigint): Promise<Row[]>
  present(rows: Row[]): Promise<StreamedEvent[]>
}

async function* streamAfter<Row extends { position: bigint }>(
  db: Database,
  scope: Scope,
  position: bigint,
  signal: AbortSignal,
  { read, present }: Reading<Row>,
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
      const rows = await read(position)
      const events = await present(rows)
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
