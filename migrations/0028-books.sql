-- The books are chained: what was committed in a Space and environment, in the order of commits, is hashed into links of
-- which each contains the hash of the one before. It is done after the commit, so that nobody waits for it. What stands
-- in the chain cannot be altered, taken out or put in without a difference that `pesewa verify` finds.

-- That something of a Space is to be chained: one row for each round of the sequencer, and for each audit entry.
create table unchained (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity,
  audit_id uuid,
  -- real time
  since timestamptz not null default now(),
  primary key (space_id, environment, id)
);

create table book_links (
  space_id uuid not null,
  environment environment not null,
  -- 1, 2, 3, …
  number bigint not null,
  -- real time, to the millisecond, and later than that of the one before
  made_at timestamptz not null,
  -- Its events: those after the one position and up to the other.
  position_after bigint not null,
  position_to bigint not null,
  event_count integer not null,
  events_digest bytea,
  ranges_digest bytea,
  audits uuid[] not null,
  audits_digest bytea,
  -- SHA-256 of the hash before and of what the columns say
  hash bytea not null,
  primary key (space_id, environment, number)
);
create unique index book_links_made on book_links (space_id, environment, made_at);

-- Lines of an account that are chained together: from one seq to another, at most a hundred. The next range of the
-- account begins right after.
create table book_ranges (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq_to bigint not null,
  seq_from bigint not null,
  number bigint not null,
  digest bytea not null,
  primary key (space_id, environment, account_id, seq_to),
  check (seq_from <= seq_to)
);
create index book_ranges_number on book_ranges (space_id, environment, number);

create table book_audits (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  number bigint not null,
  primary key (space_id, environment, id)
);

-- The last link whose hash was told as an event.
create table book_heads (
  space_id uuid not null,
  environment environment not null,
  number bigint not null,
  primary key (space_id, environment)
);

-- What an object was when it was made, and when it ended, each written once.
create table book_seals (
  space_id uuid not null,
  environment environment not null,
  object_id uuid not null,
  object_type text not null,
  terms bytea not null,
  outcome bytea,
  primary key (space_id, environment, object_id)
);

-- What was redeemed of a receipt, each time.
create table redemptions (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  number integer not null,
  -- along the entitlements
  units integer[] not null,
  at timestamptz not null,
  primary key (space_id, environment, order_id, number),
  foreign key (space_id, environment, order_id) references receipts (space_id, environment, order_id),
  check ((0 <= all (units)) is true)
);
-- What was redeemed before redemptions were kept, as one.
insert into redemptions (space_id, environment, order_id, number, units, at)
select receipt.space_id, receipt.environment, receipt.order_id, 1, redeemed.units, receipt.updated_at
from receipts receipt
join orders o on o.space_id = receipt.space_id and o.environment = receipt.environment and o.id = receipt.order_id
cross join lateral (
  select array_agg((item ->> 'limit')::integer - receipt.remaining[place] order by place) as units
  from json_array_elements(o.entitlements) with ordinality as items (item, place)
) redeemed
where 0 < any (redeemed.units);

-- A proof of the answer that only the program can make.
alter table idempotency_keys add seal text;

-- Money from nowhere is for trying things out.
alter table ledger_accounts add constraint ledger_accounts_funding_is_test
  check (kind <> 'funding' or environment = 'test');

-- What a row says, as text. The caller sees to `timezone` and `datestyle`.

create function payment_terms(p payments) returns text language sql stable as $$
  select row(p.amount, p.currency, p.order_id, p.order_number, p.origin_type, p.origin_id, p.financial_account_id,
    p.channel_type, p.provider_id, p.payer_account,
    case when p.channel_type <> 'card' then p.payer_fingerprint end, p.rail_reference,
    p.origin_metadata, p.created_at)::text
$$;
create function payment_outcome(p payments) returns text language sql stable as $$
  select case when p.status in ('completed', 'failed') then row(p.status, p.payer_fingerprint, p.card_scheme,
    p.card_last4, p.rail_transaction, p.ledger_reference, p.fees, p.failure_code, p.failure_message)::text end
$$;
create function payout_terms(p payouts) returns text language sql stable as $$
  select row(p.amount, p.currency, p.fees, p.financial_account_id, p.destination_type, p.provider_id, p.payee_account,
    p.rail_reference, p.hold_id, p.created_by, p.created_at)::text
$$;
create function payout_outcome(p payouts) returns text language sql stable as $$
  select case when p.status in ('completed', 'failed') then row(p.status, p.rail_transaction, p.ledger_reference,
    p.failure_code, p.failure_message, p.approval, p.approval_user_id, p.approval_at)::text end
$$;
create function order_terms(o orders) returns text language sql stable as $$
  select row(o.number, o.name, o.amount, o.currency, o.entitlements, o.created_at)::text
$$;
create function checkout_session_terms(s checkout_sessions) returns text language sql stable as $$
  select row(s.name, s.description, s.reference, s.success_url, s.cancel_url, s.callback_state, s.line_items,
    s.payment_options, s.primary_color, s.financial_account_id, s.order_id, s.order_number, s.amount, s.currency,
    s.metadata, s.expires_at, s.created_at)::text
$$;
create function checkout_session_outcome(s checkout_sessions) returns text language sql stable as $$
  select case when s.status <> 'pending' then s.status end
$$;
create function payment_code_terms(c payment_codes) returns text language sql stable as $$
  select row(c.number, c.mode, c.currency, c.created_at)::text
$$;
create function payment_code_outcome(c payment_codes) returns text language sql stable as $$
  select case when c.status in ('completed', 'expired', 'cancelled') then c.status end
$$;
create function ussd_otp_terms(o ussd_otps) returns text language sql stable as $$
  select row(o.number, o.phone_number, o.verification_message, o.metadata, o.expires_at, o.created_at)::text
