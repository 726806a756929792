import { bytea, jsonb, orNull, text, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { realNow } from '../../platform/db/real-time.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'
import type { FoundRecords } from './records.ts'

/** A request for everything that is stored about a person. The data itself is read when it is downloaded. */
const exports = table('personal_data_exports', ['id'], {
  id: uuid,
  /** Encrypted; null once the export has expired. */
  person: orNull(bytea),
  personHash: text,
  personMask: text,
  reason: text,
  found: jsonb<FoundRecords[]>(),
  createdBy: text,
  createdAt: time,
  expiresAt: time,
})
export type DataExport = RowOf<typeof exports>

export const shareExports = (db: Database) => shareReads(db, exports.requested)

export const selectExportPage = (db: Reader, scope: Scope, page: Page) =>
  db.query(sql`${exports.of(scope)} ${inPage(page)} order by id desc limit ${page.take}`)

export const insertExport = (tx: Tx, scope: Scope, made: DataExport) =>
  tx.run(exports.insert([{ ...made, scope }]))

/** Forgets whom expired exports are about. */
export const forgetPersons = (tx: Tx) =>
  // every space: run daily for all of them
  tx.run(
    sql`update personal_data_exports set person = null where expires_at <= ${realNow} and person is not null`,
  )
