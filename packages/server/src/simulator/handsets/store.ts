import type { HandsetMode } from '@pesewa/connector-kit/simulator'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

const maxPromptsShown = 10
const maxNoticesShown = 10

/**
 * An entry on a handset: either an open prompt, or a message about its outcome or about money that was
 * received. Numbers are without `+`.
 */
export type HandsetEntry = {
  kind: 'collection' | 'disbursement'
  msisdn: string
  providerId: string
  reference: string
  amountMinor: bigint
  currency: string
  message: string
  status: 'PENDING' | 'SUCCESSFUL' | 'FAILED'
  reason: string | null
  financialTransactionId: bigint | null
  asksUntil: Date | null
  endedAt: Date | null
}

// every space: rails know nothing about Spaces
const columns = sql`
  k.provider_id, k.reference, k.amount_minor, k.currency, k.payer_message as message, k.status, k.reason,
  k.financial_transaction_id, k.ended_at`
const collected = sql`'collection' as kind, ${columns}, k.asks_until`
const disbursed = sql`'disbursement' as kind, ${columns}, null::timestamptz as asks_until`

/** Returns the open prompts and the latest messages of each handset, newest first. */
export function selectShown(db: Reader, msisdns: string[], now: Date) {
  // every space: rails know nothing about Spaces. Each part uses its own index.
  return db.query<HandsetEntry>(sql`
    select handset.msisdn, shown.* from unnest(${msisdns}::text[]) as handset (msisdn) cross join lateral (
      (select ${collected} from simulator_collections k
       where k.payer = handset.msisdn and k.asks_until > ${now} and k.return_url is null
       order by k.created_at desc limit ${maxPromptsShown})
      union all
      (select * from (
        (select ${collected} from simulator_collections k
         where k.payer = handset.msisdn and k.ended_at is not null and k.return_url is null
         order by k.ended_at desc limit ${maxNoticesShown})
        union all
        (select ${disbursed} from simulator_disbursements k
         where k.payee = handset.msisdn and k.moved_at is not null
         order by k.ended_at desc limit ${maxNoticesShown})
       ) notice order by ended_at desc limit ${maxNoticesShown})
    ) shown`)
}

/** Returns whether a prompt is open on a handset. */
export async function isPromptOn(db: Reader, msisdn: string, reference: string, now: Date): Promise<boolean> {
  // every space: rails know nothing about Spaces
  const prompt = await db.one(sql`
    select 1 as waits from simulator_collections
    where payer = ${msisdn} and reference = ${reference} and asks_until > ${now} and return_url is null`)
  return prompt !== undefined
}

/** Returns the modes of those handsets for which a mode has been set. The others approve automatically. */
export function selectModes(db: Reader, msisdns: string[]) {
  // every space: rails know nothing about Spaces
  return db.query<{ msisdn: string; mode: HandsetMode }>(sql`
    select msisdn, mode from simulator_handsets where msisdn = any(${msisdns}::text[])`)
}

/** The number is limited, because anyone can use the handset of any number. */
const maxAskingHandsets = 10_000

/** Sets a handset to ask its user. Returns `false` if too many handsets are already set to ask. */
export async function insertAskingMode(tx: Tx, msisdn: string, now: Date): Promise<boolean> {
  // every space: rails know nothing about Spaces
  const stored = await tx.run(sql`
    insert into simulator_handsets (msisdn, mode, set_at)
    select ${msisdn}, 'ask', ${now}
    where (select count(*) from simulator_handsets where msisdn <> ${msisdn}) < ${maxAskingHandsets}
    on conflict (msisdn) do update set mode = excluded.mode, set_at = excluded.set_at`)
  return stored > 0
}

/** Sets a handset back to approving automatically, which is the default. */
export async function forgetMode(tx: Tx, msisdn: string): Promise<void> {
  // every space: rails know nothing about Spaces
  await tx.run(sql`delete from simulator_handsets where msisdn = ${msisdn}`)
}
