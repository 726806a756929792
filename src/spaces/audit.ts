import type { Tx } from '../platform/db/database.ts'
import { type Sql, sql } from '../platform/db/sql.ts'
import { newId } from '../platform/ids.ts'
import { Faults } from '../platform/refusals.ts'
import { environments, type Scope } from '../platform/scope.ts'
import { type AuditEntry, insertAuditEntry } from './store.ts'

export { type AuditEntry, auditColumns, selectAuditEntries as findAuditEntries } from './store.ts'

/** Wakes the books: there is something to chain. */
export const unchainedChannel = 'unchained'

/** Marks the Spaces of `rows` as having something to chain. */
export const markUnchained = (rows: Sql): Sql =>
  sql`insert into unchained (space_id, environment) select distinct space_id, environment from ${rows}`

/** Who decides by a command, and why, in the operator's own words. */
export type Decider = { by: string; reason: string }

export const maxActorLength = 100 // limit: who decided, in an audit entry
const maxReasonLength = 500 // limit: why, in an audit entry

/** Records what a person decided about an object, in the transaction that does it. Never changed afterwards. */
export async function writeAuditEntry(
  tx: Tx,
  scope: Scope,
  decider: Decider,
  done: Pick<AuditEntry, 'action' | 'objectType' | 'objectId' | 'details'>,
): Promise<void> {
  const { by: actor, reason } = checkDecider(decider)
  const at = new Date()
  await insertAuditEntry(tx, { ...scope, ...done, id: newId(at), at, actor, reason })
  tx.wake(unchainedChannel)
}

/** Records what was decided about a Space as a whole, or about its people: in both environments. */
export async function writeSpaceEntry(
  tx: Tx,
  spaceId: string,
  decider: Decider,
  done: Pick<AuditEntry, 'action' | 'objectType' | 'objectId' | 'details'>,
): Promise<void> {
  for (const environment of environments) await writeAuditEntry(tx, { spaceId, environment }, decider, done)
}

/** Returns who decides and why, as they are recorded; refuses what is empty or too long. */
export function checkDecider({ by, reason }: Decider): Decider {
  const faults = new Faults()
  const decider = { by: by.trim(), reason: reason.trim() }
  if (!isWithin(decider.by, maxActorLength)) faults.add('by', `must have 1 to ${maxActorLength} characters`)
  if (!isWithin(decider.reason, maxReasonLength))
    faults.add('reason', `must have 1 to ${maxReasonLength} characters`)
  faults.refuse()
  return decider
}

/** Counted as the shapes of the API count: a character beyond the first 65 536 is one, too. */
const isWithin = (text: string, max: number) => text.length > 0 && [...text].length <= max
