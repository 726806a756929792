-- A checkout session can be paid by dialling a code of its own, which is not one of the merchant's payment codes.
alter table payment_codes add column checkout_session_id uuid;
alter table payment_codes add constraint payment_codes_session_check check (
  checkout_session_id is null or (mode = 'one_time' and status = 'pending' and paid_count = 0 and amount is not null));
create unique index payment_codes_session on payment_codes (space_id, environment, checkout_session_id)
  where checkout_session_id is not null;

-- The merchant's lists skip the codes of sessions without reading them.
create index payment_codes_own on payment_codes (space_id, environment, id) where checkout_session_id is null;
drop index payment_codes_kind;
create index payment_codes_kind on payment_codes (space_id, environment, mode, status, id)
  where checkout_session_id is null;

-- The seals of existing rows do not change.
create or replace function payment_code_terms(c payment_codes) returns text language sql stable as $$
  select row(c.number, c.mode, c.name, c.amount, c.currency, c.enabled, c.customer_name, c.reference, c.authorized_providers,
    c.authorized_phone_number, c.expected_count, c.expected_total, c.financial_account_id, c.metadata, c.expires_at,
    c.created_at)::text || coalesce(' of ' || c.checkout_session_id, '')
$$;
