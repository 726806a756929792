import { type Sql, sql } from '../platform/db/sql.ts'
import type { OwnerRef } from '../spaces/ownership.ts'

/**
 * A type of object that has clearing lines and may be named in a statement: its type as in `owners`, and its
 * table.
 */
export type ReconciledType = {
  type: OwnerRef['type']
  table: Sql
  /** The order number of row `object`. */
  orderNumber: Sql
}

/** Combines the rows that `select` returns for each type of object. */
export const unionOfTypes = (objects: ReconciledType[], select: (object: ReconciledType) => Sql): Sql =>
  objects.map(select).reduce((one, other) => sql`${one} union all ${other}`)
