import assert from 'node:assert/strict'
import { bigints } from '../platform/db/arrays.ts'
import { maxWalkedRows, type Stretch, walkBounded } from '../platform/db/bounded-walk.ts'
import type { Database, Reader } from '../platform/db/database.ts'
import { allOf, nothing, type Sql, sql } from '../platform/db/sql.ts'
import type { Page } from '../platform/http/commands/route.ts'
import { readObjectId, resourceOf } from '../platform/resources.ts'
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

/** An object that events are about, with the kind of its id. */
export type EventObject = NonNullable<ReturnType<typeof readObjectId>>

export type EventFilter = { q?: string | undefined; type?: string; object?: EventObject; since?: Date }

/** Live clocks never go back, but events are ordered by commit, so their times may be slightly out of order. */
const maxDisorderMs = 5 * 60_000 // how much earlier than its predecessor an event can be and still be found by its time

/** Returns events, newest first. `page.after` is a position. */
export async function selectEvents(
  db: Database,
  scope: Scope,
  { q, type, object: wanted, since }: EventFilter,
  { after, take, from, to }: Page,
): Promise<Stretch<EventRow>> {
  const { spaceId, environment } = scope
  const named = q === undefined ? undefined : readObjectId(q)
  const [object = wanted, event] = named?.ids === eventIds ? [undefined, named.id] : [named, undefined]
  const namesNothing = (q !== undefined && !named) || (wanted && object?.id !== wanted.id)
  if (namesNothing) return { rows: [], stoppedAt: undefined }

  const begin = [since, from].reduce((one, other) => (one && other && one > other ? one : (other ?? one)))
  const floor = (at: Date) => sql`(select events_floor(${spaceId}, ${environment}, ${at}))`
  const inPage = sql`
    ${begin === undefined ? nothing : sql`and position >= ${floor(begin)}`}
    ${to && environment === 'live' ? sql`and position < ${floor(new Date(to.getTime() + maxDisorderMs))}` : nothing}
    ${after === undefined ? nothing : sql`and position < ${after}`}`
  // There is one index for filtering by object and another for filtering by type. If both filters are used, the
  // object's facts, which are usually few, are read with the first index and then filtered by type.
  const ofOne = event ? factOfEvent(scope, event) : object && factsOfObject(scope, object)
  const facts = (limit: Sql) => {
    if (ofOne) return sql`select * from (${ofOne}) one where true ${inPage}`
    if (type !== undefined) return factsOfType(scope, type, inPage, limit)
    return sql`select * from sequenced_facts where space_id = ${spaceId} and environment = ${environment} ${inPage}`
  }
  const isIn = allOf([
    ...(begin ? [sql`at >= ${begin}`] : []),
    ...(to ? [sql`at < ${to}`] : []),
    ...(ofOne && type !== undefined
      ? [sql`kind in (select kind from fact_kinds where ${hasType(type)})`]
      : []),
  ])
  // A page may begin and end between two events of a fact.
  const isShown = allOf([
    ...(after === undefined ? [] : [sql`position < ${after}`]),
    ...(type === undefined ? [] : [sql`type = ${type}`]),
    ...(object ? [sql`object_id = ${object.id}`] : []),
    ...(event ? [sql`id = ${event}`] : []),
  ])
  const shown = (rows: Sql) => sql`
    select * from (${eventsOf(rows)}) event where ${isShown} order by position desc limit ${take + 1}`
  // With two bounds, the planner expects a single fact, and would otherwise sort all facts between them.
  if ((type !== undefined && object) || event || begin || to) {
    // One fact more, because all matching events of the first one may be on the previous page.
    const { rows, stoppedAt } = await walkBounded<EventRow>(db, {
      ordered: facts(sql`${maxWalkedRows}`),
      column: sql`position`,
      cursor: sql`position`,
      fit: isIn,
      take: take + 1,
      shown,
    })
    return { rows: rows.slice(0, take), stoppedAt }
  }
  const newest = firstFacts(take, sql`${facts(enoughFacts)} order by position desc`)
  return { rows: (await db.query<EventRow>(shown(newest))).slice(0, take), stoppedAt: undefined }
}

/** Returns the events after `position`, oldest first. */
export function selectEventsAfter(db: Reader, scope: Scope, position: bigint, take: number) {
  return db.query<EventRow>(sql`
    select * from (${eventsOf(factsAfter(scope, position, take))}) event
    where position > ${position} order by position limit ${take}`)
}

/** Returns the types of the events after `position`, oldest first, without their data. */
export function selectTypesAfter(db: Reader, scope: Scope, position: bigint, take: number) {
  return db.query<Pick<EventRow, 'position' | 'id' | 'type'>>(sql`
    select position, id, type from (${eventsOf(factsAfter(scope, position, take))}) event
    where position > ${position} order by position limit ${take}`)
}

/** Returns SQL for the fact that contains the event after `position`, and for those that follow it. */
const factsAfter = ({ spaceId, environment }: Scope, position: bigint, take: number): Sql =>
  firstFacts(
    take,
    sql`
      select * from sequenced_facts
      where space_id = ${spaceId} and environment = ${environment}
        and position > ${position} - max_events_of_fact() and position + count - 1 > ${position}
      order by position`,
  )

