import { boolean } from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { bySpace, selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import type { Scope } from '../../platform/scope.ts'
import { markRules } from '../../tenants/spaces/chained-changes.ts'

/** The refund settings of a Space. */
const policies = table('refund_policies', [], {
  /** True if refunds are queued, instead of refused, when the balance is insufficient. */
  queuesWhenShort: boolean,
  /** True if the payment's fee is returned to the merchant with the refund. */
  returnsPaymentFee: boolean,
})
export type RefundPolicy = RowOf<typeof policies>

const defaultPolicy: RefundPolicy = { queuesWhenShort: false, returnsPaymentFee: false }

/** Returns the policies of Spaces, in the given order. */
export async function findPolicies(db: Reader, ofSpaces: Scoped<unknown>[]): Promise<RefundPolicy[]> {
  const rows = await selectEach(db, bySpace(ofSpaces), policies.requested)
  const bySpaceName = new Map(rows.map(({ scope, ...policy }) => [globalName(scope, ''), policy]))
  return ofSpaces.map(({ scope }) => bySpaceName.get(globalName(scope, '')) ?? defaultPolicy)
}

const upsert = policies.upsert('queuesWhenShort', 'returnsPaymentFee')

/** Changes the given fields of a Space's refund policy. */
export async function setPolicy(tx: Tx, scope: Scope, change: Partial<RefundPolicy>): Promise<void> {
  await markRules(tx, scope, 'refund_policies')
  const [present = defaultPolicy] = await findPolicies(tx, [{ scope }])
  await tx.run(upsert([{ ...present, ...change, scope }]))
}
