import type { PostingForm } from '../../ledger/accounts/checks.ts'
import type { ReconciledType } from '../../ledger/accounts/reconciled-types.ts'
import { firstReferenceAt } from '../../ledger/accounts/reference.ts'
import { isUnarchived } from '../../platform/db/archived-months.ts'
import type { Check, Subject } from '../../platform/db/check.ts'
import { sql } from '../../platform/db/sql.ts'
import { alongIndex } from '../../platform/db/walk.ts'
import { fitsTransaction, transactionChecks } from '../../rails/instructions/checks.ts'
import { rowsSince, tableSubject, uniquenessCheck } from '../../tenants/spaces/since.ts'

/**
 * Payments completed since the last check. They are found by their ledger references, which start with a
 * timestamp.
 */
export const completedPayments: Subject = {
  all: [alongIndex(sql`payments`, sql`space_id, environment, id`)],
  since: (at) => [rowsSince(sql`payments`, sql`ledger_reference`, sql`text`, firstReferenceAt(at))],
}

const receipts = tableSubject(sql`receipts`, sql`order_id`)

export const paymentPostings: PostingForm = {
  type: 'payment',
  fits: fitsTransaction,
  clears: ['collection'],
}

/** How payments are identified in provider statements. */
export const reconciledPayments: ReconciledType = {
  type: 'payment',
  table: sql`payments`,
  orderNumber: sql`object.order_number`,
}

export const paymentChecks: Check[] = [
  ...transactionChecks({
    noun: 'payment',
    direction: 'collection',
    kind: sql`'collect'`,
    table: sql`payments`,
    about: completedPayments,
    account: sql`p.payer_account`,
    endColumns: sql`, p.card_scheme, nullif(p.fees, '[]')`,
    moves: 'the gross amount to the merchant, minus its fees',
  }),
  {
    name: 'every completed payment has a receipt with the entitlements of its order, less the units redeemed',
    about: completedPayments,
    differences: (rows) => sql`
      select p.space_id, p.environment, p.id, p.order_number, receipt.remaining::text, granted.units::text as expected
      from ${rows} p
      left join lateral (
        select remaining from receipts receipt
        where receipt.space_id = p.space_id and receipt.environment = p.environment and receipt.order_id = p.order_id
        offset 0
      ) receipt on true
      cross join lateral (
        select array_agg((item ->> 'limit')::integer - coalesce(redeemed.units[place], 0) order by place) as units
        from orders o
        cross join json_array_elements(
          case json_typeof(o.entitlements) when 'array' then o.entitlements else '[]' end
        ) with ordinality as items (item, place)
        left join lateral (
          select array_agg(units order by place) as units from (
            select place, sum(unit)::integer as units from redemptions redemption
            cross join unnest(redemption.units) with ordinality as redeemed (unit, place)
            where redemption.space_id = p.space_id and redemption.environment = p.environment
              and redemption.order_id = p.order_id
            group by place
          ) redeemed
        ) redeemed on true
        where o.space_id = p.space_id and o.environment = p.environment and o.id = p.order_id
      ) granted
      where p.status = 'completed' and receipt.remaining is distinct from granted.units`,
  },
  {
    name: 'every receipt belongs to a completed payment',
    about: receipts,
    differences: (rows) => sql`
      select receipt.space_id, receipt.environment, receipt.order_id
      from ${rows} receipt
      where ${isUnarchived(sql`receipt.order_id`)} and not exists (
        select 1 from orders o
        join payments p on p.space_id = o.space_id and p.environment = o.environment and p.order_number = o.number
        where o.space_id = receipt.space_id and o.environment = receipt.environment and o.id = receipt.order_id
          and p.status = 'completed')`,
  },
  {
    name: 'every redemption belongs to a receipt',
    about: tableSubject(sql`redemptions`, sql`order_id`),
    differences: (rows) => sql`
      select redemption.space_id, redemption.environment, redemption.order_id, redemption.number::text
      from ${rows} redemption
      where not exists (
        select 1 from receipts receipt
        where receipt.space_id = redemption.space_id and receipt.environment = redemption.environment
          and receipt.order_id = redemption.order_id)`,
  },
  uniquenessCheck('no two orders of a Space have the same number', sql`orders`, [
    sql`number`,
    sql`space_id`,
    sql`environment`,
  ]),
  uniquenessCheck('no two payments have the same rail reference', sql`payments`, [
    sql`rail_reference`,
    sql`space_id`,
    sql`environment`,
  ]),
]
