-- Payment links get short addresses.

-- Null: the link was created before addresses existed, and its URL carries a signed key.
alter table payment_links add column address text;

-- Every address ever given to a link, in all Spaces: an address alone leads to its link, and none is given twice.
create table payment_link_addresses (
  address text primary key check (address ~ '^[2-9BCDFGHJKMNPQRSTVWXYZ]{8}$'),
  environment environment not null,
  space_id uuid not null,
  payment_link_id uuid not null
);

-- An address decides whose link payers open. Links without one keep their seals.
create or replace function payment_link_terms(l payment_links) returns text language sql stable as $$
  select row(l.status, l.name, l.description, l.line_items, l.currency, l.minimum, l.maximum, l.quantity_minimum,
    l.quantity_maximum, l.reference_label, l.is_reference_required, l.financial_account_id, l.payment_options,
    l.primary_color, l.success_text, l.success_url, l.max_payments, l.metadata, l.expires_at, l.created_at)::text
    || coalesce(' at ' || l.address, '')
$$;
