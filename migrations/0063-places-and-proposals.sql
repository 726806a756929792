-- Who holds the places of a link while payments are in flight: the prompts that one address has open may hold a share of them.
create table payment_link_places (
  space_id uuid not null,
  environment environment not null,
  -- A session has one payment in flight at most.
  session_id uuid not null,
  payment_link_id uuid not null,
  -- A tag of the payer's address, made with the program's secret.
  caller text not null,
  primary key (space_id, environment, session_id)
);
create index payment_link_places_caller on payment_link_places (space_id, environment, payment_link_id, caller);

-- Limits of approval that somebody wants to raise or to remove, until another member wants the same.
create table approval_limit_proposals (
  space_id uuid not null,
  environment environment not null,
  kind text not null check (kind in ('payout', 'refund')),
  currency text not null,
  -- null: nobody has to approve any more
  amount bigint check (amount >= 0),
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  primary key (space_id, environment, kind, currency)
);
