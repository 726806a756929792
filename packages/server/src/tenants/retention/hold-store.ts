import { orNull, text, time, uuid } from '../../platform/db/columns.ts'
import type { Database, Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Page } from '../../platform/http/commands/route.ts'
import { inPage } from '../../platform/http/lists/filters.ts'
import type { Scope } from '../../platform/scope.ts'
import { shareReads } from '../../platform/shared-reads.ts'

/** A legal hold on the personal data of one person, or of everybody in a Space and environment. */
const holds = table('legal_holds', ['id'], {
  id: uuid,
  /** Null if the hold applies to everybody. */
  personHash: orNull(text),
  personMask: orNull(text),
  reason: text,
  placedBy: text,
  createdAt: time,
  /** Null if the hold applies until it is lifted. */
  endsAt: orNull(time),
  liftedBy: orNull(text),
  liftedAt: orNull(time),
  liftingReason: orNull(text),
})
export type LegalHold = RowOf<typeof holds>

export const shareHolds = (db: Database) => shareReads(db, holds.requested)

export const selectHoldPage = (db: Reader, scope: Scope, page: Page) =>
  db.query(sql`${holds.of(scope)} ${inPage(page)} order by id desc limit ${page.take}`)

/** Returns the holds of a Space and environment that apply at a time. */
export const selectOpenHolds = (db: Reader, scope: Scope, now: Date) =>
  db.query(sql`${holds.of(scope)} and lifted_at is null and (ends_at is null or ends_at > ${now})`)

/**
 * Returns whether personal data in a Space and environment must not be deleted now, because of a hold on a
 * person or on everybody.
 */
export const hasLegalHold = async (db: Reader, scope: Scope, now: Date): Promise<boolean> =>
  (await selectOpenHolds(db, scope, now)).length > 0

export const insertHold = (tx: Tx, scope: Scope, hold: LegalHold) =>
  tx.run(holds.insert([{ ...hold, scope }]))

export const lockHold = (tx: Tx, scope: Scope, id: string) =>
  tx.one(sql`${holds.of(scope)} and id = ${id} for update`)

const update = holds.update('liftedBy', 'liftedAt', 'liftingReason')
export const writeLifted = (tx: Tx, scope: Scope, hold: LegalHold) => tx.run(update([{ ...hold, scope }]))
