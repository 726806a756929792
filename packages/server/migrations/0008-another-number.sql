-- A payer can start another attempt while one is in flight. The first attempt to complete pays the session; the money of
-- any later one is returned.

-- The attempt in flight beside which this one was started; null if there was none.
alter table payments add column supersedes uuid;
alter table payments add constraint payments_supersedes_check check (supersedes is null or origin_type = 'checkout_session');

-- An attempt can be superseded only once while its successor is in flight. The program limits how many are in flight.
drop index payments_in_flight;
create unique index payments_in_flight on payments (space_id, environment, origin_id, supersedes) nulls not distinct
  where status in ('pending', 'processing') and origin_type = 'checkout_session';

-- The seals of existing rows do not change.
create or replace function payment_terms(p payments) returns text language sql stable as $$
  select row(p.amount, p.currency, p.order_id, p.order_number, p.origin_type, p.origin_id, p.financial_account_id,
    p.channel_type, p.provider_id, p.payer_account,
    case when p.channel_type <> 'card' then p.payer_fingerprint end, p.rail_reference,
    p.origin_metadata, p.created_at)::text
    || case when num_nonnulls(p.redirect_url, p.guidance) > 0 then row(p.redirect_url, p.guidance)::text else '' end
    || coalesce(' supersedes ' || p.supersedes, '')
$$;
