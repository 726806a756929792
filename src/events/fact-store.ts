import { texts, times, uuids } from '../platform/db/arrays.ts'
import { type Scoped, scopes } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'

/** A row of `event_facts`: what to tell of one object, under one or more types, and of the lines of a posting. */
export type FactRow = Scoped<{
  id: string
  types: readonly string[]
  objectType: string
  objectId: string | null
  posting: string | null
  callbackState: string | null
  /** JSON. */
  data: string | null
  at: Date
}>

/** A statement, or part of a larger one. */
export const insertFacts = (facts: FactRow[]): Sql => sql`
  insert into event_facts (space_id, environment, id, types, object_type, object_id, posting, callback_state, data, at)
  select space_id, environment, id, string_to_array(types, ' '), object_type, object_id, posting, callback_state, data,
    at
  from unnest(${scopes(facts)}, ${uuids(facts.map(({ id }) => id))}::uuid[],
    ${texts(facts.map(({ types }) => types.join(' ')))}::text[],
    ${texts(facts.map(({ objectType }) => objectType))}::text[],
    ${uuids(facts.map(({ objectId }) => objectId))}::uuid[],
    ${texts(facts.map(({ posting }) => posting))}::text[],
    ${texts(facts.map(({ callbackState }) => callbackState))}::text[],
    ${texts(facts.map(({ data }) => data))}::text[],
    ${times(facts.map(({ at }) => at))}::timestamptz[])
    as event (space_id, environment, id, types, object_type, object_id, posting, callback_state, data, at)
  returning 1`
