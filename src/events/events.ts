import assert from 'node:assert/strict'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { newId } from '../platform/ids.ts'
import type { Scope } from '../platform/scope.ts'
import { type FactRow, insertFacts } from './fact-store.ts'
import { type EventType, isDefined } from './types.ts'

export type { EventType } from './types.ts'

/** Something that happened to one object. */
export type NewEvent = {
  /** Usually one; an object that is made and ends in the same moment is told of under both. */
  types: readonly [EventType, ...EventType[]]
  /** The inner id. */
  objectId: string
  /** The resource exactly as GET shows it at this moment. */
  data: object
  callbackState?: string | null
  at: Date
}

/** The data of the event that a row names by its `event_id`, for as long as it is kept. */
export const eventData = sql`event_data(space_id, environment, event_id)`

/** Where the sequencer hears of new facts. */
export const factsChannel = 'facts'

/** Writes events in the transaction of the fact: there is never one without the other. */
export const publish = (tx: Tx, scope: Scope, ...events: NewEvent[]): void =>
  publishEach(
    tx,
    events.map((event) => ({ ...event, scope })),
  )

/** The same for events of whatever Spaces. */
export function publishEach(tx: Tx, events: Scoped<NewEvent>[]): void {
  const rows = events.map(({ data, ...event }) =>
    rowOf({ ...event, id: newId(event.at), json: JSON.stringify(data) }),
  )
  gather(tx, rows)
}

/** An event whose data is JSON already. With `posting`, the lines of that reference are told before it. */
export type JsonEvent = Omit<NewEvent, 'data'> & { id: string; json: string; posting?: string }

/**
 * The part of a larger statement that does what `publishEach` does. Once that has committed, `factsChannel` is to be woken.
 */
export const publishing = (events: Scoped<JsonEvent>[]): Sql => insertFacts(events.map(rowOf))

/**
 * Tells of the lines of postings by their references, as `financial_transaction.created` each: a line never changes,
 * so nothing of it is copied.
 */
export function publishPostings(tx: Tx, postings: Scoped<{ reference: string; at: Date }>[]): void {
  const rows = postings.map(({ scope, reference: posting, at }) => ({
    scope,
    id: newId(at),
    types: [],
    objectType: 'financial_transaction',
    objectId: null,
    posting,
    callbackState: null,
    data: null,
    at,
  }))
  gather(tx, rows)
}

function gather(tx: Tx, rows: FactRow[]): void {
  if (rows.length === 0) return
  tx.gather(writeFacts, rows)
  tx.wake(factsChannel)
}

/** In order of time; of one moment, lines come before what they belong to. */
const writeFacts = (rows: FactRow[]): Sql =>
  insertFacts(
    rows.toSorted((one, other) => one.at.getTime() - other.at.getTime() || lineFirst(one) - lineFirst(other)),
  )

const lineFirst = ({ posting }: FactRow) => (posting === null ? 1 : 0)

function rowOf({
  scope,
  id,
  types,
  objectId,
  json,
  posting,
  callbackState = null,
  at,
}: Scoped<JsonEvent>): FactRow {
  assert(types.every(isDefined), `no slice defines ${types.join(' and ')}`)
  return {
    scope,
    id,
    types: [...types],
    objectType: types[0].slice(0, types[0].indexOf('.')),
    objectId,
    posting: posting ?? null,
    callbackState,
    data: json,
    at,
  }
}
