-- The payment that paid the session; null before it is completed, and for sessions completed by earlier releases.
alter table checkout_sessions add column payment_id uuid;
alter table checkout_sessions add constraint checkout_sessions_payment_check
  check (payment_id is null or status = 'completed');

-- The seals of existing rows do not change.
create or replace function checkout_session_outcome(s checkout_sessions) returns text language sql stable as $$
  select case when s.status <> 'pending' then s.status || coalesce(' by ' || s.payment_id, '') end
$$;
