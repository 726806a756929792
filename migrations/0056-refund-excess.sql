-- What went back to a payer although its refund had failed, and for which nothing was left of the payment: other refunds had
-- reserved that by then. When they come to nothing, it is gone all the same.
alter table payments
  add column refund_excess bigint not null default 0 check (refund_excess >= 0);

update payments set refund_excess = late.excess
from (
  select r.space_id, r.environment, r.payment_id, sum(r.amount - r.reserved) as excess
  from refunds r
  where r.status = 'failed' and exists (
    select 1 from ledger_cases c
    where c.space_id = r.space_id and c.environment = r.environment and c.object_id = r.id
      and c.object_type = 'refund' and c.kind = 'success_after_failure'
  )
  group by r.space_id, r.environment, r.payment_id
) late
where payments.space_id = late.space_id and payments.environment = late.environment and payments.id = late.payment_id
  and late.excess > 0;
