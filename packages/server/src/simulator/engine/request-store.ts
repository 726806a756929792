import type { NewRequest, RequestKey, RequestKind } from '@pesewa/connector-kit/simulator'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { nothing, type Sql, sql } from '../../platform/db/sql.ts'

/** How requests of one kind are stored. */
export type RequestTable = {
  kind: RequestKind
  table: Sql
  /** Columns of the request itself. */
  insertColumns: Sql
  /** Columns to be read from a row that has the alias `k`. */
  columns: Sql
  /** Other columns that an outcome sets, each followed by a comma. */
  alsoSet: Sql
}

// every space: rails know nothing about Spaces
export const collections: RequestTable = {
  kind: 'collection',
  table: sql`simulator_collections`,
  insertColumns: sql`
    provider_id, protocol, reference, payer, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url, return_url, asks_until, notice_url`,
  columns: sql`
    k.provider_id, k.protocol, k.reference, k.payer, k.amount, k.amount_minor, k.currency, k.external_id,
    k.payer_message, k.payee_note, k.callback_url, k.return_url, k.status, k.reason, k.financial_transaction_id,
    k.card_scheme, k.card_last4, k.card_token, k.asks_until, k.notice_url, k.moved_at`,
  alsoSet: sql`asks_until = null,`,
}

export const disbursements: RequestTable = {
  kind: 'disbursement',
  table: sql`simulator_disbursements`,
  insertColumns: sql`
    provider_id, protocol, reference, payee, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url, refund_of`,
  columns: sql`
    k.provider_id, k.protocol, k.reference, k.payee, k.amount, k.amount_minor, k.currency, k.external_id,
    k.payer_message, k.payee_note, k.callback_url, k.refund_of, k.status, k.reason, k.financial_transaction_id`,
  alsoSet: nothing,
}

/** Stores requests in one table. Returns, for each request, whether its reference was new. */
export async function insertRequests(
  tx: Tx,
  { kind, table, insertColumns }: RequestTable,
  requests: NewRequest[],
): Promise<boolean[]> {
  const rows = requests.map(({ request, at }) => ({ ...request, createdAt: at }))
  // every space: rails know nothing about Spaces
  const added = await tx.query<RequestKey>(sql`
    with added as (
      insert into ${table} (${insertColumns}, created_at)
      select ${insertColumns}, created_at from json_populate_recordset(null::${table}, ${recordsOf(rows)}::json)
      on conflict (provider_id, reference) do nothing
      returning provider_id, reference
    ), planned as (${insertOutcomes(kind, requests, sql`join added using (provider_id, reference)`)})
    select provider_id, reference from added`)
  const left = new Set(added.map(nameOf))
  return requests.map(({ request }) => left.delete(nameOf(request)))
}

/**
 * Returns a statement that stores the planned outcomes of requests. `among` is a join that limits the statement
 * to the outcomes of some of the requests.
 */
export function insertOutcomes(kind: RequestKind, requests: NewRequest[], among: Sql = nothing): Sql {
  const planned = requests.flatMap(({ request: { providerId, reference }, at, outcomes }) =>
    outcomes.map(({ afterMs, ...outcome }) => ({
      ...outcome,
      providerId,
      reference,
      kind,
      dueAt: new Date(at.getTime() + afterMs),
    })),
  )
  // every space: rails know nothing about Spaces
  return sql`
    insert into simulator_outcomes (provider_id, reference, kind, due_at, status, reason, callbacks)
    select provider_id, reference, kind, due_at, status, reason, callbacks
    from json_populate_recordset(null::simulator_outcomes, ${recordsOf(planned)}::json) ${among}`
}

const nameOf = ({ providerId, reference }: RequestKey) => `${providerId} ${reference}`

/** Returns rows encoded for `json_populate_recordset`. */
export const recordsOf = (rows: object[]) =>
  JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          typeof value === 'bigint' ? String(value) : value,
        ]),
      ),
    ),
  )

/** Returns whether an outcome is due or a callback is waiting to be sent. */
export async function isAnythingDue(db: Reader, now: Date): Promise<boolean> {
  // every space: rails know nothing about Spaces
  const { isAny } = await db.only<{ isAny: boolean }>(sql`
    select exists (select 1 from simulator_outcomes where due_at <= ${now})
      or exists (select 1 from simulator_callbacks) as is_any`)
  return isAny
}

const maxOutcomesAtOnce = 100 // maximum number of outcomes of simulated rails that are applied together

/** A request with a planned outcome that was due. `status` is null if the outcome no longer applied. */
export type AppliedOutcome<Stored> = { callbacks: number } & (Stored | { status: null })

/**
 * Applies outcomes that are due, but only the earliest one for each request. No two nodes apply the same
 * outcome. A failure ends only a pending request, whereas a success also overrides a failure.
 */
export function applyDue<Stored>(tx: Tx, { kind, table, columns, alsoSet }: RequestTable, now: Date) {
  // every space: rails know nothing about Spaces
  return tx.query<AppliedOutcome<Stored>>(sql`
    with due as (
      select id from simulator_outcomes where due_at <= ${now} and kind = ${kind}
      order by due_at, id limit ${maxOutcomesAtOnce}
      for update skip locked
    ), claimed as (
      select distinct on (o.provider_id, o.reference) o.*
      from due join simulator_outcomes o using (id)
      order by o.provider_id, o.reference, o.due_at, o.id
    ), gone as (
      delete from simulator_outcomes o using claimed c where o.id = c.id
    ), ended as (
      update ${table} k
      set status = c.status, reason = c.reason, ended_at = ${now}, ${alsoSet}
        moved_at = case when c.status = 'SUCCESSFUL' then ${now}::timestamptz end,
        financial_transaction_id =
          case when c.status = 'SUCCESSFUL' then nextval('simulator_financial_transactions') end
      from claimed c
      where k.provider_id = c.provider_id and k.reference = c.reference
        and (k.status = 'PENDING' or (k.status = 'FAILED' and c.status = 'SUCCESSFUL'))
      returning ${columns}
    )
    select k.*, c.callbacks
    from claimed c left join ended k on k.provider_id = c.provider_id and k.reference = c.reference`)
}
