import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Provider } from '../provider.ts'
import type { HandsetMode, PlannedOutcome } from './behaviour.ts'

/** A collection as it was asked for. */
export type Asked = {
  providerId: string
  protocol: Provider['protocol']
  reference: string
  /** A phone number without `+`, an account number, a wallet id; empty for a card. */
  payer: string
  /** Text, as it was sent; and in minor units. */
  amount: string
  amountMinor: bigint
  currency: string
  externalId: string
  payerMessage: string
  payeeNote: string
  callbackUrl: string | null
  /** Where the page sends the payer back to; none when the payer is asked elsewhere. */
  returnUrl: string | null
}

/** What a page learns of the card that the payer chose. */
export type ChosenCard = { scheme: string; last4: string; token: string }

/** A collection as the rail knows it. */
export type StoredCollection = Asked & {
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  financialTransactionId: bigint | null
  cardScheme: string | null
  cardLast4: string | null
  cardToken: string | null
  /** A prompt or a page waits for a person, until then. */
  asksUntil: Date | null
}

// every space: the simulator is the outside world
const columns = sql`
  k.provider_id, k.protocol, k.reference, k.payer, k.amount, k.amount_minor, k.currency, k.external_id,
  k.payer_message, k.payee_note, k.callback_url, k.return_url, k.status, k.reason, k.financial_transaction_id,
  k.card_scheme, k.card_last4, k.card_token, k.asks_until`

/** Stores a collection with all that will become of it; `false` when the reference was used before. */
export async function insertCollection(
  tx: Tx,
  asked: Asked,
  at: Date,
  outcomes: PlannedOutcome[],
  asksUntil: Date | null,
): Promise<boolean> {
  const dueAts = outcomes.map(({ afterMs }) => new Date(at.getTime() + afterMs))
  // every space: the simulator is the outside world
  const planned = await tx.run(sql`
    with added as (
      insert into simulator_collections (provider_id, protocol, reference, payer, amount, amount_minor,
        currency, external_id, payer_message, payee_note, callback_url, return_url, asks_until, created_at)
      values (${asked.providerId}, ${asked.protocol}, ${asked.reference}, ${asked.payer}, ${asked.amount},
        ${asked.amountMinor}, ${asked.currency}, ${asked.externalId}, ${asked.payerMessage}, ${asked.payeeNote},
        ${asked.callbackUrl}, ${asked.returnUrl}, ${asksUntil}, ${at})
      on conflict (provider_id, reference) do nothing
      returning provider_id, reference
    )
    insert into simulator_outcomes (provider_id, reference, due_at, status, reason, callbacks)
    select added.provider_id, added.reference, planned.*
    from added, unnest(${dueAts}::timestamptz[], ${outcomes.map(({ status }) => status)}::text[],
      ${outcomes.map(({ reason }) => reason)}::text[],
      ${outcomes.map(({ callbacks }) => callbacks)}::integer[]) as planned`)
  return planned > 0
}

export function findCollection(
  db: Reader,
  providerId: string,
  reference: string,
): Promise<StoredCollection | undefined> {
  // every space: the simulator is the outside world
  return db.one(sql`
    select ${columns} from simulator_collections k
    where k.provider_id = ${providerId} and k.reference = ${reference}`)
}

const maxOutcomesAtOnce = 100

/** A planned outcome that fell due. `status` is `null` when the collection could no longer end that way. */
export type Settled = { callbacks: number } & (StoredCollection | { status: null })

/**
 * Lets what is due happen: at most one outcome of each collection, the earliest. Two nodes never take the same one. A
 * failure ends only what is pending; a success also what was called a failure.
 */
