import { type PostingForm, postedSubject } from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import type { Check } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { feesOf, fitsTransaction, heldChecks, transactionChecks } from '../../rails/instructions/checks.ts'

const payouts = postedSubject(sql`payouts`)

export const payoutPostings: PostingForm = {
  type: 'payout',
  fits: fitsTransaction,
  clears: ['disbursement'],
}

/** How payouts are identified in provider statements. */
export const reconciledPayouts: ReconciledType = {
  type: 'payout',
  table: sql`payouts`,
  orderNumber: sql`null::text`,
}

export const payoutChecks: Check[] = [
  ...transactionChecks({
    noun: 'payout',
    direction: 'disbursement',
    kind: sql`'disburse'`,
    table: sql`payouts`,
    about: payouts,
    account: sql`p.payee_account`,
    isUnsent: sql`(p.hold_id is null or p.approval in ('required', 'rejected'))`,
    moves: 'amount and fees leave its account',
  }),
  ...heldChecks({ noun: 'payout', table: sql`payouts`, about: payouts }, sql`p.amount + ${feesOf(sql`p`)}`),
]
