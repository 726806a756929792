-- Money between two accounts of the merchant's own.
create table internal_transfers (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  source_account_id uuid not null,
  destination_account_id uuid not null check (destination_account_id <> source_account_id),
  description text,
  -- null: at once
  execute_at timestamptz,
  ledger_reference text,
  failure_code text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null))
);

-- Money of an account that is reserved: it is still posted there, and no longer available.
create table ledger_holds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount > 0),
  captured bigint not null default 0 check (captured >= 0),
  released bigint not null default 0 check (released >= 0),
  -- What it was made for: {"id", "type"}
  owner json not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  -- Open for as long as a part is neither captured nor released.
  check (captured + released <= amount)
);
create index ledger_holds_open on ledger_holds (space_id, environment, account_id) where captured + released < amount;
create index internal_transfers_source on internal_transfers (space_id, environment, source_account_id, id);
create index internal_transfers_destination on internal_transfers (space_id, environment, destination_account_id, id);
create index internal_transfers_waiting on internal_transfers (space_id, environment, status, id)
  where status <> 'completed';

-- A reference begins with the millisecond of its posting, and so do the ids of its lines: the primary key finds them.
-- An index of its own would cost every posting a fifth of its time.
drop index ledger_lines_reference;

-- The least id that a line of this reference can have: `20261121-101500123-7k2m9x` is 2026-11-21 10:15:00.123 UTC.
-- Null for a text that is no reference.
create function ledger_reference_start(reference text) returns uuid language sql immutable strict parallel safe as $$
  select case when reference ~ '^\d{4}(0[1-9]|1[0-2])([0-2]\d|3[01])-([01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}-' then
    rpad(lpad(to_hex((extract(epoch from make_timestamp(
      substr(reference, 1, 4)::int, substr(reference, 5, 2)::int, substr(reference, 7, 2)::int,
      substr(reference, 10, 2)::int, substr(reference, 12, 2)::int, substr(reference, 14, 2)::int
    )) * 1000)::bigint + substr(reference, 16, 3)::int), 12, '0'), 32, '0')::uuid
  end
$$;

