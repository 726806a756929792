import { must } from '@pesewa/values'
import type { Tx } from '../../platform/db/database.ts'
import { Refusal } from '../../platform/refusals.ts'
import { type Decider, readDecider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { insertClosing, selectClosing, selectOpenItem } from './closing-store.ts'
import { lockOrRefuse } from './imports.ts'
import { type ItemName, showItem } from './item-names.ts'
import type { ItemState } from './report-store.ts'
import { writeSigned } from './signed.ts'

/**
 * Closes an open item by hand when an operator knows why it will never be matched. An item can be closed only
 * once. No money moves and nothing is removed: reports still show the item, with the reason and the name of the
 * person who closed it.
 *
 * @throws Refusal `not_found`; `state_conflict` if the item is already closed or no statement covers its time
 * yet; `arguments_invalid`
 */
export async function closeItem(
  tx: Tx,
  name: ItemName,
  decider: Decider,
  at: Date,
): Promise<{ state: ItemState; closedAt: Date }> {
  const { by, reason } = readDecider(decider)
  await lockOrRefuse(tx)
  const earlier = await selectClosing(tx, name)
  if (earlier)
    throw new Refusal('state_conflict', {
      message: `This item was closed at ${earlier.closedAt.toISOString()} by ${earlier.closedBy}: ${earlier.reason}`,
    })
  const item = await selectOpenItem(tx, name)
  if (!item) throw new Refusal('not_found', { message: 'There is no such open item.' })
  if (item.state === 'awaited')
    throw new Refusal('state_conflict', {
      message: 'No statement covers the time of this item yet. Import a statement first.',
    })
  const signed = await insertClosing(tx, { ...item, closedAt: at, closedBy: by, reason })
  await writeSigned(tx, item.environment, decider, 'closeItem', signed)
  // Also recorded in the audit entries of the Space that has the line.
  if (item.spaceId)
    await writeAuditEntry(tx, { spaceId: item.spaceId, environment: item.environment }, decider, {
      action: 'reconciliation.close_item',
      objectType: 'financial_transaction',
      objectId: must(item.bookedId, 'line of a booked item'),
      details: { item: showItem(name), state: item.state },
    })
  return { state: item.state, closedAt: at }
}
