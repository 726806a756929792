-- Months whose rows have been archived, and what remains of them in the books.
-- See docs/decisions/0258-archived-months.md.

-- until_id is the first id that is not archived. A month is archived with everything before it that was not archived yet.
create table archived_months (
  until_id uuid primary key,
  month text not null unique,
  archived_at timestamptz not null,
  archived_by text not null,
  tables jsonb not null,
  dropped_at timestamptz,
  dropped_by text
);

-- The number and balance of an account's last archived line. last_seq is the highest number of a line with an archived id:
-- lines after seq are kept.
create table carried_balances (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  until_id uuid not null,
  seq bigint not null,
  balance bigint not null,
  last_seq bigint not null,
  digest bytea not null,
  primary key (space_id, environment, account_id, until_id),
  check (seq >= 0 and last_seq >= seq)
);

-- Links that lost seals or audit entries when a month was archived: a digest of what they had in the month, and a digest of what they
-- have left.
create table archived_links (
  space_id uuid not null,
  environment environment not null,
  number_from bigint not null,
  until_id uuid not null,
  number_to bigint not null,
  archived bytea,
  kept bytea,
  primary key (space_id, environment, number_from, until_id),
  check (number_from <= number_to)
);

-- What was archived of the books of a Space. The digest covers that of the month before, and is in an audit entry.
create table archived_books (
  space_id uuid not null,
  environment environment not null,
  until_id uuid not null,
  digest bytea not null,
  primary key (space_id, environment, until_id)
);

-- Rows with lower ids have been archived, or are kept because they are still needed.
create or replace function archived_until() returns uuid
language sql stable parallel safe as $$
  select coalesce((select until_id from archived_months order by until_id desc limit 1),
    '00000000-0000-0000-0000-000000000000')
$$;

-- The number of an account's first line that has not been archived.
create or replace function first_seq(p_space_id uuid, p_environment environment, p_account_id uuid) returns bigint
language sql stable parallel safe as $$
  select coalesce((
    select seq from carried_balances
    where space_id = p_space_id and environment = p_environment and account_id = p_account_id
    order by until_id desc limit 1), 0) + 1
$$;

-- The balance of an account after a line, which may be its last archived one. Null if the line does not exist.
create or replace function balance_after_line(p_space_id uuid, p_environment environment, p_account_id uuid, p_seq bigint)
returns bigint
language sql stable parallel safe as $$
  select coalesce(
    (select balance_after from ledger_lines
    where space_id = p_space_id and environment = p_environment and account_id = p_account_id and seq = p_seq
    limit 1),
    (select balance from carried_balances
    where space_id = p_space_id and environment = p_environment and account_id = p_account_id and seq = p_seq
    order by until_id desc limit 1))
$$;

create or replace function ledger_seq_near(p_space_id uuid, p_environment environment, p_account_id uuid, p_at timestamptz)
returns bigint
language plpgsql stable as $$
declare
  v_low bigint := first_seq(p_space_id, p_environment, p_account_id); v_high bigint; v_middle bigint; v_at timestamptz;
begin
  select seq + 1 into v_high from ledger_lines
  where space_id = p_space_id and environment = p_environment and account_id = p_account_id
  order by seq desc limit 1;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select at into v_at from ledger_lines
    where space_id = p_space_id and environment = p_environment and account_id = p_account_id and seq = v_middle;
    if v_at < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

-- The digest of a carried balance: the one of the month before, the terms of the account, and the ranges of lines in between.
create or replace function carried_digest(c carried_balances) returns bytea
language sql stable
set timezone to 'UTC' set datestyle to 'ISO' as $$
  -- every space: limited to the Space of the carried balance
  select digest_of(row(before.digest, before.seq, c.seq, c.balance, c.last_seq, c.until_id, account.kind, account.purpose,
      account.currency, account.allows_negative, financial.currency, financial.uvan, financial.created_at)::text
    || coalesce((
      select string_agg(row(seq_from, seq_to, digest)::text, e'\n' order by seq_to) from book_ranges range
      where range.space_id = c.space_id and range.environment = c.environment and range.account_id = c.account_id
        and range.seq_to > coalesce(before.seq, 0) and range.seq_to <= c.seq), ''))
  from ledger_accounts account
  left join financial_accounts financial on financial.space_id = account.space_id
    and financial.environment = account.environment and financial.id = account.id
  left join lateral (
    select digest, seq from carried_balances earlier
    where earlier.space_id = c.space_id and earlier.environment = c.environment and earlier.account_id = c.account_id
      and earlier.until_id < c.until_id
    order by until_id desc limit 1
  ) before on true
  where account.space_id = c.space_id and account.environment = c.environment and account.id = c.account_id
$$;

-- The digest of what was archived of the books of a Space.
create or replace function archived_books_digest(p_space_id uuid, p_environment environment, p_until_id uuid) returns bytea
language sql stable as $$
  select digest_of(concat_ws(e'\n', p_until_id, (
    select digest::text from archived_books
    where space_id = p_space_id and environment = p_environment and until_id < p_until_id order by until_id desc limit 1
  ), (
    select string_agg(row(account_id, seq, balance, last_seq, digest)::text, e'\n' order by account_id) from carried_balances
    where space_id = p_space_id and environment = p_environment and until_id = p_until_id
  ), (
    select string_agg(row(number_from, number_to, archived, kept)::text, e'\n' order by number_from) from archived_links
    where space_id = p_space_id and environment = p_environment and until_id = p_until_id
  )))
$$;
