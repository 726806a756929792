import { cases, inSuspense, linesOfReference, postingOwners, postings } from '../../ledger/accounts/checks.ts'
import type { Direction } from '../../ledger/accounts/store.ts'
import { spaceNow } from '../../platform/clock.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { comparable } from '../../platform/db/encryption.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'
import { mapRows } from '../../platform/db/walk.ts'
import type { Scope } from '../../platform/scope.ts'
import type { Seals } from '../../platform/seals.ts'
import { tableSubject } from '../../tenants/spaces/since.ts'
import type { OwnerType } from './owner-types.ts'
import { instructionSeal } from './seals.ts'

const instructions = tableSubject(sql`instructions`)

const now = spaceNow(sql`instruction`)

/**
 * The longest time until a follow-up: an hour for the first follow-up, and a day for the second. Each of them
 * is repeated until the rail gives a definite answer.
 */
const longestWait = sql`case instruction.look when 'day' then interval '1 day' else interval '1 hour' end`

/** Returns the checks of this slice. Without the program's secret, returns only those that do not need it. */
export const instructionChecks = (seals: Seals | undefined): Check[] => [
  ...(seals ? [identifiersUnaltered(seals)] : []),
  {
    name: 'every instruction that has no known outcome, or failed within the last hour, will be queried',
    about: instructions,
    differences: (rows) => sql`
      select instruction.space_id, instruction.environment, instruction.id, instruction.state, instruction.due_at
      from ${rows} instruction
      where (instruction.state in ('submitting', 'submitted', 'unknown')
          or (instruction.state = 'failed' and instruction.submitted_at + interval '1 hour' > ${now}))
        and (instruction.due_at is null or instruction.due_at > ${now} + ${longestWait} + interval '1 minute')`,
  },
]

type Sealed = Scope & Omit<Parameters<typeof instructionSeal>[1], 'scope'> & { seal: string | null }

const identifiersUnaltered = (seals: Seals): Check => ({
  name: 'every instruction that a rail can still report on has unaltered identifiers',
  about: instructions,
  // The comparison needs the program's secret, so it cannot be made in SQL.
  differences: (rows) => sql`
    select instruction.space_id, instruction.environment, instruction.id, instruction.connection, instruction.revision,
      instruction.bill_reference, instruction.provider_reference, instruction.description, instruction.order_number,
      instruction.return_url, instruction.seal
    from ${rows} instruction
    where instruction.submitted_at is not null
      and (instruction.state in ('submitting', 'submitted', 'unknown') or instruction.due_at is not null)`,
  describeViolation(row: Sealed) {
    const { spaceId, environment, id, connection, providerReference } = row
    const isAsWritten = row.seal === instructionSeal(seals, { ...row, scope: { spaceId, environment } })
    return isAsWritten ? undefined : { spaceId, environment, id, connection, providerReference }
  },
})

/** A resource whose money is moved by providers. In its SQL expressions, `p` is a row of its table. */
export type TransactionResource = {
  noun: OwnerType
  direction: Direction
  /** The operation that the rail performs for row `p`. */
  kind: Sql
  table: Sql
  about: Subject
  /** The account of the payer or payee of row `p`. */
  account: Sql
  /** The collection that the rail refunds for row `p`. */
  original?: Sql
  /** The condition under which row `p` must not have an instruction. */
  isUnsent?: Sql
  /**
   * Columns that are set only when row `p` has an outcome, in addition to those that payments and payouts have
   * in common.
   */
  endColumns?: Sql
  /**
   * The amount that the rail moves for row `p`, in minor units. `returnedFee` is the fee that is returned to
   * the merchant at the same time.
   */
  moved?: Sql
  returnedFee?: Sql
  /** The accounts between which a completed row moves money. */
  moves: string
}

/**
 * The condition that a posting of money moved by a rail has the correct accounts: clearing and a merchant's
 * account, with two additional lines for each fee. A posting that opens a case moves money between clearing and
 * suspense. A posting that closes a case moves money between suspense, a merchant's account and, if money was
 * returned, clearing.
 */
