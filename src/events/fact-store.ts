import { bigint, orNull, text, textArray, time, uuid } from '../platform/db/columns.ts'
import type { Scoped } from '../platform/db/scoped.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { type RowOf, table } from '../platform/db/table.ts'

/** What to tell of one object, under one or more types, and of the lines of a posting. */
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
    /** JSON. */
    data: orNull(text),
    at: time,
  },
  { xid: { type: 'xid8', isNullable: false } },
)
const numberless = facts.without('number')
export type FactRow = Scoped<RowOf<typeof numberless>>

/** A statement, or part of a larger one. */
export const insertFacts = (rows: FactRow[]): Sql => sql`${numberless.insert(rows)} returning 1`
