-- What of a case had come back before: closing it moves the rest, and no more.

alter table ledger_cases
  add column returned bigint not null default 0,
  add constraint ledger_cases_returned check (returned between 0 and
    case when kind = 'failure_after_success' and direction = 'disbursement' then amount else 0 end);

-- Every Space: those that are open say what recalls of their payouts have brought back until now.
update ledger_cases c set returned = (
  select coalesce(sum(r.returned), 0) from recalls r
  where r.space_id = c.space_id and r.environment = c.environment and r.payout_id = c.object_id)
where closed_at is null and kind = 'failure_after_success' and object_type = 'payout';
