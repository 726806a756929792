import type { OriginalCollection, RailQueue } from '@pesewa/connector-kit'
import { texts, uuids } from '../../platform/db/arrays.ts'
import {
  bigint,
  boolean,
  encrypted,
  environment,
  integer,
  json,
  orNull,
  text,
  textOf,
  time,
  uuid,
} from '../../platform/db/columns.ts'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { byId, lockEach, selectEach } from '../../platform/db/lookups.ts'
import { realAgeMs, realNow } from '../../platform/db/real-time.ts'
import { type Scoped, scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { type RowOf, table } from '../../platform/db/table.ts'
import { unnest } from '../../platform/db/unnest.ts'
import type { Scope } from '../../platform/scope.ts'
import { keySet } from '../../tenants/retention/records.ts'
import type { SubmitAges } from '../connections/conclusive-missing.ts'
import type { FollowUp } from '../connections/follow-ups.ts'
import type { OwnerType } from './owner-types.ts'
import type { Answer, InstructionState, OpenState } from './states.ts'

export type InstructionKind = RailQueue['kind']

/** An order sent to a provider. Amounts are in minor units, and times are by the Space's clock. */
const instructions = table(
  'instructions',
  ['id'],
  {
    /** The id of the instruction's owner. */
    id: uuid,
    ownerType: textOf<OwnerType>(),
    kind: textOf<InstructionKind>(),
    providerId: text,
    state: textOf<InstructionState>(),
    amount: bigint,
    currency: text,
    /**
     * The payer's or payee's account: a phone number in E.164 format, an account number or a wallet id; null
     * for a card.
     */
    account: orNull(encrypted('instructions.account')),
    /** Our reference, which is stored before the call. It is also the rail's idempotency key. */
    reference: uuid,
    description: text,
    orderNumber: orNull(text),
    returnUrl: orNull(text),
    /** The collection being refunded. */
    original: orNull(json<OriginalCollection>()),
    /**
     * The reference shown in the prompt to the payer; null unless the rail also reports prompted payments as
     * manual ones.
     */
    billReference: orNull(text),
    /** The rail's own reference, if it returned one. */
    providerReference: orNull(text),
    /**
     * The connection through which the instruction was or must be submitted; null for the provider's first
     * connection.
     */
    connection: orNull(text),
    /** The revision of that connection at the time of the submit. */
    revision: orNull(text),
    createdAt: time,
    submittedAt: orNull(time),
    delayedAt: orNull(time),
    /** When the next query is due. */
    dueAt: orNull(time),
    look: orNull(textOf<FollowUp['look']>()),
    /** Set when the instruction is submitted. */
    seal: orNull(text),
  },
  {
    ...{ submittingSince: orNull(time), callEndedSince: orNull(time) },
    ...{ askedAt: orNull(time), answeredAt: orNull(time), answer: orNull(textOf<Answer>()) },
  },
)
type Body = RowOf<typeof instructions>
export type Instruction = Scoped<Body>

export type InstructionKey = Scoped<{ id: string }>
type Row<T> = Omit<T, 'scope'> & Scope

/**
 * Writes new instructions and changes to existing ones, which must be locked. This takes a single statement
 * that uses the primary key: for an update with a join, the planner might read all rows of a Space.
 */
export const writeInstructions = (tx: Tx, written: Instruction[]) =>
  // every space: each row contains its own Space
  tx.send(sql`
    insert into instructions as kept (${instructions.names}, submitting_since)
    select ${instructions.values}, case when submitted_at is not null then ${realNow} end
    from ${instructions.rows(written)}
    on conflict (space_id, environment, id) do update
    set ${changing}, submitting_since = coalesce(kept.submitting_since, excluded.submitting_since),
      call_ended_since = coalesce(kept.call_ended_since,
        case when excluded.submitted_at is not null and excluded.state <> 'submitting' then ${realNow} end)`)

/**
 * Resets the submit times of an instruction that has no outcome, so that the times of the previous call no
 * longer apply.
 */
export const restartSubmit = (
  tx: Tx,
  { scope: { spaceId, environment }, id }: InstructionKey,
  { at, dueAt }: { at: Date; dueAt: Date },
) =>
  tx.run(sql`
    update instructions
    set submitted_at = ${at}, due_at = ${dueAt}, submitting_since = ${realNow}, call_ended_since = null
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}
      and state in ('submitting', 'submitted', 'unknown')`)

const changing = instructions.excluded(
  'state',
  'billReference',
  'providerReference',
  'connection',
  'revision',
  'submittedAt',
  'delayedAt',
  'dueAt',
  'look',
  'seal',
)

const columns = instructions.columnsOf('instruction')

/**
 * The columns of `SubmitAges` for rows that were submitted. They use only the database's clock, which all nodes
 * share.
 */
const submitColumns = sql`${realAgeMs(sql`instruction.submitting_since`)} as submitting_ms,
  ${realAgeMs(sql`instruction.call_ended_since`)} as call_ended_ms,
  ${realAgeMs(sql`instruction.submitted_at`)} as submitted_ms`

const submitted = sql`
  select ${columns}, ${submitColumns}, case when answered_at is null then asked_at end as open_question_at
  from instructions instruction
  where space_id = requested.space_id and environment = requested.environment and id = requested.id`

export const lockInstructions = (tx: Tx, keys: InstructionKey[]): Promise<Instruction[]> =>
  lockEach(tx, keys, instructions.requested)

/** A submitted instruction. `openQuestionAt`: when a member requested its outcome, if no answer is stored yet. */
export type Submitted = Instruction & SubmitAges & { openQuestionAt?: Date | null }

/** Locks instructions and returns them with the time since their submit. */
export const lockSubmitted = (tx: Tx, keys: InstructionKey[]): Promise<Submitted[]> =>
  lockEach<Omit<Submitted, 'scope'>>(tx, keys, submitted)

/** Returns instructions with the time since their submit. */
export const selectInstructions = (
  db: Reader,
  keys: InstructionKey[],
): Promise<(Instruction & SubmitAges)[]> => selectEach<Body & SubmitAges>(db, byId(keys), submitted)

/** A member's question about an outcome, and the rail's answer; null while there is none. */
export type Question = { askedAt: Date; answeredAt: Date | null; answer: Answer | null }

/** Returns the last question about an instruction, if there was one. */
export const selectQuestion = (db: Reader, { spaceId, environment }: Scope, id: string) =>
  db.one<Question>(sql`
    select asked_at, answered_at, answer from instructions
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and asked_at is not null`)

/** Records a question about a locked instruction. */
export const markAsked = (tx: Tx, { spaceId, environment }: Scope, id: string, at: Date) =>
  tx.run(sql`
    update instructions set asked_at = ${at}, answered_at = null, answer = null
    where space_id = ${spaceId} and environment = ${environment} and id = ${id}`)

/**
 * Records the answer to a question that waits for one, unless the instruction has an outcome. If a later question was
 * asked meanwhile, this is not its answer.
 */
export const recordAnswer = (
  db: Reader,
  { scope: { spaceId, environment }, id }: InstructionKey,
  { askedAt, answer }: { askedAt: Date; answer: Answer },
  at: Date,
) =>
  db.query(sql`
    update instructions set answered_at = ${at}, answer = ${answer}
    where space_id = ${spaceId} and environment = ${environment} and id = ${id} and asked_at = ${askedAt}
      and answered_at is null and state in ('submitting', 'submitted', 'unknown')`)

/** The references in a report that was sent to a connection's URL. */
export type NamedByRail = Pick<RailQueue, 'environment'> & {
  connection: string
  /**
   * The providers that the connection reaches. `isFirst` is true if the connection also receives reports about
   * instructions that were sent before connections had names.
   */
  reached: readonly { providerId: string; isFirst: boolean }[]
  reference: string | null
  providerReference: string | null
}

/**
 * Finds the instructions to which reports refer, by our reference if it is given, otherwise by the rail's own.
 * Each instruction is returned with the index of its report in `named`. If a report is ambiguous, two
 * instructions are returned for it. Instructions that succeeded are left out, because nothing more can be
 * reported about them.
 */
export const selectNamedByRail = async (
  db: Reader,
  named: NamedByRail[],
): Promise<(Instruction & SubmitAges & { place: number })[]> =>
  (
    await db.query<Row<Instruction & SubmitAges & { place: number }>>(sql`
      select requested.place, instruction.*
      from ${byRail(named.flatMap((one, place) => one.reached.map((each) => ({ ...one, ...each, place }))))}
      cross join lateral (
        -- every space: rails do not know Spaces
        (select instruction.space_id, instruction.environment, ${columns}, ${submitColumns}
        from instructions instruction
        where reference = requested.reference and submitted_at is not null and state <> 'succeeded'
          and provider_id = requested.provider_id and environment = requested.environment
          and ${isOfConnection}
        limit 2)
        union all
        (select instruction.space_id, instruction.environment, ${columns}, ${submitColumns}
        from instructions instruction
        where requested.reference is null and provider_id = requested.provider_id
          and provider_reference = requested.provider_reference and state <> 'succeeded'
          and submitted_at is not null and environment = requested.environment and ${isOfConnection}
        limit 2)
      ) instruction`)
  ).map(scoped)

/**
 * The condition that an instruction was submitted through this connection. The rails of other connections
 * cannot report on it.
 */
const isOfConnection = sql`case when connection is null then requested.is_first
  else connection = requested.connection end`

const byRail = unnest({
  place: integer,
  environment,
  providerId: text,
  connection: text,
  isFirst: boolean,
  reference: orNull(uuid),
  providerReference: orNull(text),
})

/** Returns the instructions of a connection whose prompts showed this reference to the payer, newest first. */
export const selectBilled = async (
  db: Reader,
  { environment, connection, providerId }: BillRail,
  billReference: string,
): Promise<Instruction[]> =>
  (
    await db.query<Row<Instruction>>(sql`
      -- every space: rails do not know Spaces
      select instruction.space_id, instruction.environment, ${columns} from instructions instruction
      where bill_reference = ${billReference} and provider_id = ${providerId} and environment = ${environment}
        and connection = ${connection} and submitted_at is not null
      order by id desc limit ${maxAttempts}`)
  ).map(scoped)

const maxAttempts = 100 // maximum number of attempts to pay one order that are searched for a manual payment

/** A rail that accepts manual payments. */
export type BillRail = Pick<RailQueue, 'environment' | 'providerId'> & { connection: string }

export type QueueWork = RailQueue & Pick<Scope, 'spaceId'> & { id: string | null }

/**
 * Returns the work of each queue: the Spaces that have instructions to submit (`id` is null), and up to
 * `dueAtMost` instructions whose query is due.
 */
export const selectWork = (db: Reader, queues: RailQueue[], dueAtMost: number) =>
  // every space: finds work; the code that does the work specifies the Space
  db.query<QueueWork>(sql`
    select distinct kind, environment, provider_id, space_id, null::uuid as id from instructions
    where state = 'created'
    union all
    select due.kind, due.environment, due.provider_id, due.space_id, due.id
    from ${laneRows(queues)} cross join lateral (
      select kind, environment, provider_id, space_id, id from instructions
      where kind = requested.kind and environment = requested.environment and provider_id = requested.provider_id
        and due_at <= ${realNow}
      order by due_at limit ${dueAtMost}
    ) due
    union all
    select due.kind, due.environment, due.provider_id, due.space_id, due.id from test_clocks clock
    cross join lateral (
      select kind, environment, provider_id, space_id, id from instructions
      where space_id = clock.space_id and environment = clock.environment and due_at > ${realNow}
        and due_at <= ${realNow} + clock.offset_ms * interval '1 millisecond'
      order by due_at limit ${dueAtMost}
    ) due
    where clock.offset_ms > 0`)

const laneRows = unnest<RailQueue>({ kind: textOf<InstructionKind>(), environment, providerId: text })

/**
 * Selects the instructions in a queue that can be sent now: those without a connection if `acceptsNew` is true,
 * and those whose connection is not in `unusable`.
 */
export type SendableFilter = { acceptsNew: boolean; unusable: string[] }

/** Locks waiting instructions in a queue, up to `ofEach` per Space. Skips those that another node is claiming. */
export const claimWaiting = async (
  tx: Tx,
  { kind, environment, providerId }: RailQueue,
  { acceptsNew, unusable }: SendableFilter,
  spaceIds: string[],
  ofEach: number,
): Promise<Instruction[]> =>
  // every space: each turn specifies its own Space
  (
    await tx.query<Row<Instruction>>(sql`
      -- every space: the Spaces whose turn it is
      select taken.* from unnest(${uuids(spaceIds)}::uuid[]) as turn (space_id) cross join lateral (
        select instruction.space_id, instruction.environment, ${columns} from instructions instruction
        where space_id = turn.space_id and environment = ${environment} and kind = ${kind}
          and provider_id = ${providerId} and state = 'created'
          and case when connection is null then ${acceptsNew} else connection <> all (${texts(unusable)}::text[]) end
        order by kind, environment, provider_id, space_id, id limit ${ofEach}
        for update skip locked
      ) taken`)
  ).map(scoped)

/** An instruction that was submitted and has no known outcome. */
export type OpenInstruction = Instruction & { state: OpenState; submittedAt: Date }

export const selectOpen = async (
  db: Reader,
  ownerType: OwnerType,
  take: number,
): Promise<OpenInstruction[]> =>
  // every space: the operator's list covers all Spaces
  (
    await db.query<Row<OpenInstruction>>(sql`
      -- every space: the operator's list covers all Spaces
      select instruction.space_id, instruction.environment, ${columns} from instructions instruction
      where owner_type = ${ownerType} and state in ('submitting', 'submitted', 'unknown')
      order by submitted_at, id limit ${take}`)
  ).map(scoped)

// every space: operators identify an object by its id alone
export const selectScopeOf = (db: Reader, ownerType: OwnerType, id: string) =>
  db.one<Scope>(
    sql`select space_id, environment from instructions where owner_type = ${ownerType} and id = ${id}`,
  )

export async function countDelayed(db: Reader, ownerType: OwnerType, atMost: number): Promise<number> {
  // every space: this is an operator metric
  const { count } = await db.only<{ count: bigint }>(sql`
    select count(*) from (
      select from instructions
      where owner_type = ${ownerType} and state in ('submitting', 'submitted', 'unknown') and delayed_at is not null
      limit ${atMost}
    ) delayed`)
  return Number(count)
}

/** Returns which of the given instructions will still be queried. */
export const selectAwaited = async (db: Reader, { spaceId, environment }: Scope, ids: string[]) =>
  keySet(
    await db.query<{ key: string }>(sql`
      select id as key from instructions
      where space_id = ${spaceId} and environment = ${environment} and id = any(${uuids(ids)}::uuid[])
        and due_at is not null`),
  )
