-- A call posts for many Spaces at once: each account is named with its Space and environment, and a line belongs where its
-- account does. All accounts are locked in one order, that of their names, whatever their Spaces.

drop function ledger_post(uuid, environment, boolean, uuid[], int[], uuid[], int[], bigint[], bigint[], text[], text[],
  text[], timestamptz[]);

-- Writes postings, judged in the order in which they are given: posting 1, 2, 3, … each is posted, or left out when it
-- would leave an account with less than is held in it. Answers of each whether it was posted. With p_strict, one that
-- does not fit fails all of it, and the error's detail numbers those that did not.
create function ledger_post(
  p_strict boolean, p_space_ids uuid[], p_environments environment[], p_accounts uuid[], p_postings int[], p_ids uuid[],
  p_account_numbers int[], p_amounts bigint[], p_releases bigint[], p_fee_codes text[], p_references text[],
  p_owners text[], p_ats timestamptz[]
) returns boolean[] language plpgsql set plan_cache_mode = force_generic_plan as $$
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
  v_lead int;
  v_fits boolean;
  v_sum bigint;
begin
  -- One by one along the primary key (`offset 0`), in the order of p_accounts: left to its guesses about a Space that has
  -- grown since it last looked, the planner would go through all of its accounts.
  select array_agg(id), array_agg(kind), array_agg(currency), array_agg(kind = 'financial'),
    array_agg(allows_negative), array_agg(posted), array_agg(held), array_agg(next_seq)
  into v_ids, v_kinds, v_currencies, v_financial, v_negative, v_posted, v_held, v_next
  from (
    select account.* from unnest(p_space_ids, p_environments, p_accounts) as wanted (space_id, environment, account_id)
    cross join lateral (
      select * from ledger_accounts a
      where a.space_id = wanted.space_id and a.environment = wanted.environment and a.id = wanted.account_id
      for no key update offset 0
    ) account
  ) locked;
  if v_ids is distinct from p_accounts then
    raise exception 'a posting names an account that does not exist';
  end if;

  while v_first <= v_count loop
    v_line := v_first;
    v_lead := p_account_numbers[v_first];
    v_sum := 0;
    while v_line <= v_count and p_postings[v_line] = p_postings[v_first] loop
      v_account := p_account_numbers[v_line];
      v_posted[v_account] := v_posted[v_account] + p_amounts[v_line];
      v_held[v_account] := v_held[v_account] - p_releases[v_line];
      v_seqs[v_line] := v_next[v_account];
      v_balances[v_line] := v_posted[v_account];
      if v_currencies[v_account] <> v_currencies[v_lead] then
        raise exception 'a posting must balance in one currency';
      end if;
      if p_space_ids[v_account] <> p_space_ids[v_lead] or p_environments[v_account] <> p_environments[v_lead] then
        raise exception 'a posting must be of one Space and environment';
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

  if p_strict and false = any (v_answers) then
    raise exception 'a posting would overdraw an account' using errcode = 'PS001',
      detail = (select string_agg(number::text, ' ') from unnest(v_answers) with ordinality as answer (fits, number)
        where not fits);
  end if;

  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, fee_code, at)
  select p_space_ids[line.account], p_environments[line.account], line.id, v_ids[line.account], line.seq, line.amount,
    v_currencies[line.account], line.balance_after, line.reference, v_financial[line.account], line.owners::json,
    line.fee_code, line.at
  from unnest(p_ids, p_account_numbers, v_seqs, p_amounts, v_balances, p_references, p_owners, p_fee_codes, p_ats)
    as line (id, account, seq, amount, balance_after, reference, owners, fee_code, at)
  where line.seq > 0;

  -- Every one is there, so this only updates; and, again, along the primary key.
  insert into ledger_accounts (space_id, environment, id, kind, currency, allows_negative, posted, held, next_seq)
  select changed.*
  from unnest(p_space_ids, p_environments, v_ids, v_kinds, v_currencies, v_negative, v_posted, v_held, v_next)
    as changed
  on conflict (space_id, environment, id) do update
  set posted = excluded.posted, held = excluded.held, next_seq = excluded.next_seq;
  return v_answers;
end $$;
