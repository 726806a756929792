-- Money that goes back to its payer.

-- Instructions say whom they are for beside what the rail does: money may go back by a payout, too.
alter table instructions
  add column owner_type text not null default 'payment' check (owner_type in ('payment', 'payout', 'refund')),
  add column original json,
  drop constraint instructions_kind_check,
  add constraint instructions_kind_check check (kind in ('collect', 'disburse', 'refund')),
  add check ((kind = 'refund') = (original is not null));
update instructions set owner_type = 'payout' where kind = 'disburse';
alter table instructions alter column owner_type drop default;

drop index instructions_open;
create index instructions_open on instructions (owner_type, submitted_at, id)
  where state in ('submitting', 'submitted', 'unknown');

-- What a payment has given back, or is about to, stands with the payment: there it is reserved under the payment's lock, and
-- can never come to more than was paid. Of one that failed only what arrived late can go back.
alter table payments
  add column refund_count integer not null default 0 check (refund_count between 0 and 20),
  add column refund_reserved bigint not null default 0,
  add column refunded bigint not null default 0,
  add column late_received bigint not null default 0 check (late_received = 0 or (late_received > 0 and status = 'failed')),
  add constraint payments_refunds check (0 <= refunded and refunded <= refund_reserved and
    refund_reserved <= case status when 'completed' then amount else late_received end);

create table refunds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  pending_reason text check (pending_reason in ('approval', 'insufficient_balance', 'provider_unavailable')),
  payment_id uuid not null,
  order_number text not null,
  -- What is requested, in minor units; with `bearer` payer its fee is taken out of it, and `net` is what the payer gets.
  amount bigint not null,
  net bigint not null check (net > 0),
  -- What of it counts against its payment: nothing once it came to nothing.
  reserved bigint not null check (reserved between 0 and amount),
  currency text not null,
  fees jsonb not null,
  bearer text not null check (bearer in ('merchant', 'payer')),
  -- Of the payment's own fee, what went back to the merchant.
  returned_fee bigint not null default 0 check (returned_fee >= 0),
  financial_account_id uuid not null,
  method text not null check (method in ('provider_refund', 'payout')),
  destination_type text not null,
  provider_id text not null,
  -- E.164, an account number, a wallet id; none of a card
  payer_account text,
  card_scheme text,
  card_last4 text,
  -- The payment's: our reference and the rail's transaction.
  original json not null,
  reason text not null,
  note text,
  payer_message text,
  rail_reference uuid not null,
  rail_transaction text,
  hold_id uuid,
  ledger_reference text,
  failure_code text,
  failure_message text,
  -- A user; none where the operator gave it back.
  created_by uuid,
  approval text check (approval in ('required', 'approved', 'rejected')),
  approval_user_id uuid,
  approval_at timestamptz,
  counts_unapproved boolean not null,
  -- What the payment was for.
  origin json not null,
  payment_metadata json not null,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (space_id, environment, id),
  check (status = 'pending' or pending_reason is null),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'failed') = (failure_code is not null)),
  check (status not in ('processing', 'completed') or hold_id is not null),
  check (status in ('failed', 'cancelled') or reserved = amount),
  check (status <> 'cancelled' or reserved = 0),
  check (method = 'provider_refund' or payer_account is not null),
  check ((approval in ('approved', 'rejected')) = (approval_user_id is not null)),
  check ((approval_user_id is null) = (approval_at is null)),
  check (approval_user_id <> created_by)
);

create index refunds_of_payment on refunds (space_id, environment, payment_id, id);
create index refunds_status on refunds (space_id, environment, status, id);
create unique index refunds_rail_reference on refunds (rail_reference, space_id, environment);
create unique index refunds_ledger_reference on refunds (space_id, environment, ledger_reference)
  where ledger_reference is not null;
create index refunds_rail_transaction on refunds (space_id, environment, rail_transaction, id)
  where rail_transaction is not null;
-- What waits for money, in the order in which it is taken up.
create index refunds_short on refunds (space_id, environment, financial_account_id, id)
  where pending_reason = 'insufficient_balance';
-- What waits in a lane.
create index refunds_waiting on refunds (environment, provider_id) where status = 'pending' and pending_reason is null;
create index refunds_unapproved_by_creator on refunds (space_id, environment, created_by, created_at)
  where counts_unapproved;

-- How a Space wants its refunds.
create table refund_policies (
  space_id uuid not null,
  environment environment not null,
  queues_when_short boolean not null,
  returns_payment_fee boolean not null,
  primary key (space_id, environment)
);

create table refund_approvals_above (
  space_id uuid not null,
  environment environment not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (space_id, environment, currency)
);

-- What of a refund can never change, and how it ended.
create function refund_terms(r refunds) returns text language sql stable as $$
  select row(r.payment_id, r.order_number, r.amount, r.net, r.currency, r.fees, r.bearer, r.financial_account_id, r.method,
    r.destination_type, r.provider_id, r.payer_account, r.reason, r.original, r.rail_reference, r.created_by, r.created_at)::text