/** Returns the events at these positions, in order. `nth` counts the events of a fact from 0. */
export function selectEventsAt(
  db: Reader,
  { spaceId, environment }: Scope,
  places: { position: bigint; nth: number }[],
) {
  const positions = sql`${bigints(places.map(({ position }) => position))}::bigint[]`
  const starts = sql`${bigints(places.map(({ position, nth }) => position - BigInt(nth)))}::bigint[]`
  const facts = sql`
    select fact.* from (select distinct unnest(${starts}) as start) requested
    cross join lateral (
      select * from sequenced_facts
      where space_id = ${spaceId} and environment = ${environment} and position = requested.start offset 0) fact`
  return db.query<EventRow>(
    sql`select * from (${eventsOf(facts)}) event where position = any(${positions}) order by position`,
  )
}

export function shareEvents(db: Database) {
  const scope = { spaceId: sql`requested.space_id`, environment: sql`requested.environment` }
  return shareReads<EventRow>(
    db,
    sql`select * from (${eventsOf(factOfEvent(scope, sql`requested.id`))}) event where id = requested.id`,
  )
}

/** Returns SQL for the newest \`limit\` events about an object other than a line. */
export function selectNewestEvents({ spaceId, environment }: Scope, objectId: string, limit: number): Sql {
  const facts = sql`
    select * from sequenced_facts
    where space_id = ${spaceId} and environment = ${environment} and object_id = ${objectId}
    order by position desc limit ${limit}`
  return sql`
    select id, type, position, at from (${eventsOf(facts)}) event where object_id = ${objectId}
    order by position desc limit ${limit}`
}

/** Returns SQL for all events of the facts that `facts` selects from `sequenced_facts`, as `EventRow`s. */
const eventsOf = (facts: Sql): Sql => sql`
  select fact.position + nth as position, fact.sequence + nth as sequence, event.id, event.type, event.object_id,
    fact.at, event.callback_state, event.data
  from (${facts}) fact
  cross join lateral fact_events(fact.space_id, fact.environment, fact.fact_number, fact.line_ids) event`

/** Returns SQL for the fact of an event. The ids of a fact's events differ in the last byte only. */
const factOfEvent = (
  { spaceId, environment }: Scope | { spaceId: Sql; environment: Sql },
  id: string | Sql,
): Sql => sql`
  select sequenced.* from event_facts fact
  cross join lateral sequenced_fact(fact.space_id, fact.environment, fact.number) sequenced
  where fact.space_id = ${spaceId} and fact.environment = ${environment}
    and fact.id between (left(${id}::uuid::text, 34) || '00')::uuid and (left(${id}::uuid::text, 34) || 'ff')::uuid`

/**
 * Returns SQL for the facts with events about an object. A line has one, which was recorded with it and therefore
 * has the same time in its id.
 */
const factsOfObject = ({ spaceId, environment }: Scope, { ids, id }: EventObject): Sql =>
  ids === resourceOf('financial_transaction').ids
    ? sql`
      select sequenced.* from event_facts fact
      cross join lateral sequenced_fact(fact.space_id, fact.environment, fact.number) sequenced
      where fact.space_id = ${spaceId} and fact.environment = ${environment}
        and fact.id between id_moment_start(${id}) and id_moment_end(${id}) and ${id} = any(line_ids)`
    : sql`
      select * from sequenced_facts
      where space_id = ${spaceId} and environment = ${environment} and object_id = ${id}`

/** SQL for whether a kind of fact has events of a type. */
const hasType = (type: string): Sql =>
  sql`(${type} = any(types) or (has_lines and ${type} = 'financial_transaction.created'))`

/** Returns SQL for the newest facts with events of a type, `limit` of each kind. */
const factsOfType = ({ spaceId, environment }: Scope, type: string, inPage: Sql, limit: Sql): Sql => sql`
  select fact.* from fact_kinds cross join lateral (
    select * from sequenced_facts
    where space_id = ${spaceId} and environment = ${environment} and kind = fact_kinds.kind ${inPage}
    order by position desc limit ${limit}) fact
  where ${hasType(type)}`

/**
 * Literal limits make the planner expect few rows and cache one plan. Planning each execution for all partitions
 * would take ten times as long as reading the rows.
 */
const enoughFacts = sql`102`

/** Returns SQL for the first facts, which have at least `take` events even if the first ones are not wanted. */
function firstFacts(take: number, facts: Sql): Sql {
  assert(take <= 101, 'take exceeds the literal limit')
  return sql`select * from (${facts} limit ${enoughFacts}) bounded`
}

/** Returns the position of the newest event, or 0 if there are none. */
export const selectLastPosition = async (db: Reader, { spaceId, environment }: Scope): Promise<bigint> =>
  (
    await db.one<{ position: bigint }>(sql`
      select position + count - 1 as position from sequenced_facts
      where space_id = ${spaceId} and environment = ${environment}
      order by position desc limit 1`)
  )?.position ?? 0n

/**
 * Returns whether an object has events or has just been created. The first fact of an object has the same time
 * as the object's id.
 */
export const hasEvents = async (db: Reader, scope: Scope, object: EventObject) =>
  (await db.one(sql`
    select 1 from (${factsOfObject(scope, object)}) sequenced
    union all
    select 1 from event_facts
    where space_id = ${scope.spaceId} and environment = ${scope.environment} and object_id = ${object.id}
      and id between id_moment_start(${object.id}) and id_moment_end(${object.id})
    limit 1`)) !== undefined
