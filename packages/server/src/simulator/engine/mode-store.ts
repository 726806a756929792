import type { HandsetMode } from '@pesewa/connector-kit/simulator'
import type { Reader, Tx } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'

export async function findMode(db: Reader, msisdn: string): Promise<HandsetMode> {
  // every space: rails know nothing about Spaces
  const handset = await db.one<{ mode: HandsetMode }>(sql`
    select mode from simulator_handsets where msisdn = ${msisdn}`)
  return handset?.mode ?? 'approve'
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
