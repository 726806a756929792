import { uuids } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { eraseAccounts } from '../../rails/instructions/erasing-store.ts'
import { erased, erasedMask } from '../../tenants/retention/person.ts'
import { markChanging } from '../../tenants/spaces/chained-changes.ts'
import { lockPayments, payments } from './store.ts'

/** Erases everything that identifies the payers of payments that have an outcome. */
export async function erasePayers(tx: Tx, scope: Scope, ids: string[]): Promise<void> {
  const { spaceId, environment } = scope
  const objects = ids.map((id) => ({ scope, id }))
  await lockPayments(tx, objects)
  await markChanging(tx, 'payment', payments.table, objects)
  await tx.run(sql`
    update payments set
      payer_account = case when payer_account is not null then ${erased} end,
      payer_account_encrypted = null, payer_account_last = null,
      payer_mask = case when payer_mask is not null then ${erasedMask} end,
      payer_fingerprint = case when payer_fingerprint is not null then ${erased} end,
      card_scheme = null, card_last4 = null
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
  await eraseAccounts(tx, scope, ids)
}

/** Erases references that payers typed, from all payments of the given sessions. */
export const eraseReferences = (tx: Tx, { spaceId, environment }: Scope, originIds: string[]) =>
  tx.run(sql`
    update payments set reference = null
    where space_id = ${spaceId} and environment = ${environment} and origin_id = any(${uuids(originIds)}::uuid[])
      and reference is not null`)
