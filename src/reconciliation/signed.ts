import type { Tx } from '../platform/db/database.ts'
import type { Environment } from '../platform/scope.ts'
import { type Decider, writeAuditEntry } from '../spaces/audit.ts'
import { installationOf } from '../spaces/chained-changes.ts'

/** What finance does that is entered in the chain of the installation. */
export const signedActions = {
  importStatement: { action: 'reconciliation.import_statement', objectType: 'statement' },
  closeDay: { action: 'reconciliation.close_day', objectType: 'closed_day' },
  reopenDay: { action: 'reconciliation.reopen_day', objectType: 'closed_day' },
  closeItem: { action: 'reconciliation.close_item', objectType: 'item_closing' },
} as const

/** A row as its entry names it, and what the entry says of it. */
export type Signed = { objectId: string; details: object }

/** Who imported a statement that no user imported. */
export const importCommand = 'pesewa reconcile import'
export const importReason = 'imported'

export const writeSigned = (
  tx: Tx,
  environment: Environment,
  decider: Decider,
  did: keyof typeof signedActions,
  signed: Signed,
): Promise<void> =>
  writeAuditEntry(tx, installationOf(environment), decider, { ...signedActions[did], ...signed })
