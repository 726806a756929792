-- Seals stand in the chain: each is a row that is never changed, and the link that it was made with contains all of its
-- seals. What a merchant may change is sealed anew with every change, and only then.

-- What is about to change, as it was before: only that may be sealed anew. Without terms it is new.
alter table unchained add column object_id uuid, add column terms bytea, add column outcome bytea;

alter table book_links add column seals_digest bytea;

-- 0: made before seals stood in links. The chainer takes these into links, a thousand at a time.
alter table book_seals add column number bigint not null default 0;
alter table book_seals alter column number drop default;
alter table book_seals drop constraint book_seals_pkey;
alter table book_seals add primary key (space_id, environment, object_id, number);
create index book_seals_number on book_seals (space_id, environment, number);

create or replace function link_hash(p_before bytea, l book_links) returns bytea language sql stable as $$
  select sha256(coalesce(p_before, '') || convert_to(row(l.number, l.made_at, l.position_after, l.position_to, l.event_count,
    l.events_digest, l.ranges_digest, l.audits, l.audits_digest)::text || coalesce(' ' || l.seals_digest::text, ''), 'UTF8'))
$$;

create function seals_digest(p_space_id uuid, p_environment environment, p_number bigint) returns bytea
language sql stable as $$
  select digest_of(string_agg(row(object_id, object_type, terms, outcome)::text, e'\n' order by object_id))
  from book_seals where space_id = p_space_id and environment = p_environment and number = p_number
$$;

-- What was sealed by a function that says more now, where it still is what was sealed.
set local timezone = 'UTC';
set local datestyle = 'ISO';
-- every space: all that is sealed
create temporary table sealed_before on commit drop as
select 'payment' as type, p.space_id, p.environment, p.id from payments p
join book_seals s on s.space_id = p.space_id and s.environment = p.environment and s.object_id = p.id
where num_nonnulls(p.redirect_url, p.guidance) > 0 and s.terms = digest_of(payment_terms(p))
union all
select 'payout', p.space_id, p.environment, p.id from payouts p
join book_seals s on s.space_id = p.space_id and s.environment = p.environment and s.object_id = p.id
where (p.approval is not null or p.counts_unapproved) and s.terms = digest_of(payout_terms(p))
union all
select 'refund', r.space_id, r.environment, r.id from refunds r
join book_seals s on s.space_id = r.space_id and s.environment = r.environment and s.object_id = r.id
where (r.approval is not null or r.counts_unapproved) and s.terms = digest_of(refund_terms(r))
union all
select 'payment_code', c.space_id, c.environment, c.id from payment_codes c
join book_seals s on s.space_id = c.space_id and s.environment = c.environment and s.object_id = c.id
where s.terms = digest_of(payment_code_terms(c));

-- A payment without a page or guidance of its provider, and what counts towards no limit and needs no approval, keep the
-- seals that they have.
create or replace function payment_terms(p payments) returns text language sql stable as $$
  select row(p.amount, p.currency, p.order_id, p.order_number, p.origin_type, p.origin_id, p.financial_account_id,
    p.channel_type, p.provider_id, p.payer_account,
    case when p.channel_type <> 'card' then p.payer_fingerprint end, p.rail_reference,
    p.origin_metadata, p.created_at)::text
    || case when num_nonnulls(p.redirect_url, p.guidance) > 0 then row(p.redirect_url, p.guidance)::text else '' end
$$;
create or replace function payout_terms(p payouts) returns text language sql stable as $$
  select row(p.amount, p.currency, p.fees, p.financial_account_id, p.destination_type, p.provider_id, p.payee_account,
    p.rail_reference, p.hold_id, p.created_by, p.created_at)::text
    || case when p.approval is not null or p.counts_unapproved
      then row(p.approval, p.approval_user_id, p.approval_at, p.counts_unapproved)::text else '' end
$$;
create or replace function refund_terms(r refunds) returns text language sql stable as $$
  select row(r.payment_id, r.order_number, r.amount, r.net, r.currency, r.fees, r.bearer, r.financial_account_id, r.method,
    r.destination_type, r.provider_id, r.payer_account, r.reason, r.original, r.rail_reference, r.created_by, r.created_at)::text
    || case when r.approval is not null or r.counts_unapproved
      then row(r.approval, r.approval_user_id, r.approval_at, r.counts_unapproved)::text else '' end
