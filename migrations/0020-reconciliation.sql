-- Files that the operator imported. They tell of the operator's account at a provider, which all Spaces share, and so
-- belong to none.
create table statements (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  file_name text not null,
  -- what it tells of: from a moment on, until before another, by the provider's clock
  from_at timestamptz not null,
  until_at timestamptz not null,
  lines integer not null,
  new_lines integer not null,
  -- the operator's affair: real time
  imported_at timestamptz not null,
  check (from_at <= until_at),
  check (new_lines between 0 and lines)
);
create index statements_provider on statements (provider_id, environment);

-- What a provider says that it moved. A line belongs to no Space until it is matched.
create table statement_lines (
  provider_id text not null,
  environment environment not null,
  -- the provider's, and never given twice
  id text not null,
  statement_id bigint not null,
  -- where it stands in the file
  line integer not null,
  moved_at timestamptz not null,
  direction text not null check (direction in ('collection', 'disbursement')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- ours, as the provider was told
  reference text,
  rail_transaction text,
  -- the line of a clearing account that it is matched with
  space_id uuid,
  account_id uuid,
  seq bigint,
  primary key (provider_id, environment, id),
  check (num_nonnulls(space_id, account_id, seq) in (0, 3))
);
create unique index statement_lines_matched on statement_lines (space_id, environment, account_id, seq)
  include (amount) where space_id is not null;
create index statement_lines_open on statement_lines (provider_id, environment, moved_at, id) where space_id is null;

-- Lines of clearing accounts that no statement has told of yet, with what a statement may call them by. A line is here
-- from when reconciliation first sees it until it is matched.
create table open_clearing_lines (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  provider_id text not null,
  direction text not null check (direction in ('collection', 'disbursement')),
  -- as a statement tells it: positive when money moved that way
  amount bigint not null,
  currency text not null,
  object_type text,
  object_id uuid,
  rail_reference text,
  rail_transaction text,
  order_number text,
  booked_at timestamptz not null,
  primary key (space_id, environment, account_id, seq)
);
create index open_clearing_lines_reference on open_clearing_lines (rail_reference);
create index open_clearing_lines_transaction on open_clearing_lines (rail_transaction);
create index open_clearing_lines_order on open_clearing_lines (order_number);
create index open_clearing_lines_object on open_clearing_lines (object_id);

-- The same three columns, the reference first: a statement names it and not the Space.
drop index payments_rail_reference;
create unique index payments_rail_reference on payments (rail_reference, space_id, environment);
drop index payouts_rail_reference;
create unique index payouts_rail_reference on payouts (rail_reference, space_id, environment);
