import { type Check, differencesTold, type Subject } from '../platform/db/check.ts'
import { nothing, type Sql, sql } from '../platform/db/sql.ts'
import { along } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'
import { since } from '../spaces/since.ts'
import { waitsToBeChained } from './chain-checks.ts'

/** A table whose rows are sealed: `terms` when they are made, `outcome` when they have ended (null before). */
type Sealed = { type: string; name: string; table: Sql; terms: Sql; outcome: Sql; isSealed?: Sql }

const allSealed: Sealed[] = [
  {
    type: 'payment',
    name: 'payment',
    table: sql`payments`,
    terms: sql`payment_terms(object)`,
    outcome: sql`payment_outcome(object)`,
  },
  {
    type: 'payout',
    name: 'payout',
    table: sql`payouts`,
    terms: sql`payout_terms(object)`,
    outcome: sql`payout_outcome(object)`,
  },
  {
    type: 'internal_transfer',
    name: 'internal transfer that was planned, or failed,',
    table: sql`internal_transfers`,
    terms: sql`internal_transfer_terms(object)`,
    outcome: sql`internal_transfer_outcome(object)`,
    isSealed: sql`and (object.status <> 'completed' or object.execute_at is not null)`,
  },
  {
    type: 'order',
    name: 'order',
    table: sql`orders`,
    terms: sql`order_terms(object)`,
    outcome: sql`null::text`,
  },
  {
    type: 'checkout_session',
    name: 'checkout session',
    table: sql`checkout_sessions`,
    terms: sql`checkout_session_terms(object)`,
    outcome: sql`checkout_session_outcome(object)`,
  },
  {
    type: 'payment_code',
    name: 'payment code',
    table: sql`payment_codes`,
    terms: sql`payment_code_terms(object)`,
    outcome: sql`payment_code_outcome(object)`,
  },
  {
    type: 'ussd_otp',
    name: 'USSD OTP',
    table: sql`ussd_otps`,
    terms: sql`ussd_otp_terms(object)`,
    outcome: sql`ussd_otp_outcome(object)`,
  },
]

const newest = (table: Sql, column = sql`id`): Subject => ({
  all: [along(table, sql`space_id, environment, ${column}`)],
  since: (at) => [since(table, column, sql`uuid`, firstId(at))],
})

const unaltered = ({ name, table, terms, outcome, isSealed = nothing }: Sealed): Check => ({
  name: `every ${name} says what it said when it was made, and when it ended`,
  about: newest(table),
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
        and not ${waitsToBeChained(sql`walked`)})
    limit ${differencesTold}`,
})

const exists = ({ type, table }: Sealed): Sql => sql`
  when ${type} then exists (
    select 1 from ${table} object
    where object.space_id = seal.space_id and object.environment = seal.environment and object.id = seal.object_id)`

const stillThere: Check = {
  name: 'every object that was sealed is there',
  about: newest(sql`book_seals`, sql`object_id`),
  differences: (rows) => sql`
    select seal.space_id, seal.environment, seal.object_id, seal.object_type
    from ${rows} seal
    where not case seal.object_type ${allSealed.map(exists).reduce((one, other) => sql`${one} ${other}`)} else false end
    limit ${differencesTold}`,
}

/** That objects are what they were, and are there. Who may change them, and what of them, is not in here. */
export const sealChecks: Check[] = [...allSealed.map(unaltered), stillThere]