export function settleDue(tx: Tx, now: Date): Promise<Settled[]> {
  // every space: the simulator is the outside world
  return tx.query(sql`
    with due as (
      select id from simulator_outcomes where due_at <= ${now}
      order by due_at, id limit ${maxOutcomesAtOnce}
      for update skip locked
    ), claimed as (
      select distinct on (o.provider_id, o.reference) o.*
      from due join simulator_outcomes o using (id)
      order by o.provider_id, o.reference, o.due_at, o.id
    ), gone as (
      delete from simulator_outcomes o using claimed c where o.id = c.id
    ), ended as (
      update simulator_collections k
      set status = c.status, reason = c.reason, asks_until = null, ended_at = ${now},
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

export type Callback = { method: 'PUT' | 'POST'; url: string; body: string }

export async function insertCallbacks(tx: Tx, callbacks: Callback[]): Promise<void> {
  // every space: the simulator is the outside world
  await tx.run(sql`
    insert into simulator_callbacks (method, url, body)
    select * from unnest(${callbacks.map(({ method }) => method)}::text[],
      ${callbacks.map(({ url }) => url)}::text[], ${callbacks.map(({ body }) => body)}::text[])`)
}

/** Takes callbacks to send, the oldest first. They are gone from here: whoever takes one tries it once. */
export function takeCallbacks(tx: Tx, limit: number): Promise<Callback[]> {
  // every space: the simulator is the outside world
  return tx.query(sql`
    delete from simulator_callbacks where id in (
      select id from simulator_callbacks order by id limit ${limit} for update skip locked)
    returning method, url, body`)
}

export async function findMode(db: Reader, msisdn: string): Promise<HandsetMode> {
  // every space: the simulator is the outside world
  const handset = await db.one<{ mode: HandsetMode }>(sql`
    select mode from simulator_handsets where msisdn = ${msisdn}`)
  return handset?.mode ?? 'approve'
}

export async function upsertMode(tx: Tx, msisdn: string, mode: HandsetMode): Promise<void> {
  // every space: the simulator is the outside world
  await tx.run(sql`
    insert into simulator_handsets (msisdn, mode) values (${msisdn}, ${mode})
    on conflict (msisdn) do update set mode = excluded.mode`)
}

/** A prompt that waits on a handset. */
export type Prompt = {
  providerId: string
  reference: string
  msisdn: string
  amountMinor: bigint
  currency: string
  message: string
  asksUntil: Date
}

const maxPrompts = 100

/** The prompts of a handset (or of all of them), newest first. */
export function selectPrompts(db: Reader, msisdn: string | undefined, now: Date): Promise<Prompt[]> {
  // every space: the simulator is the outside world
  return db.query(sql`
    select provider_id, reference, payer as msisdn, amount_minor, currency, payer_message as message, asks_until
    from simulator_collections
    where asks_until > ${now} and return_url is null
      and (${msisdn ?? null}::text is null or payer = ${msisdn ?? null})
    order by created_at desc, reference limit ${maxPrompts}`)
}

/** Puts a person's answer in the place of what was planned; `false` when the prompt or page is gone. */
export async function replanPrompt(
  tx: Tx,
  reference: string,
  now: Date,
  outcomes: PlannedOutcome[],
  card?: ChosenCard,
): Promise<boolean> {
  const dueAts = outcomes.map(({ afterMs }) => new Date(now.getTime() + afterMs))
  // every space: the simulator is the outside world
  const planned = await tx.run(sql`
    with answered as (
      update simulator_collections set asks_until = null, card_scheme = ${card?.scheme ?? null},
        card_last4 = ${card?.last4 ?? null}, card_token = ${card?.token ?? null}
      where reference = ${reference} and asks_until > ${now}
      returning provider_id, reference
    ), dropped as (
      delete from simulator_outcomes o using answered a
      where o.provider_id = a.provider_id and o.reference = a.reference
    )
    insert into simulator_outcomes (provider_id, reference, due_at, status, reason, callbacks)
    select answered.provider_id, answered.reference, planned.*
    from answered, unnest(${dueAts}::timestamptz[], ${outcomes.map(({ status }) => status)}::text[],
      ${outcomes.map(({ reason }) => reason)}::text[],
      ${outcomes.map(({ callbacks }) => callbacks)}::integer[]) as planned`)
  return planned > 0
}
