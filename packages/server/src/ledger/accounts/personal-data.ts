import type { OtherObligation } from '../../tenants/retention/records.ts'
import { selectDisputed } from './case-store.ts'

/** The payer's or payee's account is needed to decide an open case. */
export const openCaseObligation: OtherObligation = {
  types: ['payment', 'payout', 'refund'],
  reason: 'open_case',
  among: selectDisputed,
}
