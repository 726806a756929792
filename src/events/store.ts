import type { Scope } from '../platform/clock.ts'
import { texts, times, uuids } from '../platform/db/arrays.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

/** A row of `events`: what to tell of one object, under one or more types, and of the lines of a posting. */
export type EventRow = {
  id: string
  types: readonly string[]
  objectType: string
  objectId: string | null
  posting: string | null
  callbackState: string | null
  /** JSON. */
  data: string | null
  at: Date
}

/** A statement, or part of a larger one. */
export const insertEvents = ({ spaceId, environment }: Scope, events: EventRow[]): Sql => sql`
  insert into events (space_id, environment, id, types, object_type, object_id, posting, callback_state, data, at)
  select ${spaceId}, ${environment}, id, string_to_array(types, ' '), object_type, object_id, posting, callback_state,
    data, at
  from unnest(${uuids(events.map(({ id }) => id))}::uuid[],
    ${texts(events.map(({ types }) => types.join(' ')))}::text[],
    ${texts(events.map(({ objectType }) => objectType))}::text[],
    ${uuids(events.map(({ objectId }) => objectId))}::uuid[],
    ${texts(events.map(({ posting }) => posting))}::text[],
    ${texts(events.map(({ callbackState }) => callbackState))}::text[],
    ${texts(events.map(({ data }) => data))}::text[],
    ${times(events.map(({ at }) => at))}::timestamptz[])
    as event (id, types, object_type, object_id, posting, callback_state, data, at)
  returning 1`