$$;
create or replace function payment_code_terms(c payment_codes) returns text language sql stable as $$
  select row(c.number, c.mode, c.name, c.amount, c.currency, c.enabled, c.customer_name, c.reference, c.authorized_providers,
    c.authorized_phone_number, c.expected_count, c.expected_total, c.financial_account_id, c.metadata, c.expires_at,
    c.created_at)::text
$$;

-- Every change of a link is one of its terms, how it ends too.
create function payment_link_terms(l payment_links) returns text language sql stable as $$
  select row(l.status, l.name, l.description, l.line_items, l.currency, l.minimum, l.maximum, l.quantity_minimum,
    l.quantity_maximum, l.reference_label, l.is_reference_required, l.financial_account_id, l.payment_options,
    l.primary_color, l.success_text, l.success_url, l.max_payments, l.metadata, l.expires_at, l.created_at)::text
$$;

-- With its rows, which never change.
create function payout_batch_terms(b payout_batches) returns text language sql stable as $$
  -- every space: those of one batch
  select row(b.name, b.financial_account_id, b.row_count, b.sums, b.created_by, b.approval, b.approval_user_id,
    b.approval_at, b.created_at, (
      select digest_of(string_agg(row(r.number, r.amount, r.currency, r.destination_type, r.provider_id, r.payee_account,
        r.name, r.reference, r.metadata)::text, e'\n' order by r.number))
      from payout_batch_rows r
      where r.space_id = b.space_id and r.environment = b.environment and r.batch_id = b.id))::text
$$;
create function payout_batch_outcome(b payout_batches) returns text language sql stable as $$
  select case when b.status in ('completed', 'rejected', 'cancelled') then b.status end
$$;

-- A payment by hand that is nobody's, or was.
create function bill_payment_terms(b bill_payments) returns text language sql stable as $$
  select row(b.environment, b.connection, b.transaction, b.provider_id, b.amount, b.currency, b.account_reference,
    b.payer_account, b.payer_mask, b.paid_at, b.received_at, b.source)::text
$$;
create function bill_payment_outcome(b bill_payments) returns text language sql stable as $$
  select row(b.status, b.reason, b.space_id, b.payment_id, b.closed_by, b.closed_at, b.closing_reason)::text
$$;

-- What decides about fees, and about who has to approve: of a Space and environment as a whole.
create function fee_rules_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(code, ppm, minimums)::text, e'\n' order by code) from fee_rules
  where space_id = p_space_id and environment = p_environment
$$;
create function payout_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from payout_approvals_above
  where space_id = p_space_id and environment = p_environment
$$;
create function refund_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from refund_approvals_above
  where space_id = p_space_id and environment = p_environment
$$;
create function refund_policies_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(queues_when_short, returns_payment_fee)::text, e'\n') from refund_policies
  where space_id = p_space_id and environment = p_environment
$$;