$$;
create function ussd_otp_outcome(o ussd_otps) returns text language sql stable as $$
  select case when o.status <> 'pending' then o.status end
$$;
create function internal_transfer_terms(t internal_transfers) returns text language sql stable as $$
  select row(t.amount, t.currency, t.source_account_id, t.destination_account_id, t.execute_at, t.created_at)::text
$$;
create function internal_transfer_outcome(t internal_transfers) returns text language sql stable as $$
  select case when t.status in ('completed', 'failed') then row(t.status, t.ledger_reference, t.failure_code)::text end
$$;

-- The millisecond that a UUIDv7 begins with.
create function id_moment(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select timestamptz 'epoch' + ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint
    * interval '1 millisecond'
$$;

create function digest_of(content text) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to(content, 'UTF8'))
$$;

-- Lines of an account from one seq to another; with its first, what the account is.
create function lines_digest(p_space_id uuid, p_environment environment, p_account_id uuid, p_from bigint, p_to bigint)
returns bytea language plpgsql stable as $$
declare
  v_lines text; v_account text := '';
begin
  select string_agg(row(seq, id, amount, currency, balance_after, reference, is_financial, owners, fee_code,
    reversed_line_id, reversed_reference, at)::text, e'\n' order by seq)
  into v_lines from ledger_lines
  where space_id = p_space_id and environment = p_environment and account_id = p_account_id
    and seq between p_from and p_to;
  if p_from = 1 then
    select row(account.kind, account.purpose, account.currency, account.allows_negative, financial.currency,
      financial.uvan, financial.created_at)::text
    into v_account from ledger_accounts account
    left join financial_accounts financial on financial.space_id = account.space_id
      and financial.environment = account.environment and financial.id = account.id
    where account.space_id = p_space_id and account.environment = p_environment and account.id = p_account_id;
  end if;
  return digest_of(v_account || coalesce(v_lines, ''));
end $$;

-- Events after one position and up to another, each fact with the first of its events.
create function events_digest(p_space_id uuid, p_environment environment, p_after bigint, p_to bigint)
returns bytea language plpgsql stable as $$
declare
  v_text text;
begin
  select string_agg(row(e.position, e.sequence, e.id, e.type, e.object_id, e.fact_id, e.fact_number, e.at,
    e.latest_at)::text || coalesce(fact.text, ''), e'\n' order by e.position)
  into v_text from events e
  left join lateral (
    select row(f.object_type, f.object_id, f.callback_state, f.data, f.at, f.types, f.posting)::text as text
    from event_facts f
    where f.space_id = p_space_id and f.environment = p_environment and f.id = e.fact_id and f.number = e.fact_number
      and e.id = e.fact_id
    offset 0
  ) fact on true
  where e.space_id = p_space_id and e.environment = p_environment and e.position > p_after and e.position <= p_to;
  return digest_of(v_text);
end $$;

create function audits_digest(p_space_id uuid, p_environment environment, p_ids uuid[])
returns bytea language sql stable as $$
  select digest_of(string_agg(
    row(id, at, actor, action, object_type, object_id, reason, details)::text, e'\n' order by id))
  from audit_entries where space_id = p_space_id and environment = p_environment and id = any (p_ids)
$$;

-- The hash of a link: of the one before, and of all that it says.
create function link_hash(p_before bytea, l book_links) returns bytea language sql stable as $$
  select sha256(coalesce(p_before, '') || convert_to(row(l.number, l.made_at, l.position_after, l.position_to, l.event_count,
    l.events_digest, l.ranges_digest, l.audits, l.audits_digest)::text, 'UTF8'))
$$;

-- Adds a link with what comes next, if there is anything, and returns whether there is more. With p_all it looks at all
-- accounts, or else at those that its events lead to and those with a purpose, which have lines that nobody is told of.
create function chain_books(p_space_id uuid, p_environment environment, p_all boolean) returns boolean
language plpgsql
set timezone = 'UTC' set datestyle = 'ISO' set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
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
end $$;

-- What there is already.
insert into unchained (space_id, environment, audit_id) select space_id, environment, id from audit_entries;
do $$
declare
  v_scope record;
begin
  set local timezone = 'UTC';
  set local datestyle = 'ISO';
  -- every space: all that is kept of their events, and what stands in no event any more
  for v_scope in
    select space_id, environment from ledger_accounts union select space_id, environment from event_counters
    union select space_id, environment from audit_entries
  loop
    while chain_books(v_scope.space_id, v_scope.environment, true) loop
      null;
    end loop;
  end loop;
  -- every space: the same
  insert into book_seals (space_id, environment, object_id, object_type, terms, outcome)
  select space_id, environment, id, type, digest_of(terms), digest_of(outcome) from (
    select space_id, environment, 'payment' as type, id, payment_terms(p) as terms, payment_outcome(p) as outcome from payments p
    union all select space_id, environment, 'payout', id, payout_terms(p), payout_outcome(p) from payouts p
    union all select space_id, environment, 'checkout_session', id, checkout_session_terms(s), checkout_session_outcome(s)
      from checkout_sessions s
    union all select space_id, environment, 'payment_code', id, payment_code_terms(c), payment_code_outcome(c) from payment_codes c
    union all select space_id, environment, 'ussd_otp', id, ussd_otp_terms(o), ussd_otp_outcome(o) from ussd_otps o
    union all select space_id, environment, 'internal_transfer', id, internal_transfer_terms(t), internal_transfer_outcome(t)
      from internal_transfers t where status <> 'completed' or execute_at is not null
    union all select space_id, environment, 'order', id, order_terms(o), null from orders o
  ) sealed
  on conflict do nothing;
end $$;
