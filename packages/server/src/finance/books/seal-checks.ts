import type { Check, Subject } from '../../platform/db/check.ts'
import { nothing, Sql, sql } from '../../platform/db/sql.ts'
import { alongIndex, costing } from '../../platform/db/walk.ts'
import { installationId, type SealedRules } from '../../tenants/spaces/chained-changes.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'
import { bills } from '../../ways-to-pay/bill-payments/checks.ts'
import { isAwaitingChaining } from './chain-checks.ts'

/**
 * A table with sealed rows. `terms` is sealed when a row is inserted and on every marked change. `outcome` is
 * sealed when the object reaches its final state, and is null until then.
 */
type Sealed = { type: string; name: string; table: Sql; terms: Sql; outcome: Sql; isSealed?: Sql }

/** Describes a sealed table whose SQL functions are named after its type. */
const sealed = (type: string, table: Sql, more: Partial<Sealed> = {}): Sealed => ({
  type,
  name: type.replaceAll('_', ' '),
  table,
  terms: new Sql(`${type}_terms(object)`, []),
  outcome: new Sql(`${type}_outcome(object)`, []),
  ...more,
})

const withoutOutcome = { outcome: sql`null::text` }

const allSealed = [
  sealed('payment', sql`payments`),
  sealed('payout', sql`payouts`),
  sealed('payout_batch', sql`payout_batches`),
  sealed('refund', sql`refunds`),
  sealed('recall', sql`recalls`),
  sealed('internal_transfer', sql`internal_transfers`, {
    name: 'scheduled or failed internal transfer',
    isSealed: sql`and (object.status <> 'completed' or object.execute_at is not null)`,
  }),
  sealed('order', sql`orders`, withoutOutcome),
  sealed('checkout_session', sql`checkout_sessions`),
  sealed('payment_link', sql`payment_links`, withoutOutcome),
  sealed('payment_code', sql`payment_codes`),
  sealed('ussd_otp', sql`ussd_otps`, { name: 'USSD OTP' }),
]

/** The newest seal of an object, which includes everything in earlier seals that is still true. */
const newestSeal = (spaceId: Sql, environment: Sql, objectId: Sql): Sql => sql`
  (select terms, outcome from book_seals seal
  where seal.space_id = ${spaceId} and seal.environment = ${environment} and seal.object_id = ${objectId}
  order by number desc limit 1)`

/**
 * True if the current digests in `now` differ from those in `seal`; false, and not null, if there is no seal.
 * Otherwise, `isChangeWaiting` would search all marks of the Space for each object that has not been sealed yet.
 */
const differs = sql`((
  seal.terms <> now.terms or seal.outcome <> now.outcome or (seal.outcome is not null and now.outcome is null)) is true)`
/**
 * True if a marked change of the object in `seal` is waiting to be sealed. Looks up the key, as `hasBacklog`
 * does.
 */
const isChangeWaiting = (spaceId: Sql, environment: Sql, objectId: Sql): Sql => sql`
  ((select id from unchained mark
  where mark.space_id = ${spaceId} and mark.environment = ${environment} and mark.object_id = ${objectId}
    and mark.terms = seal.terms and mark.outcome is not distinct from seal.outcome
  order by space_id, environment, id limit 1) is not null)`
const lacksSeal = sql`(seal.terms is null or (seal.outcome is null and now.outcome is not null))`

