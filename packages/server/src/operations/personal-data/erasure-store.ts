import { bytea, jsonb, orNull, text, textOf, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { equals, type FilterOf, selectFiltered } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { KeptRecords, TypeCount } from './records.ts'
import type { ErasureStatus } from './states.ts'

const erasures = table('personal_data_erasures', ['id'], {
  id: uuid,
  status: textOf<ErasureStatus>(),
  /** Encrypted; null once nothing is left to be erased. */
  person: orNull(bytea),
  personHash: text,
  personMask: text,
  reason: text,
  /** What could be erased when the erasure was requested. */
  erasable: jsonb<TypeCount[]>(),
  erased: jsonb<TypeCount[]>(),
  kept: jsonb<KeptRecords[]>(),
  /** The type of objects that is being erased, and the key of the last object that was handled. */
  type: orNull(text),
  erasedTo: orNull(text),
  /** When the objects that are kept are tried again. */
  nextAt: orNull(time),
  createdBy: text,
  createdAt: time,
  confirmedBy: orNull(text),
  confirmedAt: orNull(time),
  updatedAt: time,
})
export type Erasure = RowOf<typeof erasures>

export const shareErasures = (db: Database) => shareReads(db, erasures.requested)

export const selectErasurePage = (
  db: Database,
  scope: Scope,
  { status }: FilterOf<Erasure, 'status'>,
  page: Page,
) => selectFiltered(db, erasures, scope, page, [equals(sql`status`, sql`text`, status)])

export const insertErasure = (tx: Tx, scope: Scope, made: Erasure) =>
  tx.run(erasures.insert([{ ...made, scope }]))

export const lockErasure = (tx: Tx, scope: Scope, id: string) =>
  tx.one(sql`${erasures.of(scope)} and id = ${id} for update`)

/** Returns the erasures that wait until they may erase more. */
export const selectWaitingErasures = (db: Reader, scope: Scope) =>
  db.query(sql`${erasures.of(scope)} and status = 'waiting'`)

const update = erasures.update(
  'status',
  'person',
  'erased',
  'kept',
  'type',
  'erasedTo',
  'nextAt',
  'confirmedBy',
  'confirmedAt',
  'updatedAt',
)
export const writeErasure = (tx: Tx, scope: Scope, erasure: Erasure) =>
  tx.run(update([{ ...erasure, scope }]))