-- The greatest id of the moment that an id begins with.
create function id_moment_end(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select (substr(id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
$$;

-- The greatest id that a line of this reference can have.
create function ledger_reference_end(reference text) returns uuid language sql immutable strict parallel safe as $$
  select id_moment_end(ledger_reference_start(reference))
$$;

-- Retention walks it in order of time; rows come in that order.
drop index idempotency_keys_created;
create index idempotency_keys_created on idempotency_keys using brin (created_at);

-- One row may tell an object's event under several types, and the lines of a posting, which never change, by their
-- reference alone. The data is our own JSON and never read by the database.
alter table events
  add column types text[],
  add column posting text,
  alter column data type text,
  alter column data drop not null,
  alter column object_id drop not null;
update events set types = array[type] where object_type <> 'financial_transaction';
update events set types = '{}', object_id = null, data = null, posting = data::json ->> 'reference'
where object_type = 'financial_transaction';
delete from events later using events earlier
where later.posting is not null and later.types = '{}' and earlier.types = '{}' and later.posting = earlier.posting
  and later.space_id = earlier.space_id and later.environment = earlier.environment and later.id > earlier.id;
alter table events
  drop column type,
  alter column types set not null,
  add check (types = '{}' or (object_id is not null and data is not null)),
  add check (types <> '{}' or posting is not null);

-- The answer of a POST is the resource as its first event tells it: it need not be kept twice.
alter table idempotency_keys add column event_id uuid;
create function event_data(p_space_id uuid, p_environment environment, p_id uuid) returns text
language sql stable strict parallel safe as $$
  select data from events where space_id = p_space_id and environment = p_environment and id = p_id
$$;

-- Writes the lines of many postings: locks the distinct accounts once, in order, judges the postings in theirs, and
-- answers which of them were posted. One that would leave an account with less than is held in it is left out; when
-- `p_strict`, it fails them all. What a line releases of the account's holds is free in the same moment.
drop function ledger_post;
create function ledger_post(
  p_space_id uuid, p_environment environment, p_strict boolean,
  -- the distinct accounts, ascending
  p_accounts uuid[],
  -- one entry for each line, the lines of a posting together: its posting (1, 2, 3, …), its account (in p_accounts)
  p_postings int[], p_ids uuid[], p_account_numbers int[], p_amounts bigint[], p_releases bigint[], p_fee_codes text[],
  p_references text[], p_owners text[], p_ats timestamptz[]
) returns boolean[] language plpgsql
-- Its statements have one good plan each: to plan anew for every batch would cost a small one more than it does.
set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_ids uuid[]; v_kinds text[]; v_currencies text[]; v_financial boolean[]; v_negative boolean[];
  v_posted bigint[]; v_held bigint[]; v_next bigint[];
  v_count int := cardinality(p_ids);
  v_seqs bigint[] := array_fill(0::bigint, array[v_count]);
  v_balances bigint[] := array_fill(0::bigint, array[v_count]);
  v_answers boolean[] := '{}';
  v_first int := 1;
  v_line int;
  v_account int;
  v_fits boolean;
  v_sum bigint;
begin
  -- One by one along the primary key (`offset 0`), in the order of p_accounts: left to its guesses about a Space that has
  -- grown since it last looked, the planner would go through all of its accounts.
  select array_agg(id), array_agg(kind), array_agg(currency), array_agg(kind = 'financial'),
    array_agg(allows_negative), array_agg(posted), array_agg(held), array_agg(next_seq)
  into v_ids, v_kinds, v_currencies, v_financial, v_negative, v_posted, v_held, v_next
  from (
    select account.* from unnest(p_accounts) as wanted (account_id) cross join lateral (
      select * from ledger_accounts
      where space_id = p_space_id and environment = p_environment and id = wanted.account_id
      for no key update offset 0
    ) account
  ) locked;
  if v_ids is distinct from p_accounts then
    raise exception 'a posting names an account that does not exist, or the accounts are not in order';
  end if;

  while v_first <= v_count loop
    v_line := v_first;
    v_sum := 0;
    while v_line <= v_count and p_postings[v_line] = p_postings[v_first] loop
      v_account := p_account_numbers[v_line];
      v_posted[v_account] := v_posted[v_account] + p_amounts[v_line];
      v_held[v_account] := v_held[v_account] - p_releases[v_line];
      v_seqs[v_line] := v_next[v_account];
      v_balances[v_line] := v_posted[v_account];
      if v_currencies[v_account] <> v_currencies[p_account_numbers[v_first]] then
        raise exception 'a posting must balance in one currency';
      end if;
      v_sum := v_sum + p_amounts[v_line];
      v_next[v_account] := v_next[v_account] + 1;
      v_line := v_line + 1;
    end loop;
    if v_sum <> 0 then
      raise exception 'a posting must balance: its lines sum to %', v_sum;
    end if;
    v_fits := true;
    for l in v_first .. v_line - 1 loop
      v_account := p_account_numbers[l];
      v_fits := v_fits and (v_negative[v_account] or v_posted[v_account] >= v_held[v_account]);
    end loop;
    if not v_fits then
      if p_strict then
        raise exception 'a posting would overdraw an account' using errcode = 'PS001';
      end if;
      for l in v_first .. v_line - 1 loop
        v_account := p_account_numbers[l];
        v_posted[v_account] := v_posted[v_account] - p_amounts[l];
        v_held[v_account] := v_held[v_account] + p_releases[l];
        v_next[v_account] := v_next[v_account] - 1;
        v_seqs[l] := 0;
      end loop;
    end if;
    v_answers := v_answers || v_fits;
    v_first := v_line;
  end loop;

  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, fee_code, at)
  select p_space_id, p_environment, line.id, v_ids[line.account], line.seq, line.amount, v_currencies[line.account],
    line.balance_after, line.reference, v_financial[line.account], line.owners::json, line.fee_code, line.at
  from unnest(p_ids, p_account_numbers, v_seqs, p_amounts, v_balances, p_references, p_owners, p_fee_codes, p_ats)
    as line (id, account, seq, amount, balance_after, reference, owners, fee_code, at)
  where line.seq > 0;

  -- Every one is there, so this only updates; and, again, along the primary key.
  insert into ledger_accounts (space_id, environment, id, kind, currency, allows_negative, posted, held, next_seq)
  select p_space_id, p_environment, changed.*
  from unnest(v_ids, v_kinds, v_currencies, v_negative, v_posted, v_held, v_next) as changed
  on conflict (space_id, environment, id) do update
  set posted = excluded.posted, held = excluded.held, next_seq = excluded.next_seq;
  return v_answers;
end $$;
