import { type Sql, sql } from '../platform/db/sql.ts'
import { equals, type Filter } from '../platform/http/filters.ts'
import { argumentRefusal } from '../platform/refusals.ts'
import type { Catalogue } from '../providers/catalogue.ts'
import type { MovedFilter } from './moved-shapes.ts'

/** Names that all such rows have: references, and the transaction of the rail. */
export const movedNames = (q: string): { few: Sql[]; many: Sql[] } => ({
  few: [sql`ledger_reference = ${q}`, ...(isUuid.test(q) ? [sql`rail_reference = ${q}`] : [])],
  many: [sql`rail_transaction = ${q}`],
})

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * In the order in which they lead: few rows are of one phone, and nearly all are completed.
 *
 * @param account whose account it is, and the condition that it is a phone, as the index of phones says it
 */
export function movedFiltersOf(
  { status, provider, amount, phoneNumber }: MovedFilter,
  { account, isPhone }: { account: Sql; isPhone: Sql },
  ...ofFinancialAccount: Filter[]
): Filter[] {
  const e164 = phoneNumber && `+${phoneNumber.replace(/^[+ ]/, '')}`
  const ofStatus = equals(sql`status`, sql`text`, status, { leadsTo: 'many' })
  const ofProvider = equals(sql`provider_id`, sql`text`, provider, { leadsTo: 'many' })
  return [
    equals(account, sql`text`, e164, { leadsTo: 'many', among: isPhone }),
    equals(sql`amount`, sql`bigint`, amount, { leadsTo: 'many' }),
    ...(status === 'completed'
      ? [...ofFinancialAccount, ofProvider, ofStatus]
      : [ofStatus, ...ofFinancialAccount, ofProvider]),
  ]
}

/** @throws Refusal when it names none, active or not */
export function judgeProvider(catalogue: Catalogue, { provider }: MovedFilter): void {
  if (provider !== undefined && !catalogue.find(provider))
    throw argumentRefusal('provider', 'names no provider')
}
