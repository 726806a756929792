import type { Database } from '../platform/db/database.ts'
import { readId } from '../platform/ids.ts'
import { Faults } from '../platform/refusals.ts'
import type { Scope } from '../platform/scope.ts'
import type { FindRow } from '../platform/shared-reads.ts'
import { envelopesOf, type FindLines } from './event-envelope.ts'
import { type EventRow, selectEventsAfter, selectLastPosition } from './event-store.ts'
import { eventIds } from './resources.ts'
import type { Tail } from './tail.ts'

const heartbeatMs = 15_000
const maxEventsAtOnce = 100 // limit: events that a stream reads at once

export type StreamParts = { db: Database; tail: Tail; findLines: FindLines }

/** Where a stream begins: after the event that the client has seen last, or with what comes next. */
export async function startOf(
  db: Database,
  find: FindRow<EventRow>,
  scope: Scope,
  lastEventId: string | undefined,
): Promise<bigint> {
  if (!lastEventId) return selectLastPosition(db, scope)
  const id = readId(eventIds, lastEventId)
  const event = id && (await find(scope, id))
  if (event) return event.position
  const faults = new Faults()
  faults.add('Last-Event-ID', 'names no event here; read the list from where you are')
  throw faults.refusal()
}

/** Server-sent events from after `position` on, until `signal`; a comment when there was nothing for 15 s. */
export async function* streamEvents(
  { db, tail, findLines }: StreamParts,
  scope: Scope,
  position: bigint,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const bell = createBell(tail, scope, signal)
  try {
    yield ': open\n\n'
    while (!signal.aborted) {
      bell.reset()
      const rows = await selectEventsAfter(db, scope, position, maxEventsAtOnce)
      const events = await envelopesOf(db, findLines, scope, rows)
      if (events.length > 0)
        yield events.map(({ id, type, json }) => `id: ${id}\nevent: ${type}\ndata: ${json.text}\n\n`).join('')
      position = rows.at(-1)?.position ?? position
      if (rows.length < maxEventsAtOnce && !(await bell.rung(heartbeatMs))) yield ': still here\n\n'
    }
  } finally {
    bell.close()
  }
}

/** Rings when the Space has new events, and when the stream ends. */
function createBell(tail: Tail, { spaceId, environment }: Scope, signal: AbortSignal) {
  let hasRung = false
  let wake = () => {}
  const ring = () => {
    hasRung = true
    wake()
  }
  const stop = tail.on((scope) => {
    if (scope === undefined || (scope.spaceId === spaceId && scope.environment === environment)) ring()
  })
  signal.addEventListener('abort', ring)
  return {
    reset() {
      hasRung = false
    },
    /** Waits for the bell, at most so long; returns whether it rang. */
    async rung(limitMs: number): Promise<boolean> {
      if (!hasRung)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, limitMs).unref()
        })
      return hasRung
    },
    close() {
      stop()
      signal.removeEventListener('abort', ring)
    },
  }
}
