import { linesOfReference, type PostingForm, postedSubject } from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex, mapRows } from '../../platform/db/walk.ts'
import { feesOf, fitsTransaction, heldChecks, transactionChecks } from '../../rails/instructions/checks.ts'
import { isSameUnlessErased } from '../../tenants/retention/person.ts'
import { rowsNamedBy } from '../../tenants/spaces/since.ts'

const refunds = postedSubject(sql`refunds`)

/** The payments to which these refunds belong. */
const payments: Subject = {
  all: [alongIndex(sql`payments`, sql`space_id, environment, id`)],
  since: (at) => refunds.since(at).map((walk) => mapRows(walk, paymentsOf)),
}
const paymentsOf = rowsNamedBy(sql`payments`, sql`payment_id`)

export const refundPostings: PostingForm = {
  type: 'refund',
  fits: fitsTransaction,
  clears: ['disbursement'],
}

/** How refunds are identified in provider statements. */
export const reconciledRefunds: ReconciledType = {
  type: 'refund',
  table: sql`refunds`,
  orderNumber: sql`null::text`,
}

export const refundChecks: Check[] = [
  ...transactionChecks({
    noun: 'refund',
    direction: 'disbursement',
    kind: sql`(case p.method when 'payout' then 'disburse' else 'refund' end)`,
    table: sql`refunds`,
    about: refunds,
    account: sql`p.payer_account`,
    original: sql`(case p.method when 'provider_refund' then p.original end)`,
    isUnsent: sql`(p.hold_id is null or p.approval in ('required', 'rejected'))`,
    moved: sql`p.net`,
    returnedFee: sql`p.returned_fee`,
    endColumns: sql`, p.completed_at, nullif(p.returned_fee, 0)`,
    moves: "the payer's amount and its fees, from its account",
  }),
  ...heldChecks({ noun: 'refund', table: sql`refunds`, about: refunds }, sql`p.net + ${feesOf(sql`p`)}`),
  {
    name: "a payment's refunded and reserved amounts match its refunds",
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.refund_count, p.refund_reserved::text, p.refunded::text,
        p.refund_excess::text, stated.count::text, stated.reserved::text as of_refunds, stated.refunded::text as completed,
        stated.excess::text as late_beyond
      from ${rows} p
      cross join lateral (
        select count(*) filter (where status not in ('failed', 'cancelled')) as count,
          coalesce(sum(reserved), 0) as reserved,
          coalesce(sum(amount) filter (where status = 'completed'), 0) as refunded,
          coalesce(sum(amount - reserved) filter (where status = 'failed' and exists (
            select 1 from ledger_cases c
            where c.space_id = r.space_id and c.environment = r.environment and c.object_id = r.id
              and c.object_type = 'refund' and c.kind = 'success_after_failure'
          )), 0) as excess
        from refunds r
        where r.space_id = p.space_id and r.environment = p.environment and r.payment_id = p.id
      ) stated
      where (p.refund_count, p.refund_reserved, p.refunded, p.refund_excess)
        <> (stated.count, stated.reserved, stated.refunded, stated.excess)`,
  },
  {
    name: "a payment's late amount matches its closed case",
    about: payments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.late_received::text, late.amount::text as of_cases
      from ${rows} p
      cross join lateral (
        select coalesce(sum(amount), 0) as amount from ledger_cases c
        where c.space_id = p.space_id and c.environment = p.environment and c.object_id = p.id
          and c.object_type = 'payment' and c.kind = 'success_after_failure' and c.closed_at is not null
      ) late
      where p.late_received not in (0, late.amount)`,
  },
  {
    name: 'every refund belongs to a payment of the same account, currency and payer',
    about: refunds,
    differences: (rows) => sql`
      select r.space_id, r.environment, r.id, r.payment_id
      from ${rows} r
      where ${isUnarchived(sql`r.payment_id`)} and not exists (
        select 1 from payments p
        where p.space_id = r.space_id and p.environment = r.environment and p.id = r.payment_id
          and (p.financial_account_id, p.currency, p.provider_id, p.channel_type, p.rail_reference::text)
            = (r.financial_account_id, r.currency, r.provider_id, r.destination_type, r.original ->> 'reference')
          and ${isSameUnlessErased(sql`p.payer_account`, sql`r.payer_account`)})`,
  },
  {
    name: 'every line of a completed refund reverses a line of its payment',
    about: refunds,
    differences: (rows) => sql`
      select r.space_id, r.environment, r.id, line.id as line_id, line.reversed_reference
      from ${rows} r
      cross join lateral (
        select ledger_reference from payments p
        where p.space_id = r.space_id and p.environment = r.environment and p.id = r.payment_id
          and ${isUnarchived(sql`p.id`)} offset 0
      ) p
      cross join lateral ${linesOfReference(sql`r`, sql`r.ledger_reference`)} line
      where r.status = 'completed' and p.ledger_reference is not null and line.is_financial
        and (line.fee_code is null or line.amount > 0)
        and not exists (
          select 1 from ${linesOfReference(sql`r`, sql`p.ledger_reference`)} original
          where original.id = line.reversed_line_id and line.reversed_reference = p.ledger_reference
            and original.account_id = line.account_id and sign(original.amount) = -sign(line.amount)
            and original.fee_code is not distinct from line.fee_code)`,
  },
]
