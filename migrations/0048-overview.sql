-- What moved over a clearing account on a day, in the time zone of its Space, by the type of what it moved for. Positive came in at
-- the provider.
create table clearing_days (
  space_id uuid not null,
  environment environment not null,
  date date not null,
  account_id uuid not null,
  type text not null,
  -- Beyond what a balance can be: money goes to and fro.
  amount numeric(38, 0) not null,
  count bigint not null,
  primary key (space_id, environment, date, account_id, type)
);

-- Up to which line of its account that is summed.
create table clearing_tallies (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  primary key (space_id, environment, account_id)
);

create index ledger_accounts_clearing_rows on ledger_accounts (space_id, environment, id) where kind = 'clearing';
