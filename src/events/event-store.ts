import assert from 'node:assert/strict'
import { bigints } from '../platform/db/arrays.ts'
import { type Stretch, walkBounded } from '../platform/db/bounded-walk.ts'
import type { Database, Reader } from '../platform/db/database.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/route.ts'
import type { Scope } from '../platform/scope.ts'
import { shareReads } from '../platform/shared-reads.ts'

/** An event with what its fact tells. */
export type EventRow = {
  position: bigint
  sequence: bigint
  id: string
  type: string
  objectId: string
  at: Date
  callbackState: string | null
  /** JSON; null for the lines of a posting, which tell of themselves. */
  data: string | null
}

export type EventFilter = { type?: string; objectId?: string; since?: Date }

/** Newest first. `page.after` is a position. */
export async function selectEvents(
  db: Database,
  scope: Scope,
  { type, objectId, since }: EventFilter,
  page: Page,
): Promise<Stretch<EventRow>> {
  const { spaceId, environment } = scope
  const ofType = type === undefined ? undefined : sql`type = ${type}`
  const ofObject = objectId === undefined ? undefined : sql`object_id = ${objectId}`
  // Each has an index; of one object are usually few, and the type is held against them.
  const leading = ofObject ?? ofType
  // Walks down the index of the filter; a time leads to the position where the walk may end.
  const ordered = sql`
    select * from events
    where space_id = ${spaceId} and environment = ${environment}
      ${leading ? sql`and ${leading}` : nothing}
      ${since === undefined ? nothing : sql`and at >= ${since} and position >= (select events_floor(${spaceId}, ${environment}, ${since}))`}
      ${page.after === undefined ? nothing : sql`and position < ${page.after}`}`
  const position = sql`position`
  const shown = (events: Sql) => withFacts(scope, events, sql`desc`)
  if (ofObject && ofType)
    return walkBounded(db, {
      ordered,
      column: position,
      cursor: position,
      fit: ofType,
      take: page.take,
      shown,
    })
  const newest = firstOf(page.take, sql`${ordered} order by position desc`)
  return { rows: await db.query<EventRow>(shown(newest)), stoppedAt: undefined }
}

/** In their order, from after `position` on. */
export const selectEventsAfter = (
  db: Reader,
  { spaceId, environment }: Scope,
  position: bigint,
  take: number,
): Promise<EventRow[]> =>
  db.query<EventRow>(
    withFacts(
      { spaceId, environment },
      firstOf(
        take,
        sql`
        select * from events
        where space_id = ${spaceId} and environment = ${environment} and position > ${position}
        order by position`,
      ),
      sql`asc`,
    ),
  )

/** Those at these positions, in order. */
export const selectEventsAt = (
  db: Reader,
  { spaceId, environment }: Scope,
  positions: bigint[],
): Promise<EventRow[]> =>
  db.query<EventRow>(
    withFacts(
      { spaceId, environment },
      sql`
        select event.* from unnest(${bigints(positions)}::bigint[]) as requested (position) cross join lateral (
          select * from events
          where space_id = ${spaceId} and environment = ${environment} and position = requested.position offset 0
        ) event`,
      sql`asc`,
    ),
  )

export const selectEvent = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<EventRow>(
    withFacts(
      { spaceId, environment },
      sql`select * from events where space_id = ${spaceId} and environment = ${environment} and id = ${id}`,
      sql`asc`,
    ),
  )

export const shareEvents = (db: Database) =>
  shareReads<EventRow>(
    db,
    withFacts(
      { spaceId: sql`requested.space_id`, environment: sql`requested.environment` },
      sql`
        select * from events
        where space_id = requested.space_id and environment = requested.environment and id = requested.id`,
      sql`asc`,
    ),
  )

/**
 * The bound inside is no parameter, so that the planner sees without values that few rows are taken: it keeps one plan,
 * where planning anew, for every partition, takes ten times as long as reading.
 */
function firstOf(take: number, events: Sql): Sql {
  assert(take <= 101, 'the bound would cut this off')
  return sql`select * from (${events} limit 101) bounded limit ${take}`
}

/** Events with their facts, found one by one along the key. */
const withFacts = (
  { spaceId, environment }: Scope | { spaceId: Sql; environment: Sql },
  events: Sql,
  direction: Sql,
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

/** Where the newest event stands; 0 when there is none. */
export const selectLastPosition = async (db: Reader, { spaceId, environment }: Scope): Promise<bigint> =>
  (
    await db.one<{ position: bigint }>(sql`
      select position from events where space_id = ${spaceId} and environment = ${environment}
      order by position desc limit 1`)
  )?.position ?? 0n

/** Whether events tell of this object. */
export const isTold = async (db: Reader, { spaceId, environment }: Scope, objectId: string) =>
  (await db.one(sql`
    select 1 from events
    where space_id = ${spaceId} and environment = ${environment} and object_id = ${objectId} limit 1`)) !==
  undefined