export const fitsTransaction = sql`
  (case
    when kinds = '{clearing,suspense}' then lines = 2 + merchants and merchants <= 1
    when kinds[1] = 'clearing' and merchants = 1 then lines = 2 + fee_lines
      and kinds = '{clearing}'::text[] || array_fill('fees'::text, array[(fee_lines / 2)::integer])
    else lines = 2 and merchants = 1 and kinds = '{suspense}'
  end)`

/** Returns the sum of the fees of a resource, in minor units. */
export const feesOf = (of: Sql) =>
  sql`coalesce((select sum((fee ->> 'amount')::bigint) from jsonb_array_elements(${of}.fees) fee), 0)`

/** Returns the checks which verify that a resource agrees with its instruction, its postings and its cases. */
export function transactionChecks({
  noun,
  direction,
  kind,
  table,
  about,
  account,
  original = sql`null::json`,
  isUnsent = sql`false`,
  endColumns = nothing,
  moved = sql`p.amount`,
  returnedFee = sql`0::bigint`,
  moves,
}: TransactionResource): Check[] {
  const [sign, ofMerchant] = direction === 'collection' ? [sql`-`, nothing] : [nothing, sql`-`]
  const completed = (rows: Sql) => sql`
    (select space_id, environment, id, provider_id, ${moved} as amount, currency, ledger_reference as reference
    from ${rows} p where status = 'completed')`
  const contradicted = (rows: Sql) => sql`
    (select p.space_id, p.environment, p.id, p.provider_id, ${ofMerchant} ${inSuspense} as amount, c.currency, c.reference
    from ${rows} c
    cross join lateral (
      select * from ${table} p
      where p.space_id = c.space_id and p.environment = c.environment and p.id = c.object_id offset 0
    ) p
    where c.object_type = ${noun})`
  const atProvider: Subject = {
    all: [
      ...about.all.map((walk) => mapRows(walk, completed)),
      ...cases.all.map((walk) => mapRows(walk, contradicted)),
    ],
    since: (at) => [
      ...about.since(at).map((walk) => mapRows(walk, completed)),
      ...cases.since(at).map((walk) => mapRows(walk, contradicted)),
    ],
  }
  const ofCase = (reference: Sql) => sql`
    exists (
      select 1 from ledger_cases c
      where c.space_id = posting.space_id and c.environment = posting.environment
        and ${reference} = posting.reference and c.object_id::text = posting.owner_id)`
  return [
    {
      name: `every ${noun} that may be sent matches the content and state of its instruction`,
      about,
      differences: (rows) => sql`
        select p.space_id, p.environment, p.id, p.status, instruction.state, (${moved})::text as amount,
          instruction.amount::text as instructed
        from ${rows} p
        left join lateral (
          select * from instructions i
          where i.space_id = p.space_id and i.environment = p.environment and i.id = p.id offset 0
        ) instruction on true
        where case when ${isUnsent} then instruction.id is not null
          else (instruction.owner_type, instruction.kind, instruction.provider_id, instruction.amount, instruction.currency,
              ${comparable(sql`instruction.account`, account)}, instruction.reference, instruction.original::jsonb) is distinct from
              (${noun}, ${kind}, p.provider_id, ${moved}, p.currency, ${account}, p.rail_reference, ${original}::jsonb)
            or case p.status when 'cancelled' then 'failed' else p.status end <> case instruction.state when 'created' then 'pending' when 'succeeded' then 'completed'
              when 'failed' then 'failed' else 'processing' end
          end`,
    },
    {
      name: `every completed ${noun} has one posting: ${moves}`,
      about,
      differences: (rows) => sql`
        select p.space_id, p.environment, p.id, (${moved})::text as amount, booked.amount::text as booked, booked.fees::text
        from ${rows} p
        cross join lateral (
          select coalesce(sum(${ofMerchant} line.amount) filter (where line.fee_code is null), 0) as amount,
            coalesce(-sum(line.amount) filter (where line.fee_code is not null), 0) as fees,
            count(*) as lines
          from ${linesOfReference(sql`p`, sql`p.ledger_reference`)} line
          where line.account_id = p.financial_account_id
        ) booked
        where p.status = 'completed' and (
          booked.amount <> ${moved}
          or booked.lines <> 1 + jsonb_array_length(p.fees) + sign(${returnedFee})
          or booked.fees <> ${feesOf(sql`p`)} - ${returnedFee})`,
    },
    {
      name: `no ${noun} in progress has an outcome`,
      about,
      differences: (rows) => sql`
        select p.space_id, p.environment, p.id, p.rail_transaction, p.failure_code
        from ${rows} p
        where p.status in ('pending', 'processing') and num_nonnulls(
          p.rail_transaction, p.ledger_reference, p.failure_code, p.failure_message ${endColumns}) > 0`,
    },
    {
      name: `no posting belongs to a ${noun} that is not completed, except those of cases`,
      about: postings,
      differences: (rows) => sql`
        select posting.space_id, posting.environment, posting.reference, posting.owner_id
        from ${postingOwners(rows)} posting
        where posting.owner_type = ${noun}
          and not exists (
            select 1 from ${table} p
            where p.space_id = posting.space_id and p.environment = posting.environment
              and p.ledger_reference = posting.reference and p.status = 'completed' and p.id::text = posting.owner_id)
          and not ${ofCase(sql`c.reference`)} and not ${ofCase(sql`c.closing_reference`)}`,
    },
    {
      name: `${direction} clearing at each provider equals the completed ${noun}s and their cases`,
      about: atProvider,
      // The postings are compared one by one: each amount must occur exactly once, and the checks above rule
      // out anything else.
      differences: (rows) => sql`
        select p.space_id, p.environment, p.id, p.provider_id, p.reference, p.currency,
          (${sign} p.amount)::text as expected, clearing.amounts
        from ${rows} p
        cross join lateral (
          select coalesce(array_agg(line.amount::text), '{}') as amounts, count(*) as lines,
            count(*) filter (where line.amount = ${sign} p.amount and account.currency = p.currency
              and account.provider_id = p.provider_id and account.direction = ${direction}) as expected
          from ${linesOfReference(sql`p`, sql`p.reference`)} line
          join ledger_accounts account on account.space_id = line.space_id and account.environment = line.environment
            and account.id = line.account_id
          where not line.is_financial and account.kind = 'clearing'
        ) clearing
        where (clearing.lines, clearing.expected) <> (1, 1)`,
    },
  ]
}

