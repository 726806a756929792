import { text, uuid } from '../../platform/db/columns.ts'
import type { Tx } from '../../platform/db/database.ts'
import { selectEach } from '../../platform/db/lookups.ts'
import { globalName, type Scoped } from '../../platform/db/scoped.ts'
import { sql } from '../../platform/db/sql.ts'
import { table } from '../../platform/db/table.ts'
import { unnestScoped } from '../../platform/db/unnest.ts'
import type { LinkedPayment } from '../checkout/session-links.ts'

/**
 * One of a link's payment slots, held by a payment in flight. `caller` identifies the payer's IP address
 * without revealing it.
 */
const places = table('payment_link_places', ['sessionId'], {
  sessionId: uuid,
  paymentLinkId: uuid,
  caller: text,
})

type Holder = Scoped<{ paymentLinkId: string; caller: string }>

/** Returns a key that identifies a caller within a link. */
export const holderName = ({ scope, paymentLinkId, caller }: Holder) =>
  `${globalName(scope, paymentLinkId)} ${caller}`

const byHolder = unnestScoped({ paymentLinkId: uuid, caller: text })

/**
 * Returns the number of slots that each caller holds of each link. The map's keys are from `holderName`. The
 * links' rows must be locked.
 */
export async function countSlotsByHolder(tx: Tx, holders: Holder[]): Promise<Map<string, number>> {
  const unique = [...new Map(holders.map((holder) => [holderName(holder), holder])).values()]
  const counted = await selectEach<{ paymentLinkId: string; caller: string; held: number }>(
    tx,
    byHolder(unique),
    sql`
      select requested.payment_link_id, requested.caller, count(*)::int as held from payment_link_places
      where space_id = requested.space_id and environment = requested.environment
        and payment_link_id = requested.payment_link_id and caller = requested.caller`,
  )
  return new Map(counted.map((holder) => [holderName(holder), holder.held]))
}

const upsert = places.upsert('paymentLinkId', 'caller')

export const holdSlots = (tx: Tx, held: (Holder & { sessionId: string })[]) => tx.run(upsert(held))

const bySession = unnestScoped({ sessionId: uuid })

export const releaseSlots = (tx: Tx, ended: LinkedPayment[]) =>
  tx.run(sql`
    delete from payment_link_places place using ${bySession(ended)}
    where place.space_id = requested.space_id and place.environment = requested.environment
      and place.session_id = requested.session_id`)
