import type { OtherObligation } from '../../tenants/retention/records.ts'
import { selectAwaited } from './store.ts'

/** Accounts are needed until a provider is no longer asked about them. */
export const openInstructions: OtherObligation = {
  types: ['payment', 'payout', 'refund'],
  reason: 'in_progress',
  among: (db, scope, _type, keys) => selectAwaited(db, scope, keys),
}