const holds = tableSubject(sql`ledger_holds`)

/**
 * Returns the checks which verify that money leaving an account is held from the start until it has left or can
 * no longer leave.
 *
 * @param amount amount held for row `p`, in minor units
 */
export function heldChecks(
  { noun, table, about }: Pick<TransactionResource, 'noun' | 'table' | 'about'>,
  amount: Sql,
): Check[] {
  return [
    {
      name: `every ${noun} in progress holds its money; a completed one has captured it, any other has released it`,
      about,
      differences: (rows) => sql`
        select p.space_id, p.environment, p.id, p.status, (${amount})::text as amount, hold.amount::text as held,
          hold.captured::text, hold.released::text
        from ${rows} p
        left join lateral (
          select * from ledger_holds h
          where h.space_id = p.space_id and h.environment = p.environment and h.id = p.hold_id offset 0
        ) hold on true
        where p.hold_id is not null and (hold.account_id, hold.owner ->> 'type', hold.owner ->> 'id', hold.expires_at,
          hold.amount, hold.captured, hold.released) is distinct from (
          p.financial_account_id, ${noun}, p.id::text, null::timestamptz, ${amount},
          case p.status when 'completed' then hold.amount else 0 end,
          case when p.status in ('failed', 'cancelled') then hold.amount else 0 end)`,
    },
    {
      name: `every open hold of a ${noun} belongs to a ${noun} in progress`,
      about: holds,
      differences: (rows) => sql`
        select hold.space_id, hold.environment, hold.id, hold.owner ->> 'id' as object_id
        from ${rows} hold
        where hold.captured + hold.released < hold.amount and hold.owner ->> 'type' = ${noun}
          and not exists (
            select 1 from ${table} p
            where p.space_id = hold.space_id and p.environment = hold.environment
              and p.id = (hold.owner ->> 'id')::uuid and p.hold_id = hold.id and p.status in ('pending', 'processing'))`,
    },
  ]
}