$$;

create function refund_outcome(r refunds) returns text language sql stable as $$
  select case when r.status in ('completed', 'failed', 'cancelled') then row(r.status, r.returned_fee, r.rail_transaction,
    r.hold_id, r.ledger_reference, r.failure_code, r.failure_message, r.approval, r.approval_user_id, r.approval_at,
    r.completed_at)::text end
$$;

alter table fee_rules drop constraint fee_rules_code_check,
  add constraint fee_rules_code_check check (code in ('payment', 'payout', 'refund'));

-- The collection that a simulated rail gives back.
alter table simulator_disbursements
  add column refund_of uuid,
  drop constraint simulator_disbursements_protocol_check,
  add constraint simulator_disbursements_protocol_check check (protocol in ('mtn-momo', 'rest', 'acquirer'));

-- A Space reads its cases, the few that are open before all.
create index ledger_cases_open_in_space on ledger_cases (space_id, environment, id) where closed_at is null;
create index ledger_cases_closed_in_space on ledger_cases (space_id, environment, id) where closed_at is not null;

-- Lines that take back others say so.
drop function ledger_post(boolean, uuid[], environment[], uuid[], integer[], uuid[], integer[], bigint[], bigint[], text[],
  text[], text[], timestamptz[]);
create function ledger_post(p_strict boolean, p_space_ids uuid[], p_environments environment[], p_accounts uuid[], p_postings integer[], p_ids uuid[], p_account_numbers integer[], p_amounts bigint[], p_releases bigint[], p_fee_codes text[], p_references text[], p_owners text[], p_ats timestamp with time zone[],
  p_reversed_ids uuid[], p_reversed_references text[])
 RETURNS boolean[]
 LANGUAGE plpgsql
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
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
    is_financial, owners, fee_code, at, reversed_line_id, reversed_reference)
  select p_space_ids[line.account], p_environments[line.account], line.id, v_ids[line.account], line.seq, line.amount,
    v_currencies[line.account], line.balance_after, line.reference, v_financial[line.account], line.owners::json,
    line.fee_code, line.at, line.reversed_id, line.reversed_reference
  from unnest(p_ids, p_account_numbers, v_seqs, p_amounts, v_balances, p_references, p_owners, p_fee_codes, p_ats,
    p_reversed_ids, p_reversed_references)
    as line (id, account, seq, amount, balance_after, reference, owners, fee_code, at, reversed_id, reversed_reference)
  where line.seq > 0;

  -- Every one is there, so this only updates; and, again, along the primary key.
  insert into ledger_accounts (space_id, environment, id, kind, currency, allows_negative, posted, held, next_seq)
  select changed.*
  from unnest(p_space_ids, p_environments, v_ids, v_kinds, v_currencies, v_negative, v_posted, v_held, v_next)
    as changed
  on conflict (space_id, environment, id) do update
  set posted = excluded.posted, held = excluded.held, next_seq = excluded.next_seq;
  return v_answers;
end $function$;

