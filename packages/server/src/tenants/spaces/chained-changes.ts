import type { Tx } from '../../platform/db/database.ts'
import { byId } from '../../platform/db/lookups.ts'
import type { Scoped } from '../../platform/db/scoped.ts'
import { Sql, sql } from '../../platform/db/sql.ts'
import { outsideSpaces } from '../../platform/jobs/queue.ts'
import type { Environment, Scope } from '../../platform/scope.ts'
import { unchainedChannel } from './audit.ts'

// The books seal the contents of objects. A changed object is sealed again only if the change was marked in the
// same transaction before it was written, and only if the object's contents matched its seal until then. An
// edit made directly in the database is therefore still detected.

/**
 * Id of the chain for records that belong to no Space: statements, sign-offs by finance, and unallocated bill
 * payments.
 */
export const installationId = outsideSpaces.spaceId
export const installationScope = (environment: Environment): Scope => ({
  spaceId: installationId,
  environment,
})

/** Marks locked rows as about to change. The database function `<type>_seal` computes their seals. */
export async function markChanging(
  tx: Tx,
  type: string,
  table: Sql,
  objects: readonly Scoped<{ id: string }>[],
): Promise<void> {
  if (objects.length === 0) return
  await markSealed(
    tx,
    sql`(
      select requested.space_id, requested.environment, requested.id, seal.terms, seal.outcome
      from ${byId(objects)} cross join lateral (
        select * from ${table} object
        where object.space_id = requested.space_id and object.environment = requested.environment
          and object.id = requested.id
        offset 0
      ) object
      cross join lateral ${new Sql(`${type}_seal(object)`, [])} seal)`,
  )
}

/** Marks objects as about to change. `rows` contains the chain, the id and the seals of each object. */
export async function markSealed(tx: Tx, rows: Sql): Promise<void> {
  await tx.run(sql`
    insert into unchained (space_id, environment, object_id, terms, outcome)
    select space_id, environment, id, terms, outcome from ${rows} sealed`)
  tx.wake(unchainedChannel)
}

/** Kinds of rules. Those of a Space in an environment are sealed as a whole, by `<kind>_terms`. */
export type SealedRules =
  | 'fee_rules'
  | 'payout_approvals_above'
  | 'refund_approvals_above'
  | 'refund_policies'

/** Marks the rules of a Space as about to change. Other changes to these rules wait until this transaction ends. */
export async function markRules(tx: Tx, { spaceId, environment }: Scope, rules: SealedRules): Promise<void> {
  await tx.query(sql`select mark_rules(${spaceId}, ${environment}, ${rules})`)
  tx.wake(unchainedChannel)
}
