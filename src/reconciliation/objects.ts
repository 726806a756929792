import { type Sql, sql } from '../platform/db/sql.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

/** What clearing is about, and a statement may name: its type as owners name it, and its table. */
export type Reconciled = {
  type: OwnerRef['type']
  table: Sql
  /** Of its row `object`. */
  orderNumber: Sql
}

/** Of each kind of object the rows that `select` selects. */
export const ofEach = (objects: Reconciled[], select: (object: Reconciled) => Sql): Sql =>
  objects.map(select).reduce((one, other) => sql`${one} union all ${other}`)
