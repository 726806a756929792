import type { AnyTx } from '../../platform/db/database.ts'
import { type Sql, sql } from '../../platform/db/sql.ts'
import { newId } from '../../platform/ids.ts'
import { Issues } from '../../platform/refusals.ts'
import { environments, type Scope } from '../../platform/scope.ts'
import { type AuditEntry, insertAuditEntry } from './store.ts'

/** The channel on which the books are notified of entries to be added to the chain. */
export const unchainedChannel = 'unchained'

/** Returns a statement that marks the Spaces of `rows` as having entries to be added to the chain. */
export const markUnchained = (rows: Sql): Sql =>
  sql`insert into unchained (space_id, environment) select distinct space_id, environment from ${rows}`

/** The operator or member who made a decision, and their reason. */
export type Decider = { by: string; reason: string }

export const maxActorLength = 100 // maximum number of characters of the actor in an audit entry
const maxReasonLength = 500 // maximum number of characters of the reason in an audit entry

/** Writes an audit entry in the transaction that makes the change it describes. Entries never change. */
export async function writeAuditEntry(
  tx: AnyTx,
  scope: Scope,
  decider: Decider,
  done: Pick<AuditEntry, 'action' | 'objectType' | 'objectId' | 'details'>,
): Promise<void> {
  const { by: actor, reason } = readDecider(decider)
  const at = new Date()
  await insertAuditEntry(tx, { ...scope, ...done, id: newId(at), at, actor, reason })
  tx.wake(unchainedChannel)
}

/** Writes an audit entry about a whole Space or its members, in both environments. */
export async function writeSpaceEntry(
  tx: AnyTx,
  spaceId: string,
  decider: Decider,
  done: Pick<AuditEntry, 'action' | 'objectType' | 'objectId' | 'details'>,
): Promise<void> {
  for (const environment of environments) await writeAuditEntry(tx, { spaceId, environment }, decider, done)
}

/**
 * Returns the actor and the reason as they are stored, without leading and trailing spaces. Refuses them if
 * they are empty or too long.
 */
export function readDecider({ by, reason }: Decider): Decider {
  const issues = new Issues()
  const decider = { by: by.trim(), reason: reason.trim() }
  if (!isWithin(decider.by, maxActorLength)) issues.add('by', `must be 1 to ${maxActorLength} characters`)
  if (!isWithin(decider.reason, maxReasonLength))
    issues.add('reason', `must be 1 to ${maxReasonLength} characters`)
  issues.refuse()
  return decider
}

/**
 * Returns whether a text is not empty and has at most `max` characters. It counts code points, as the API's
 * schemas do, so a character outside the BMP counts once.
 */
const isWithin = (text: string, max: number) => text.length > 0 && [...text].length <= max
