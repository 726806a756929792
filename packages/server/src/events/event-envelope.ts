import { fieldsOf, must } from '@pesewa/values'
import type { Reader } from '../platform/db/database.ts'
import { currentVersion } from '../platform/http/admission/version.ts'
import { exactJson } from '../platform/http/commands/json.ts'
import { showId } from '../platform/ids.ts'
import type { Platform } from '../platform/platform.ts'
import { resourceOf } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { spaceIds } from '../tenants/spaces/resources.ts'
import type { EventRow } from './event-store.ts'
import { eventIds } from './resources.ts'
import type { EventSettings } from './settings.ts'

/**
 * Reads the lines of postings by their internal ids, in the form that GET returns. The ledger, which is a later
 * slice, supplies this function.
 */
export type FindLines = (db: Reader, scope: Scope, ids: string[]) => Promise<Map<string, object>>

/** The dependencies of the slice. */
export type EventParts = Platform<EventSettings> & { findLines: FindLines }

/** The fields of an event other than its data. */
type EventHead = {
  id: string
  type: string
  apiVersion: string
  environment: Scope['environment']
  spaceId: string
  timestamp: string
  sequence: number
  object: { id: string; type: string }
  callbackState?: string
}

/**
 * An event as clients see it. `text` is its JSON, which is the same in the stream and in webhooks. In webhooks,
 * it is signed.
 */
export type EventEnvelope = { id: string; type: string; position: bigint; head: EventHead; text: string }

/** Returns the envelopes of the events, in the same order. */
export async function envelopesOf(
  db: Reader,
  findLines: FindLines,
  scope: Scope,
  rows: EventRow[],
): Promise<EventEnvelope[]> {
  const ids = rows.filter(({ data }) => data === null).map(({ objectId }) => objectId)
  const lines = ids.length > 0 ? await findLines(db, scope, ids) : undefined
  return rows.map((row) => {
    const data = row.data ?? JSON.stringify(must(lines?.get(row.objectId), 'line of an event'))
    const head = envelopeFields(scope, row)
    const { id, type } = head
    // The data is inserted exactly as it was stored with the fact.
    const text = `${JSON.stringify(head).slice(0, -1)},"data":${data}}`
    return { id, type, position: row.position, head, text }
  })
}

function envelopeFields({ spaceId, environment }: Scope, row: EventRow): EventHead {
  const { type, ids } = resourceOf(row.type.slice(0, row.type.indexOf('.')))
  return {
    id: showId(eventIds, row.id),
    type: row.type,
    apiVersion: currentVersion,
    environment,
    spaceId: showId(spaceIds, spaceId),
    timestamp: row.at.toISOString(),
    sequence: Number(row.sequence),
    object: { id: showId(ids, row.objectId), type },
    ...(row.callbackState !== null && { callbackState: row.callbackState }),
  }
}

/**
 * Returns an event as an object, for pages and files. Its data may contain numbers that exceed the precision of
 * a double.
 */
export const presentEvent = ({ head, text }: EventEnvelope) => ({
  ...head,
  data: fieldsOf(fieldsOf(exactJson(text)).data),
})
