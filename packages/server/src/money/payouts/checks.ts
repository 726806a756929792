import type { PostingForm } from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import { firstReferenceAt } from '../../ledger/accounts/reference.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex } from '../../platform/db/walk.ts'
import { firstId } from '../../platform/ids.ts'
import { feesOf, fitsTransaction, heldChecks, transactionChecks } from '../../rails/instructions/checks.ts'
import { rowsSince } from '../../tenants/spaces/since.ts'

/**
 * Payouts created since the last check, and older ones completed since then. The latter are found by their
 * ledger references, which start with a timestamp.
 */
const payouts: Subject = {
  all: [alongIndex(sql`payouts`, sql`space_id, environment, id`)],
  since: (at) => [
    rowsSince(sql`payouts`, sql`id`, sql`uuid`, firstId(at)),
    rowsSince(
      sql`payouts`,
      sql`ledger_reference`,
      sql`text`,
      firstReferenceAt(at),
      sql`and id < ${firstId(at)}`,
    ),
  ],
}

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