-- What would be sealed now, in any session.
create function payment_seal(p payments, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_terms(p)), digest_of(payment_outcome(p))
$$;
create function payout_seal(p payouts, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payout_terms(p)), digest_of(payout_outcome(p))
$$;
create function payout_batch_seal(b payout_batches, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payout_batch_terms(b)), digest_of(payout_batch_outcome(b))
$$;
create function refund_seal(r refunds, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(refund_terms(r)), digest_of(refund_outcome(r))
$$;
create function payment_code_seal(c payment_codes, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_code_terms(c)), digest_of(payment_code_outcome(c))
$$;
create function payment_link_seal(l payment_links, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_link_terms(l)), null::bytea
$$;
create function bill_payment_seal(b bill_payments, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(bill_payment_terms(b)), digest_of(bill_payment_outcome(b))
$$;

-- Marks rules of a Space, of a table that has such terms, as about to change. One change of them at a time.
create function mark_rules(p_space_id uuid, p_environment environment, p_table text) returns void language plpgsql as $$
declare
  v_terms text;
begin
  perform pg_advisory_xact_lock(715012, hashtext(p_table || p_space_id::text || p_environment));
  execute format('select %I($1, $2)', p_table || '_terms') into v_terms using p_space_id, p_environment;
  insert into unchained (space_id, environment, object_id, terms)
  values (p_space_id, p_environment, md5(p_table)::uuid, digest_of(coalesce(v_terms, '')));
end $$;

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
  c_old_seals constant int := 1000;
  v_marks bigint[]; v_audits uuid[]; v_before bytea; v_first bigint; v_objects uuid[]; v_orders uuid[]; v_marked uuid[];
  v_old uuid[]; v_is_more boolean; v_is_range_left boolean;
begin
  if not pg_try_advisory_xact_lock(715010, hashtext(p_space_id::text || p_environment)) then
    return false;
  end if;
  -- Before anything else is read: what is marked later is for the next time.
  select array_agg(id), array_agg(audit_id) filter (where audit_id is not null),
    coalesce(array_agg(distinct object_id) filter (where object_id is not null), '{}')
  into v_marks, v_audits, v_marked from unchained
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

  v_objects := v_objects || v_marked;
  v_orders := array(
    select order_id from payments
    where space_id = p_space_id and environment = p_environment and id = any (v_objects)
    union all
    select order_id from checkout_sessions
    where space_id = p_space_id and environment = p_environment and id = any (v_objects));
  insert into book_seals (space_id, environment, object_id, object_type, number, terms, outcome)
  select p_space_id, p_environment, present.id, present.type, v_link.number,
    case when sealed.terms is null or marked.is_marked then present.terms else sealed.terms end,
    case when sealed.terms is null or marked.is_marked then present.outcome else coalesce(sealed.outcome, present.outcome) end
  from (
    select distinct on (id) id, type, digest_of(terms) as terms, digest_of(outcome) as outcome from (
      select 'payment' as type, id, payment_terms(p) as terms, payment_outcome(p) as outcome from payments p
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'payout', id, payout_terms(p), payout_outcome(p) from payouts p
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
      union all
      select 'payout_batch', id, payout_batch_terms(b), payout_batch_outcome(b) from payout_batches b
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
      select 'payment_link', id, payment_link_terms(l), null from payment_links l
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
      select 'order', id, order_terms(o), null from orders o
      where space_id = p_space_id and environment = p_environment and id = any (v_orders)
      union all
      -- every space: what is nobody's is in the chain of the installation
      select 'bill_payment', id, bill_payment_terms(b), bill_payment_outcome(b) from bill_payments b
      where environment = p_environment and id = any (v_marked)
        and p_space_id = '00000000-0000-0000-0000-000000000000'
      union all
      select rules.type, md5(rules.type)::uuid, coalesce(rules.terms, ''), null from (
        select 'fee_rules' as type, fee_rules_terms(p_space_id, p_environment) as terms
        where md5('fee_rules')::uuid = any (v_marked)
        union all
        select 'payout_approvals_above', payout_approvals_above_terms(p_space_id, p_environment)
        where md5('payout_approvals_above')::uuid = any (v_marked)
        union all
        select 'refund_approvals_above', refund_approvals_above_terms(p_space_id, p_environment)
        where md5('refund_approvals_above')::uuid = any (v_marked)
        union all
        select 'refund_policies', refund_policies_terms(p_space_id, p_environment)
        where md5('refund_policies')::uuid = any (v_marked)
      ) rules
    ) object
  ) present
  left join lateral (
    select terms, outcome from book_seals seal
    where seal.space_id = p_space_id and seal.environment = p_environment and seal.object_id = present.id
    order by number desc limit 1
  ) sealed on true
  -- What was to change had to be what was sealed: else it stays as it was sealed, and is found to be another.
  cross join lateral (
    select exists (
      select 1 from unchained mark
      where mark.space_id = p_space_id and mark.environment = p_environment and mark.id = any (v_marks)
        and mark.object_id = present.id and mark.terms = sealed.terms
        and mark.outcome is not distinct from sealed.outcome) as is_marked
  ) marked
  -- Unless it is marked, its terms are never written again, and its outcome once.
  where sealed.terms is null
    or (marked.is_marked and (present.terms, present.outcome) is distinct from (sealed.terms, sealed.outcome))
    or (sealed.outcome is null and present.outcome is not null);

  v_old := array(
    select object_id from book_seals
    where space_id = p_space_id and environment = p_environment and number = 0 order by number limit c_old_seals);
  delete from book_seals old
  where old.space_id = p_space_id and old.environment = p_environment and old.object_id = any (v_old) and old.number = 0
    and exists (
      select 1 from book_seals later
      where later.space_id = p_space_id and later.environment = p_environment and later.object_id = old.object_id
        and later.number > 0);
  update book_seals set number = v_link.number
  where space_id = p_space_id and environment = p_environment and object_id = any (v_old) and number = 0;
  v_link.seals_digest := seals_digest(p_space_id, p_environment, v_link.number);

  if v_link.event_count > 0 or v_link.ranges_digest is not null or v_link.audits_digest is not null
      or v_link.seals_digest is not null then
    v_link.hash := link_hash(v_before, v_link);
    insert into book_links (space_id, environment, number, made_at, position_after, position_to, event_count,
      events_digest, ranges_digest, audits, audits_digest, seals_digest, hash)
    values (p_space_id, p_environment, v_link.number, v_link.made_at, v_link.position_after, v_link.position_to,
      v_link.event_count, v_link.events_digest, v_link.ranges_digest, v_link.audits, v_link.audits_digest,
      v_link.seals_digest, v_link.hash);
  end if;

  v_is_more := v_link.event_count = c_events or v_is_range_left or cardinality(v_old) = c_old_seals;
  if not v_is_more then
    delete from unchained where space_id = p_space_id and environment = p_environment and id = any (v_marks);
  end if;
  return v_is_more;
end $function$;

-- What says more is sealed again.
update book_seals s set terms = digest_of(now.terms)
from (
  select b.space_id, b.environment, b.id, payment_terms(p) as terms from sealed_before b
  join payments p on p.space_id = b.space_id and p.environment = b.environment and p.id = b.id
  union all
  select b.space_id, b.environment, b.id, payout_terms(p) from sealed_before b
  join payouts p on p.space_id = b.space_id and p.environment = b.environment and p.id = b.id
  union all
  select b.space_id, b.environment, b.id, refund_terms(r) from sealed_before b
  join refunds r on r.space_id = b.space_id and r.environment = b.environment and r.id = b.id
  union all
  select b.space_id, b.environment, b.id, payment_code_terms(c) from sealed_before b
  join payment_codes c on c.space_id = b.space_id and c.environment = b.environment and c.id = b.id
) now
where s.space_id = now.space_id and s.environment = now.environment and s.object_id = now.id;

-- What was not sealed yet is sealed as it is.
-- every space: all there are
insert into book_seals (space_id, environment, object_id, object_type, number, terms, outcome)
select space_id, environment, id, type, 0, digest_of(terms), digest_of(outcome) from (
  select space_id, environment, 'payment_link' as type, id, payment_link_terms(l) as terms, null as outcome
  from payment_links l
  union all
  select space_id, environment, 'payout_batch', id, payout_batch_terms(b), payout_batch_outcome(b) from payout_batches b
  union all
  select '00000000-0000-0000-0000-000000000000', environment, 'bill_payment', id, bill_payment_terms(b),
    bill_payment_outcome(b)
  from bill_payments b where status <> 'allocated'
  union all
  select space_id, environment, 'fee_rules', md5('fee_rules')::uuid, fee_rules_terms(space_id, environment), null
  from (select distinct space_id, environment from fee_rules) ruled
  union all
  select space_id, environment, 'payout_approvals_above', md5('payout_approvals_above')::uuid,
    payout_approvals_above_terms(space_id, environment), null
  from (select distinct space_id, environment from payout_approvals_above) ruled
  union all
  select space_id, environment, 'refund_approvals_above', md5('refund_approvals_above')::uuid,
    refund_approvals_above_terms(space_id, environment), null
  from (select distinct space_id, environment from refund_approvals_above) ruled
  union all
  select space_id, environment, 'refund_policies', md5('refund_policies')::uuid,
    refund_policies_terms(space_id, environment), null
  from refund_policies
) object;
insert into unchained (space_id, environment) select distinct space_id, environment from book_seals;

-- What the program wrote of an instruction that is open, with its secret: see `src/instructions/seals.ts`.
alter table instructions add column seal text;