-- Refunds are chained like payouts.
create or replace FUNCTION chain_books(p_space_id uuid, p_environment environment, p_all boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
declare
  -- every space: this names no rows, only what one is made of
  v_link book_links;
  c_events constant int := 1000;
  c_lines constant int := 2000;
  c_lines_of_range constant int := 100;
  v_marks bigint[]; v_audits uuid[]; v_before bytea; v_first bigint; v_objects uuid[]; v_orders uuid[];
  v_is_more boolean; v_is_range_left boolean;
begin
  if not pg_try_advisory_xact_lock(715010, hashtext(p_space_id::text || p_environment)) then
    return false;
  end if;
  -- Before anything else is read: what is marked later is for the next time.
  select array_agg(id), array_agg(audit_id) filter (where audit_id is not null) into v_marks, v_audits from unchained
  where space_id = p_space_id and environment = p_environment;

  select number, hash, position_to, made_at
  into v_link.number, v_before, v_link.position_after, v_link.made_at from book_links
  where space_id = p_space_id and environment = p_environment order by number desc limit 1;
  v_link.space_id := p_space_id;
  v_link.environment := p_environment;
  v_link.number := coalesce(v_link.number, 0) + 1;
  v_link.made_at := greatest(date_trunc('milliseconds', clock_timestamp()),
    v_link.made_at + interval '1 millisecond');

  select count(*), min(position), max(position), coalesce(array_agg(distinct object_id) filter (where object_id is not null), '{}')
  into v_link.event_count, v_first, v_link.position_to, v_objects from (
    select position, case when type <> 'financial_transaction.created' then object_id end as object_id from events
    where space_id = p_space_id and environment = p_environment and position > coalesce(v_link.position_after, -1)
    order by position limit c_events
  ) next;
  -- The first link begins with the first event that is still kept.
  v_link.position_after := coalesce(v_link.position_after, v_first - 1, 0);
  v_link.position_to := coalesce(v_link.position_to, v_link.position_after);
  v_link.events_digest := events_digest(p_space_id, p_environment, v_link.position_after, v_link.position_to);

  with touched as (
    select line.account_id as id from events e
    cross join lateral (
      select account_id from ledger_lines
      where space_id = p_space_id and environment = p_environment and id = e.object_id offset 0
    ) line
    where e.space_id = p_space_id and e.environment = p_environment and e.position > v_link.position_after
      and e.position <= v_link.position_to and e.type = 'financial_transaction.created'
    union
    select id from ledger_accounts
    where space_id = p_space_id and environment = p_environment and purpose is not null
    union
    select id from ledger_accounts where space_id = p_space_id and environment = p_environment and p_all
  ), behind as (
    select account.id, account.next_seq - 1 as last_seq, coalesce(chained.seq_to, 0) as chained_seq
    from touched
    cross join lateral (
      select id, next_seq from ledger_accounts
      where space_id = p_space_id and environment = p_environment and id = touched.id offset 0
    ) account
    left join lateral (
      select seq_to from book_ranges
      where space_id = p_space_id and environment = p_environment and account_id = touched.id
      order by seq_to desc limit 1
    ) chained on true
    where account.next_seq - 1 > coalesce(chained.seq_to, 0)
  ), taken as (
    select id, last_seq, chained_seq,
      case when p_all then last_seq else least(last_seq, chained_seq + c_lines) end as taken_seq
    from behind
  ), made as (
    insert into book_ranges (space_id, environment, account_id, seq_from, seq_to, number, digest)
    select p_space_id, p_environment, id, seq_from, seq_to, v_link.number,
      lines_digest(p_space_id, p_environment, id, seq_from, seq_to)
    from taken
    cross join lateral generate_series(chained_seq + 1, taken_seq, c_lines_of_range) seq_from
    cross join lateral (select least(seq_from + c_lines_of_range - 1, taken_seq) as seq_to) range
    returning account_id, seq_to, digest
  )
  select (select digest_of(string_agg(row(account_id, seq_to, digest)::text, e'\n' order by account_id, seq_to)) from made),
    (select coalesce(bool_or(taken_seq < last_seq), false) from taken)
  into v_link.ranges_digest, v_is_range_left;

  with added as (
    insert into book_audits (space_id, environment, id, number)
    select p_space_id, p_environment, id, v_link.number from unnest(v_audits) as audit (id)
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(id order by id), '{}') into v_link.audits from added;
  v_link.audits_digest := audits_digest(p_space_id, p_environment, v_link.audits);

  if v_link.event_count > 0 or v_link.ranges_digest is not null or v_link.audits_digest is not null then
    v_link.hash := link_hash(v_before, v_link);
    insert into book_links (space_id, environment, number, made_at, position_after, position_to, event_count,
      events_digest, ranges_digest, audits, audits_digest, hash)
    values (p_space_id, p_environment, v_link.number, v_link.made_at, v_link.position_after, v_link.position_to,
      v_link.event_count, v_link.events_digest, v_link.ranges_digest, v_link.audits, v_link.audits_digest, v_link.hash);
  end if;

  v_orders := array(
    select order_id from payments
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select order_id from checkout_sessions
    where space_id = p_space_id and environment = p_environment and id = any (v_objects));
  insert into book_seals (space_id, environment, object_id, object_type, terms, outcome)
  select p_space_id, p_environment, sealed.id, sealed.type, digest_of(sealed.terms), digest_of(sealed.outcome)
  from (
    select 'payment' as type, id, payment_terms(p) as terms, payment_outcome(p) as outcome from payments p
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select 'payout', id, payout_terms(p), payout_outcome(p) from payouts p
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select 'refund', id, refund_terms(r), refund_outcome(r) from refunds r
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select 'checkout_session', id, checkout_session_terms(s), checkout_session_outcome(s) from checkout_sessions s
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select 'payment_code', id, payment_code_terms(c), payment_code_outcome(c) from payment_codes c
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select 'ussd_otp', id, ussd_otp_terms(o), ussd_otp_outcome(o) from ussd_otps o
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    -- What was carried out at once says nothing that its lines do not.
    select 'internal_transfer', id, internal_transfer_terms(t), internal_transfer_outcome(t) from internal_transfers t
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      and (status <> 'completed' or execute_at is not null)
    union all
    select distinct on (id) 'order', id, order_terms(o), null from orders o
    where space_id = p_space_id and environment = p_environment and id = any (v_orders)
  ) sealed
  -- Terms are never written again, and an outcome once.
  on conflict (space_id, environment, object_id) do update set outcome = excluded.outcome
  where book_seals.outcome is null and excluded.outcome is not null;

  v_is_more := v_link.event_count = c_events or v_is_range_left;
  if not v_is_more then
    delete from unchained where space_id = p_space_id and environment = p_environment and id = any (v_marks);
  end if;
  return v_is_more;
end $function$;
