import { bigint, orNull, text, textArray, time, uuid } from '../platform/db/columns.ts'
import type { Tx } from '../platform/db/database.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'
import { newId } from '../platform/ids.ts'
import type { Scope } from '../platform/scope.ts'
import type { EventType } from './types.ts'

export type { EventType } from './types.ts'

/** Something that happened to one object. */
export type NewEvent = {
  /**
   * Usually contains one type. If an object is created and completed at the same time, the list contains a type
   * for each of these changes.
   */
  types: readonly [EventType, ...EventType[]]
  /** The internal id of the object. */
  objectId: string
  /** The resource exactly as GET returns it at the time of the event. */
  data: object
  callbackState?: string | null
  at: Date
}

/**
 * An event whose data is already JSON. If `posting` is set, the events of that posting's lines come before this
 * one.
 */
export type JsonEvent = Omit<NewEvent, 'data'> & { id: string; json: string; posting?: string | null }

/**
 * The table of facts. Each fact records either a change to one object, with one or more event types, or the
 * lines of a posting.
 */
const facts = table(
  'event_facts',
  ['id', 'number'],
  {
    id: uuid,
    number: bigint,
    types: textArray,
    objectType: text,
    objectId: orNull(uuid),
    posting: orNull(text),
    callbackState: orNull(text),
    /** The resource as JSON; null for the lines of a posting. */
    data: orNull(text),
    at: time,
  },
  { xid: { type: 'xid8', isNullable: false } },
)
const newFacts = facts.without('number')
type NewFact = Scoped<RowOf<typeof newFacts>>

/**
 * SQL for the data of the event that the column `event_id` refers to. The data is available until the retention
 * period ends.
 */
export const eventData = sql`event_data(space_id, environment, event_id)`

/** The channel that wakes the sequencer when there are new facts. */
export const factsChannel = 'facts'

/**
 * Records facts in the transaction that makes the change, so that the facts and the change are committed
 * together.
 */
export const publish = (tx: Tx, scope: Scope, ...events: NewEvent[]): void =>
  publishEach(
    tx,
    events.map((event) => ({ ...event, scope })),
  )

/** Like `publish`, for events of several Spaces. */
export const publishEach = (tx: Tx, events: Scoped<NewEvent>[]): void =>
  record(
    tx,
    events.map(({ data, ...event }) => factOf({ ...event, id: newId(event.at), json: JSON.stringify(data) })),
  )

/**
 * Like `publishEach`, but returns a part of a larger statement. The caller must notify `factsChannel` after the
 * commit.
 */
export const publishing = (events: Scoped<JsonEvent>[]): Sql => insertFacts(events.map(factOf))

/**
 * Publishes a `financial_transaction.created` event for each line of these postings. Lines never change, so
 * their data is not copied.
 */
export const publishPostings = (
  tx: Tx,
  postings: Scoped<{ reference: string; factId: string; at: Date }>[],
): void =>
  record(
    tx,
    postings.map(({ scope, reference: posting, factId: id, at }) => ({ ...ofLines, scope, id, posting, at })),
  )

const ofLines = {
  types: [],
  objectType: 'financial_transaction',
  objectId: null,
  callbackState: null,
  data: null,
}

function record(tx: Tx, rows: NewFact[]): void {
  if (rows.length === 0) return
  tx.gather(insertInOrder, rows)
  tx.wake(factsChannel)
}

/**
 * Returns a statement that inserts facts in the order of their times. If times are equal, lines precede the
 * object that they belong to.
 */
const insertInOrder = (rows: NewFact[]): Sql =>
  insertFacts(
    rows.toSorted((one, other) => one.at.getTime() - other.at.getTime() || lineFirst(one) - lineFirst(other)),
  )

const lineFirst = ({ posting }: NewFact) => (posting === null ? 1 : 0)

const insertFacts = (rows: NewFact[]): Sql => sql`${newFacts.insert(rows)} returning 1`

function factOf({ json, types, posting = null, callbackState = null, ...event }: Scoped<JsonEvent>): NewFact {
  const objectType = types[0].slice(0, types[0].indexOf('.'))
  return { ...event, types: [...types], objectType, posting, callbackState, data: json }
}
