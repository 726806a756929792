import { type Sql, sql } from '../../platform/db/sql.ts'
import type { OwnerRef } from '../../tenants/spaces/ownership.ts'

/**
 * A type of object that has clearing lines and that a statement may refer to. `type` is its type as an owner of
 * postings, and `table` contains the objects.
 */
export type ReconciledType = {
  type: OwnerRef['type']
  table: Sql
  /** SQL for the order number of the row `object`. */
  orderNumber: Sql
}

/** Uses `union all` to combine the rows that `select` returns for each type of object. */
export const unionOfTypes = (objects: ReconciledType[], select: (object: ReconciledType) => Sql): Sql =>
  objects.map(select).reduce((one, other) => sql`${one} union all ${other}`)
