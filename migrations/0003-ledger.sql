-- Balances, one narrow row per account, updated in place (fillfactor leaves room for that).
create table ledger_accounts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null check (kind in ('financial', 'clearing', 'fees', 'suspense', 'funding')),
  -- What the service itself finds the account by: 'main', 'clearing m17 collection', 'fees', …; null for others.
  purpose text,
  currency text not null,
  posted bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  allows_negative boolean not null,
  next_seq bigint not null default 1,
  primary key (space_id, environment, id),
  constraint ledger_accounts_not_overdrawn check (allows_negative or posted >= held)
) with (fillfactor = 50);
create unique index ledger_accounts_purpose on ledger_accounts (space_id, environment, purpose, currency)
  where purpose is not null;

-- What a merchant sees of an account. Shares its id with the ledger account.
create table financial_accounts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  name text not null,
  currency text not null,
  reference text,
  description text,
  uvan text not null,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id)
);
create unique index financial_accounts_reference on financial_accounts (space_id, environment, reference);
create unique index financial_accounts_uvan on financial_accounts (space_id, environment, uvan);

-- Append only. The lines of a reference sum to zero per currency.
create table ledger_lines (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  -- 1, 2, 3, … within the account
  seq bigint not null,
  -- positive: the account was credited
  amount bigint not null check (amount <> 0),
  currency text not null,
  balance_after bigint not null,
  reference text not null,
  -- Lines of the merchant's own accounts; the service's accounts are not shown.
  is_financial boolean not null,
  -- [{"id", "type"}], from the nearest owner outwards; the Space itself is left out.
  owners json not null,
  fee_code text,
  reversed_line_id uuid,
  reversed_reference text,
  at timestamptz not null,
  primary key (space_id, environment, id)
);
create unique index ledger_lines_account on ledger_lines (space_id, environment, account_id, seq);
create index ledger_lines_reference on ledger_lines (space_id, environment, reference);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name;
end $$;
create trigger ledger_lines_append_only before update or delete or truncate on ledger_lines
  for each statement execute function refuse_change();

-- Writes the lines of one posting: locks the distinct accounts in order, then computes every running balance at once.
-- A function because each of its statements sees what was committed while it waited for the locks, in one round trip.
create function ledger_post(
  p_space_id uuid, p_environment environment, p_reference text, p_at timestamptz, p_owners json,
  p_ids uuid[], p_account_ids uuid[], p_amounts bigint[], p_fee_codes text[]
) returns setof ledger_lines language plpgsql as $$
begin
  perform 1 from ledger_accounts
  where space_id = p_space_id and environment = p_environment and id = any (p_account_ids)
  order by id for no key update;

  return query
  with wanted as (
    select line.ord, line.id, line.amount, line.fee_code, account.id as account_id, account.currency,
      account.kind = 'financial' as is_financial,
      account.next_seq + row_number() over running - 1 as seq,
      account.posted + sum(line.amount) over running as balance_after
    from unnest(p_ids, p_account_ids, p_amounts, p_fee_codes) with ordinality
      as line (id, account_id, amount, fee_code, ord)
    join ledger_accounts account on account.space_id = p_space_id and account.environment = p_environment
      and account.id = line.account_id
    window running as (partition by account.id order by line.ord)
  ), moved as (
    update ledger_accounts account
    set posted = posted + total.amount, next_seq = next_seq + total.lines
    from (select account_id, sum(amount)::bigint as amount, count(*) as lines from wanted group by account_id) total
    where account.space_id = p_space_id and account.environment = p_environment and account.id = total.account_id
  )
  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, fee_code, at)
  select p_space_id, p_environment, id, account_id, seq, amount, currency, balance_after, p_reference,
    is_financial, p_owners, fee_code, p_at
  from wanted order by ord
  returning *;

  if (select count(*) from ledger_lines
      where space_id = p_space_id and environment = p_environment and id = any (p_ids)) <> cardinality(p_ids) then
    raise exception 'a posting names an account that does not exist';
  end if;
  if exists (select 1 from ledger_lines
      where space_id = p_space_id and environment = p_environment and id = any (p_ids)
      group by currency having sum(amount) <> 0) then
    raise exception 'a posting must balance in every currency';
  end if;
end $$;

-- Money that arrived where it was not expected, waiting in suspense for a person.
create table ledger_cases (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null check (kind in ('success_after_failure')),
  object_type text not null,
  object_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  reference text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (space_id, environment, id)
);
create unique index ledger_cases_object on ledger_cases (space_id, environment, object_type, object_id, kind);
