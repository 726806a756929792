import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Provider } from '../../providers/provider.ts'
import type { HandsetMode, PlannedOutcome } from './behaviour.ts'
import { type Book, insertOutcomes, type Settled, settleDue } from './outcome-store.ts'

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

/** How far the rail is with what it was asked for. */
export type Ending = {
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  financialTransactionId: bigint | null
}

/** A collection as the rail knows it. */
export type StoredCollection = Asked &
  Ending & {
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

export const collections: Book = {
  kind: 'collection',
  table: sql`simulator_collections`,
  written: sql`
    provider_id, protocol, reference, payer, amount, amount_minor, currency, external_id, payer_message, payee_note,
    callback_url, return_url, asks_until`,
  columns,
  also: sql`asks_until = null,`,
}

export const settleCollections = (tx: Tx, now: Date): Promise<Settled<StoredCollection>[]> =>
  settleDue(tx, collections, now)

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

/** Handsets that ask a person. Anybody may hold any number's: there are only so many. */
const maxAskingHandsets = 10_000 // limit: handsets that ask their owner

/** Remembers a handset that asks; `false` when there are too many of them. */
export async function keepAsking(tx: Tx, msisdn: string, now: Date): Promise<boolean> {
  // every space: the simulator is the outside world
  const kept = await tx.run(sql`
    insert into simulator_handsets (msisdn, mode, set_at)
    select ${msisdn}, 'ask', ${now}
    where (select count(*) from simulator_handsets where msisdn <> ${msisdn}) < ${maxAskingHandsets}
    on conflict (msisdn) do update set mode = excluded.mode, set_at = excluded.set_at`)
  return kept > 0
}

/** One that approves by itself is like one that nobody used. */
export async function forgetMode(tx: Tx, msisdn: string): Promise<void> {
  // every space: the simulator is the outside world
  await tx.run(sql`delete from simulator_handsets where msisdn = ${msisdn}`)
}

export async function countPrompts(db: Reader, msisdn: string, now: Date): Promise<number> {
  // every space: the simulator is the outside world
  const counted = await db.one<{ count: number }>(sql`
    select count(*)::int as count from simulator_collections
    where payer = ${msisdn} and asks_until > ${now} and return_url is null`)
  return counted?.count ?? 0
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

const maxPrompts = 100 // limit: prompts of a simulated rail that are listed

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
    ${insertOutcomes(sql`answered`, 'collection', now, outcomes)}`)
  return planned > 0
}
