import type { Tx } from '../../platform/db/database.ts'
import type { Environment } from '../../platform/scope.ts'
import { type Decider, writeAuditEntry } from '../../tenants/spaces/audit.ts'
import { installationScope } from '../../tenants/spaces/chained-changes.ts'

/** The actions by finance that are recorded in the installation's chain. */
export const signedActions = {
  importStatement: { action: 'reconciliation.import_statement', objectType: 'statement' },
  closeDay: { action: 'reconciliation.close_day', objectType: 'closed_day' },
  reopenDay: { action: 'reconciliation.reopen_day', objectType: 'closed_day' },
  closeItem: { action: 'reconciliation.close_item', objectType: 'item_closing' },
} as const

/** The id of a row as it appears in its audit entry, and the details of that entry. */
export type Signed = { objectId: string; details: object }

/** The actor recorded for an import that was not made by a user. */
export const importCommand = 'pesewa reconcile import'
export const importReason = 'imported'

export const writeSigned = (
  tx: Tx,
  environment: Environment,
  decider: Decider,
  did: keyof typeof signedActions,
  signed: Signed,
): Promise<void> =>
  writeAuditEntry(tx, installationScope(environment), decider, { ...signedActions[did], ...signed })
