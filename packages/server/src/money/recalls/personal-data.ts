import type { OtherObligation } from '../../tenants/retention/records.ts'
import { selectRecalled } from './store.ts'

/** A payee's account is needed while the return of a payout is requested. */
export const openRecalls: OtherObligation = {
  types: ['payout'],
  reason: 'open_recall',
  among: (db, scope, _type, keys) => selectRecalled(db, scope, keys),
}