const unaltered = ({ name, table, terms, outcome, isSealed = nothing }: Sealed): Check => ({
  name: `every ${name} matches its sealed terms and outcome`,
  about: tableSubject(table),
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
    left join lateral ${newestSeal(sql`walked.space_id`, sql`walked.environment`, sql`walked.id`)} seal on true
    where (${differs} and not ${isChangeWaiting(sql`walked.space_id`, sql`walked.environment`, sql`walked.id`)})
      or (${lacksSeal} and not ${isAwaitingChaining(sql`walked`)})`,
})

/** A manual payment that is allocated immediately needs no seal, because its payment records the same facts. */
const billsUnaltered: Check = {
  name: 'every manual payment that waited for allocation matches its sealed terms and outcome',
  about: bills,
  differences: (rows) => sql`
    select walked.environment, walked.connection, walked.transaction, seal.terms is null as is_not_sealed
    from (
      select ${installationId}::uuid as space_id, environment, id, connection, transaction, status from ${rows} bill
    ) walked
    cross join lateral (
      select digest_of(bill_payment_terms(object)) as terms, digest_of(bill_payment_outcome(object)) as outcome
      from bill_payments object where object.environment = walked.environment and object.id = walked.id offset 0
    ) now
    left join lateral ${newestSeal(sql`walked.space_id`, sql`walked.environment`, sql`walked.id`)} seal on true
    where (${differs} and not ${isChangeWaiting(sql`walked.space_id`, sql`walked.environment`, sql`walked.id`)})
      or (seal.terms is null and walked.status <> 'allocated' and not ${isAwaitingChaining(sql`walked`)})`,
}

const rules: SealedRules[] = [
  'fee_rules',
  'payout_approvals_above',
  'refund_approvals_above',
  'refund_policies',
]

const spaceWalk = costing(8, alongIndex(sql`spaces`, sql`id`))
const spaces: Subject = { all: [spaceWalk], since: () => [spaceWalk] }

const rulesUnaltered: Check = {
  name: 'every Space has the fee, refund and approval rules that were set last',
  about: spaces,
  differences: (rows) => sql`
    select walked.space_id, walked.environment, now.rules, seal.terms is null as is_not_sealed
    from (
      select space.id as space_id, environment.name as environment
      from ${rows} space cross join (values ('test'::environment), ('live')) environment (name)
    ) walked
    cross join lateral (${rules
      .map(
        (table) => sql`
          select ${table}::text as rules, coalesce(${new Sql(`${table}_terms(walked.space_id, walked.environment)`, [])}, '') as terms`,
      )
      .reduce((one, other) => sql`${one} union all ${other}`)}) now
    left join lateral ${newestSeal(sql`walked.space_id`, sql`walked.environment`, sql`md5(now.rules)::uuid`)} seal on true
    where ((seal.terms <> digest_of(now.terms)) is true
        and not ${isChangeWaiting(sql`walked.space_id`, sql`walked.environment`, sql`md5(now.rules)::uuid`)})
      or (seal.terms is null and now.terms <> '' and not ${isAwaitingChaining(sql`walked`)})`,
}

const exists = (type: string, found: Sql): Sql => sql`when ${type} then ${found}`

const existing = [
  ...allSealed.map(({ type, table }) =>
    exists(
      type,
      sql`exists (
        select 1 from ${table} object
        where object.space_id = seal.space_id and object.environment = seal.environment and object.id = seal.object_id)`,
    ),
  ),
  exists(
    'bill_payment',
    sql`exists (
      select 1 from bill_payments object where object.environment = seal.environment and object.id = seal.object_id)`,
  ),
  // The removal of rules is also sealed.
  ...rules.map((table) => exists(table, sql`true`)),
]

const stillThere: Check = {
  name: 'every sealed object exists, and its seals are in the chain',
  about: tableSubject(sql`book_seals`, sql`object_id`),
  differences: (rows) => sql`
    select seal.space_id, seal.environment, seal.object_id, seal.object_type, seal.number::text
    from ${rows} seal
    where not case seal.object_type ${existing.reduce((one, other) => sql`${one} ${other}`)} else false end
      or (case when seal.number = 0 then not ${isAwaitingChaining(sql`seal`)}
        else not exists (
          select 1 from book_links link
          where link.space_id = seal.space_id and link.environment = seal.environment and link.number = seal.number)
        end)`,
}

/** These checks verify that objects exist and are unaltered. They do not verify who may change which fields. */
export const sealChecks: Check[] = [...allSealed.map(unaltered), billsUnaltered, rulesUnaltered, stillThere]
