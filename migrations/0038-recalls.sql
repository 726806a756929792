-- Payouts that are asked back, because they went to the wrong person.

-- What of a payout recalls ask back, or brought back, stands with it: it is counted under the payout's lock, and can never
-- come to more than was paid out.
alter table payouts
  add column recalled bigint not null default 0,
  add constraint payouts_recalled check (recalled between 0 and case status when 'completed' then amount else 0 end);

create table recalls (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('open', 'returned', 'refused', 'cancelled')),
  payout_id uuid not null,
  -- What is recalled, and what of it came back, in minor units.
  amount bigint not null check (amount > 0),
  returned bigint not null default 0 check (returned between 0 and amount),
  currency text not null,
  -- The payout's.
  provider_id text not null,
  financial_account_id uuid not null,
  reason text not null,
  note text,
  -- The provider's own transaction by which the money came back.
  rail_transaction text,
  ledger_reference text,
  created_by uuid not null,
  metadata json not null,
  payout_metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check ((status = 'returned') = (returned > 0)),
  check ((status = 'returned') = (rail_transaction is not null)),
  check ((status = 'returned') = (ledger_reference is not null)),
  check (status <> 'open' or updated_at = created_at)
);
create index recalls_payout on recalls (space_id, environment, payout_id, id);
create index recalls_status on recalls (space_id, environment, status, id);
-- What came back by one transaction is booked once.
create unique index recalls_rail_transaction on recalls (space_id, environment, rail_transaction, provider_id)
  where rail_transaction is not null;
create unique index recalls_ledger_reference on recalls (space_id, environment, ledger_reference)
  where ledger_reference is not null;
-- What waits for a person, of all Spaces.
create index recalls_open on recalls (created_at, id) where status = 'open';

-- What of a recall can never change, and how it ended.
create function recall_terms(r recalls) returns text language sql stable as $$
  select row(r.payout_id, r.amount, r.currency, r.provider_id, r.financial_account_id, r.reason, r.note, r.created_by,
    r.metadata, r.payout_metadata, r.created_at)::text
$$;

create function recall_outcome(r recalls) returns text language sql stable as $$
  select case when r.status <> 'open' then row(r.status, r.returned, r.rail_transaction, r.ledger_reference, r.updated_at)::text
  end
$$;

-- Recalls are chained like payouts.
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
    select 'recall', id, recall_terms(r), recall_outcome(r) from recalls r
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
