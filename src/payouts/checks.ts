import { feesOf, fitsMoved, movedChecks } from '../instructions/checks.ts'
import type { PostingForm } from '../ledger/checks.ts'
import { firstReferenceAt } from '../ledger/reference.ts'
import type { Check, Subject } from '../platform/db/check.ts'
import { sql } from '../platform/db/sql.ts'
import { along } from '../platform/db/walk.ts'
import { firstId } from '../platform/ids.ts'
import type { Reconciled } from '../reconciliation/objects.ts'
import { rowsOf, since } from '../spaces/since.ts'

/** Those that are new were made since, or made before and completed since: a reference begins with its time. */
const payouts: Subject = {
  all: [along(sql`payouts`, sql`space_id, environment, id`)],
  since: (at) => [
    since(sql`payouts`, sql`id`, sql`uuid`, firstId(at)),
    since(sql`payouts`, sql`ledger_reference`, sql`text`, firstReferenceAt(at), sql`and id < ${firstId(at)}`),
  ],
}

const holds = rowsOf(sql`ledger_holds`)

export const payoutPostings: PostingForm = {
  type: 'payout',
  fits: fitsMoved,
  clears: ['disbursement'],
}

/** How a provider's statement may name a payout. */
export const reconciledPayouts: Reconciled = {
  type: 'payout',
  table: sql`payouts`,
  orderNumber: sql`null::text`,
}

export const payoutChecks: Check[] = [
  ...movedChecks({
    noun: 'payout',
    direction: 'disbursement',
    kind: sql`'disburse'`,
    table: sql`payouts`,
    about: payouts,
    account: sql`p.payee_account`,
    isUnsent: sql`(p.hold_id is null or p.approval in ('required', 'rejected'))`,
    moves: 'its amount and its fees from its account',
  }),
  {
    name: 'every payout that has not ended holds its amount and fees; completed it has taken them, failed given back',
    about: payouts,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.status, p.amount::text, hold.amount::text as held,
        hold.captured::text, hold.released::text
      from ${rows} p
      left join lateral (
        select * from ledger_holds h
        where h.space_id = p.space_id and h.environment = p.environment and h.id = p.hold_id offset 0
      ) hold on true
      where p.hold_id is not null and (hold.account_id, hold.owner ->> 'type', hold.owner ->> 'id', hold.expires_at,
        hold.amount, hold.captured, hold.released) is distinct from (
        p.financial_account_id, 'payout', p.id::text, null::timestamptz, p.amount + ${feesOf(sql`p`)},
        case p.status when 'completed' then hold.amount else 0 end,
        case p.status when 'failed' then hold.amount else 0 end)`,
  },
  {
    name: 'every open hold of a payout is of one that has not ended',
    about: holds,
    differences: (rows) => sql`
      select hold.space_id, hold.environment, hold.id, hold.owner ->> 'id' as payout
      from ${rows} hold
      where hold.captured + hold.released < hold.amount and hold.owner ->> 'type' = 'payout'
        and not exists (
          select 1 from payouts p
          where p.space_id = hold.space_id and p.environment = hold.environment
            and p.id = (hold.owner ->> 'id')::uuid and p.hold_id = hold.id and p.status in ('pending', 'processing'))`,
  },
]
