import type { Check } from '../platform/db/check.ts'
import { nothing, Sql, sql } from '../platform/db/sql.ts'
import { rowsOf } from '../spaces/since.ts'
import { waitsToBeChained } from './chain-checks.ts'

/** A table whose rows are sealed: `terms` when they are made, `outcome` when they have ended (null before). */
type Sealed = { type: string; name: string; table: Sql; terms: Sql; outcome: Sql; isSealed?: Sql }

/** By the functions of the type's name. */
const sealed = (type: string, table: Sql, more: Partial<Sealed> = {}): Sealed => ({
  type,
  name: type.replaceAll('_', ' '),
  table,
  terms: new Sql(`${type}_terms(object)`, []),
  outcome: new Sql(`${type}_outcome(object)`, []),
  ...more,
})

const allSealed = [
  sealed('payment', sql`payments`),
  sealed('payout', sql`payouts`),
  sealed('refund', sql`refunds`),
  sealed('recall', sql`recalls`),
  sealed('internal_transfer', sql`internal_transfers`, {
    name: 'internal transfer that was planned, or failed,',
    isSealed: sql`and (object.status <> 'completed' or object.execute_at is not null)`,
  }),
  sealed('order', sql`orders`, { outcome: sql`null::text` }),
  sealed('checkout_session', sql`checkout_sessions`),
  sealed('payment_code', sql`payment_codes`),
  sealed('ussd_otp', sql`ussd_otps`, { name: 'USSD OTP' }),
]

const unaltered = ({ name, table, terms, outcome, isSealed = nothing }: Sealed): Check => ({
  name: `every ${name} says what it said when it was made, and when it ended`,
  about: rowsOf(table),
  differences: (rows) => sql`
    select walked.space_id, walked.environment, walked.id, seal.terms is null as is_not_sealed,
      seal.terms <> now.terms as has_other_terms, seal.outcome is distinct from now.outcome as has_other_outcome
    from ${rows} walked
    cross join lateral (
      select digest_of(${terms}) as terms, digest_of(${outcome}) as outcome from ${table} object
      where object.space_id = walked.space_id and object.environment = walked.environment and object.id = walked.id
        ${isSealed}
      offset 0
    ) now
    left join lateral (
      select seal.terms, seal.outcome from book_seals seal
      where seal.space_id = walked.space_id and seal.environment = walked.environment
        and seal.object_id = walked.id offset 0
    ) seal on true
    where seal.terms <> now.terms or seal.outcome <> now.outcome or (seal.outcome is not null and now.outcome is null)
      or ((seal.terms is null or (seal.outcome is null and now.outcome is not null))
        and not ${waitsToBeChained(sql`walked`)})`,
})

const exists = ({ type, table }: Sealed): Sql => sql`
  when ${type} then exists (
    select 1 from ${table} object
    where object.space_id = seal.space_id and object.environment = seal.environment and object.id = seal.object_id)`

const stillThere: Check = {
  name: 'every object that was sealed is there',
  about: rowsOf(sql`book_seals`, sql`object_id`),
  differences: (rows) => sql`
    select seal.space_id, seal.environment, seal.object_id, seal.object_type
    from ${rows} seal
    where not case seal.object_type ${allSealed.map(exists).reduce((one, other) => sql`${one} ${other}`)} else false end`,
}

/** That objects are what they were, and are there. Who may change them, and what of them, is not in here. */
export const sealChecks: Check[] = [...allSealed.map(unaltered), stillThere]
