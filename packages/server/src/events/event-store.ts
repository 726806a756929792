import assert from 'node:assert/strict'
import { bigints } from '../platform/db/arrays.ts'
import { type Stretch, walkBounded } from '../platform/db/bounded-walk.ts'
import type { Database, Reader } from '../platform/db/database.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/commands/route.ts'
import { equals } from '../platform/http/lists/filters.ts'
import { readObjectId } from '../platform/resources.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'
import { eventIds } from './resources.ts'

/** An event together with the content of its fact. */
export type EventRow = {
  position: bigint
  sequence: bigint
  id: string
  type: string
  objectId: string
  at: Date
  callbackState: string | null
  /** JSON, or null for lines of a posting, which are read from the ledger. */
  data: string | null
}

export type EventFilter = { q?: string | undefined; type?: string; objectId?: string; since?: Date }

/** Live clocks never go back, but events are ordered by commit, so their times may be slightly out of order. */
const maxDisorderMs = 5 * 60_000 // how much earlier than its predecessor an event can be and still be found by its time

/** Returns events, newest first. `page.after` is a position. */
export async function selectEvents(
  db: Database,
  scope: Scope,
  { q, type, objectId, since }: EventFilter,
  { after, take, from, to }: Page,
): Promise<Stretch<EventRow>> {
  const { spaceId, environment } = scope
  const named = q === undefined ? undefined : readObjectId(q)
  const [object = objectId, event] = named?.ids === eventIds ? [undefined, named.id] : [named?.id, undefined]
  const namesNothing = (q !== undefined && !named) || (objectId !== undefined && object !== objectId)
  if (namesNothing) return { rows: [], stoppedAt: undefined }

  const begin = [since, from].reduce((one, other) => (one && other && one > other ? one : (other ?? one)))
  const floor = (at: Date) => sql`(select events_floor(${spaceId}, ${environment}, ${at}))`
  const isOrdered = environment === 'live'
  // There is one index for filtering by object and another for filtering by type. If both filters are used, the
  // object's events, which are usually few, are read with the first index and then filtered by type.
  const all = sql`select * from events where space_id = ${spaceId} and environment = ${environment}`
  const ordered = sql`
    ${event === undefined ? all : sql`select * from (${all} and id = ${event} offset 0) named where true`}
      ${object === undefined ? nothing : sql`and object_id = ${object}`}
      ${object !== undefined || type === undefined ? nothing : sql`and type = ${type}`}
      ${begin === undefined ? nothing : sql`and position >= ${floor(begin)}`}
      ${to && isOrdered ? sql`and position < ${floor(new Date(to.getTime() + maxDisorderMs))}` : nothing}
      ${after === undefined ? nothing : sql`and position < ${after}`}`
  const column = sql`position`
  const shown = (events: Sql) => withFacts(scope, events, sql`desc`)
  if ((type !== undefined && object !== undefined) || event !== undefined || from || to) {
    const fit = sql`${equals(sql`type`, sql`text`, type).fits}
      and (${begin ?? null}::timestamptz is null or at >= ${begin ?? null})
      and (${to ?? null}::timestamptz is null or at < ${to ?? null})`
    return walkBounded(db, { ordered, column, cursor: column, fit, take, shown })
  }
  const sinceThen = begin === undefined ? nothing : sql`and at >= ${begin}`
  const newest = firstRows(take, sql`${ordered} ${sinceThen} order by position desc`)
  return { rows: await db.query<EventRow>(shown(newest)), stoppedAt: undefined }
}

/** Returns the events after `position`, oldest first. */
export function selectEventsAfter(db: Reader, scope: Scope, position: bigint, take: number) {
  const { spaceId, environment } = scope
  const following = sql`
    select * from events
    where space_id = ${spaceId} and environment = ${environment} and position > ${position}
    order by position`
  return db.query<EventRow>(withFacts(scope, firstRows(take, following)))
}

/** Returns the types of the events after `position`, oldest first, without the content of their facts. */
export function selectTypesAfter(db: Reader, scope: Scope, position: bigint, take: number) {
  const { spaceId, environment } = scope
  return db.query<Pick<EventRow, 'position' | 'id' | 'type'>>(sql`
    select position, id, type from events
    where space_id = ${spaceId} and environment = ${environment} and position > ${position}
    order by position
    limit ${take}`)
}

/** Returns the events at these positions, in order. */
export function selectEventsAt(db: Reader, scope: Scope, positions: bigint[]) {
  const { spaceId, environment } = scope
  const events = sql`
        select event.* from unnest(${bigints(positions)}::bigint[]) as requested (position) cross join lateral (
          select * from events
          where space_id = ${spaceId} and environment = ${environment} and position = requested.position offset 0
        ) event`
  return db.query<EventRow>(withFacts(scope, events))
}

export function shareEvents(db: Database) {
  const event = sql`
    select * from events
    where space_id = requested.space_id and environment = requested.environment and id = requested.id`
  const scope = { spaceId: sql`requested.space_id`, environment: sql`requested.environment` }
  return shareReads<EventRow>(db, withFacts(scope, event))
}

/**
 * Returns SQL that selects the first `take` events. The inner limit is a literal, so that the planner expects
 * few rows and caches one plan. Planning each execution for all partitions would take ten times as long as
 * reading the rows.
 */
function firstRows(take: number, events: Sql): Sql {
  assert(take <= 101, 'take exceeds the literal limit')
  return sql`select * from (${events} limit 101) bounded limit ${take}`
}

/** Returns SQL that joins events with their facts. Each fact is looked up separately by its key. */
const withFacts = (
  { spaceId, environment }: Scope | { spaceId: Sql; environment: Sql },
  events: Sql,
  direction = sql`asc`,
): Sql => sql`
  select event.position, event.sequence, event.id, event.type, event.object_id, event.at,
    case when event.object_id = fact.object_id then fact.callback_state end as callback_state,
    case when event.object_id = fact.object_id then fact.data end as data
  from (${events}) event cross join lateral (
    select object_id, callback_state, data from event_facts
    where space_id = ${spaceId} and environment = ${environment} and id = event.fact_id
      and number = event.fact_number offset 0
  ) fact
  order by event.position ${direction}`

/** Returns the position of the newest event, or 0 if there are none. */
export const selectLastPosition = async (db: Reader, { spaceId, environment }: Scope): Promise<bigint> =>
  (
    await db.one<{ position: bigint }>(sql`
      select position from events where space_id = ${spaceId} and environment = ${environment}
      order by position desc limit 1`)
  )?.position ?? 0n

/**
 * Returns whether an object has events or has just been created. The first fact of an object has the same time
 * as the object's id.
 */
export const hasEvents = async (db: Reader, { spaceId, environment }: Scope, objectId: string) =>
  (await db.one(sql`
    select 1 from events
    where space_id = ${spaceId} and environment = ${environment} and object_id = ${objectId}
    union all
    select 1 from event_facts
    where space_id = ${spaceId} and environment = ${environment} and object_id = ${objectId}
      and id between id_moment_start(${objectId}) and id_moment_end(${objectId})
    limit 1`)) !== undefined
