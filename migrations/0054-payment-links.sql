-- What a merchant makes once and shares; each visit that means to pay gets a checkout session of its own.
create table payment_links (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('active', 'inactive', 'completed', 'expired', 'cancelled')),
  name text not null,
  description text,
  -- as a session takes them; null: the payer types an amount
  line_items json,
  currency text not null,
  -- of an amount that the payer types
  minimum bigint check (minimum > 0),
  maximum bigint check (maximum > 0),
  -- How often the payer may take all items together; null: once.
  quantity_minimum integer check (quantity_minimum > 0),
  quantity_maximum integer,
  -- What the payer is asked for: an invoice's number, a pupil's name.
  reference_label text,
  is_reference_required boolean not null,
  financial_account_id uuid not null,
  payment_options json not null,
  primary_color text,
  success_text text,
  success_url text,
  -- Payments that are done, and those in flight: together never more than the most there may be.
  max_payments integer check (max_payments > 0),
  paid_count integer not null,
  paid_total bigint not null,
  reserved_count integer not null check (reserved_count >= 0),
  metadata json not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (paid_count + reserved_count <= max_payments),
  check (line_items is null or (minimum is null and maximum is null)),
  check (minimum <= maximum),
  check ((quantity_minimum is null) = (quantity_maximum is null)),
  check (quantity_minimum <= quantity_maximum),
  check (success_text is null or success_url is null)
);
create index payment_links_status on payment_links (space_id, environment, status, id);

-- The link that a session was opened from.
alter table checkout_sessions add column payment_link_id uuid;
create index checkout_sessions_payment_link on checkout_sessions (space_id, environment, payment_link_id, id)
  where payment_link_id is not null;

-- Sessions without a link keep the seals that they have.
create or replace function checkout_session_terms(s checkout_sessions) returns text language sql stable as $$
  select row(s.name, s.description, s.reference, s.success_url, s.cancel_url, s.callback_state, s.line_items,
    s.payment_options, s.primary_color, s.financial_account_id, s.order_id, s.order_number, s.amount, s.currency,
    s.metadata, s.expires_at, s.created_at)::text || coalesce(' of ' || s.payment_link_id, '')
$$;

-- Whether payers get a receipt as a text message; a Space without a row sends none.
create table receipt_settings (
  space_id uuid not null,
  environment environment not null,
  is_sent_by_sms boolean not null,
  primary key (space_id, environment)
);
