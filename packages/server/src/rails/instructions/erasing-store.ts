import { uuids } from '../../platform/db/arrays.ts'
import type { Tx } from '../../platform/db/database.ts'
import { nothing, sql } from '../../platform/db/sql.ts'
import type { Scope } from '../../platform/scope.ts'
import { erased } from '../../tenants/retention/person.ts'

/**
 * Erases the accounts of instructions that have an outcome, together with those of their owners. With `hasMessages`,
 * their descriptions are messages to the payers, and are erased, too.
 */
export const eraseAccounts = (
  tx: Tx,
  { spaceId, environment }: Scope,
  ids: string[],
  { hasMessages = false } = {},
) =>
  tx.run(sql`
    update instructions set account = case when account is not null then ${erased} end, account_encrypted = null,
      account_last = null
      ${hasMessages ? sql`, description = ${erased}` : nothing}
    where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])`)
