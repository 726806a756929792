-- The benchmark's own schema, dropped at the end.

create schema bench;

-- Accounts are identified by number, here and in the benchmark's code.
create function bench.account_id(p_number bigint) returns uuid language sql immutable parallel safe as $$
  select ('00000000-0000-7000-8000-' || lpad(to_hex(p_number), 12, '0'))::uuid
$$;

-- The first part of a UUIDv7 with this time; the rest are random digits.
create function bench.id_time(p_at timestamptz) returns text language sql stable parallel safe as $$
  select lpad(to_hex(floor(extract(epoch from p_at) * 1000)::bigint), 12, '0') || '-7'
$$;

create function bench.reference(p_at timestamptz, p_id uuid) returns text language sql stable parallel safe as $$
  select to_char(p_at at time zone 'UTC', 'YYYYMMDD-HH24MISSMS-') || right(p_id::text, 6)
$$;

-- The JSON of a transfer, as long as the real one.
create function bench.resource(p_id uuid, p_reference text, p_source uuid, p_destination uuid) returns text
language sql stable parallel safe as $$
  select format(
    '{"id":"trn-%s","status":"completed","amount":{"currency":"SLE","value":100},"sourceFinancialAccount":{"id":'
    '"fac-%s"},"destinationFinancialAccount":{"id":"fac-%s"},"description":"One of many","executeTime":null,'
    '"financialTransactionReference":"%s","failureDetail":null,"createTime":"2026-11-21T10:00:00.000Z","updateTime":'
    '"2026-11-21T10:00:00.000Z","ownershipGraph":{"owner":{"id":"spc-01kaj3v5w8e4r9tbn2m6c7d0xz","type":"space",'
    '"metadata":{},"owner":{}}},"metadata":{"order":"42"}}',
    p_id, p_source, p_destination, p_reference)
$$;

-- The work of one transfer in a single call without the service: inserts the idempotency key, the transfer, two lines
-- and the event, and locks and updates both accounts. Its rate is the database's limit.
create function bench.transfer(p_space_id uuid, p_environment environment, p_source bigint, p_destination bigint)
returns void language plpgsql as $$
declare
  v_at timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_time text := bench.id_time(v_at);
  v_id uuid := v_time || substr(gen_random_uuid()::text, 16);
  v_event_id uuid := v_time || substr(gen_random_uuid()::text, 16);
  v_reference text := bench.reference(v_at, v_id);
  v_source uuid := bench.account_id(p_source);
  v_destination uuid := bench.account_id(p_destination);
  v_resource text := bench.resource(v_id, v_reference, v_source, v_destination);
begin
  -- The response refers to its event, as that of a covered transfer does. Only the program can seal any other.
  insert into idempotency_keys (space_id, environment, key, fingerprint, event_id, created_at)
  values (p_space_id, p_environment, gen_random_uuid()::text, sha256(v_resource::bytea), v_event_id, v_at);

  -- In the order of their ids, so that two calls never wait for each other.
  perform 1 from ledger_accounts
  where space_id = p_space_id and environment = p_environment and id in (v_source, v_destination)
  order by id for no key update;

  with moved as (
    update ledger_accounts account
    set posted = posted + movement.amount, next_seq = next_seq + 1
    from (values (v_source, -100::bigint), (v_destination, 100::bigint)) movement (id, amount)
    where account.space_id = p_space_id and account.environment = p_environment and account.id = movement.id
    returning account.id, account.next_seq - 1 as seq, movement.amount, account.currency, account.posted
  )
  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, at)
  select p_space_id, p_environment, (v_time || substr(gen_random_uuid()::text, 16))::uuid, id, seq, amount, currency,
    posted, v_reference, true, json_build_array(json_build_object('id', v_id, 'type', 'internal_transfer')), v_at
  from moved;

  insert into internal_transfers (space_id, environment, id, status, amount, currency, source_account_id,
    destination_account_id, description, ledger_reference, metadata, created_at, updated_at)
  values (p_space_id, p_environment, v_id, 'completed', 100, 'SLE', v_source, v_destination, 'One of many',
    v_reference, '{"order":"42"}', v_at, v_at);

  insert into event_facts (space_id, environment, id, types, object_type, object_id, posting, data, at)
  values (p_space_id, p_environment, v_event_id,
    array['internal_transfer.created', 'internal_transfer.completed'], 'internal_transfer', v_id, v_reference,
    v_resource, v_at);
end $$;

-- Opens accounts 0 to `p_accounts`, each with enough money for any run from the funding account, one per millisecond.
create function bench.open_accounts(p_space_id uuid, p_environment environment, p_accounts bigint, p_at timestamptz)
returns void language plpgsql as $$
declare
  v_each constant bigint := 1000000000000;
  v_at timestamptz := date_trunc('milliseconds', p_at);
  v_funding uuid := bench.id_time(v_at) || substr(gen_random_uuid()::text, 16);
begin
  insert into ledger_accounts (space_id, environment, id, kind, purpose, currency, posted, allows_negative, next_seq)
  select p_space_id, p_environment, bench.account_id(number), 'financial', null, 'SLE', v_each, false, 2
  from generate_series(0, p_accounts) number
  union all
  select p_space_id, p_environment, v_funding, 'funding', 'funding', 'SLE', -v_each * (p_accounts + 1), true,
    p_accounts + 2;

  insert into financial_accounts (space_id, environment, id, name, currency, uvan, metadata, created_at, updated_at)
  select p_space_id, p_environment, bench.account_id(number), 'Account ' || number, 'SLE',
    '4' || lpad(number::text, 15, '0'), '{}', v_at, v_at
  from generate_series(0, p_accounts) number;

  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, at)
  select p_space_id, p_environment, (bench.id_time(at) || substr(gen_random_uuid()::text, 16))::uuid, side.*,
    bench.reference(at, bench.account_id(number)), account_id <> v_funding, '[]', at
  from generate_series(0, p_accounts) number
  cross join lateral (select v_at + number * interval '1 millisecond' as at) moment
  cross join lateral (values
    (v_funding, number + 1, -v_each, 'SLE', -v_each * (number + 1)),
    (bench.account_id(number), 1::bigint, v_each, 'SLE', v_each)
  ) side (account_id, seq, amount, currency, balance_after);
end $$;

-- Inserts `p_count` transfers with all their rows, one per millisecond starting at `p_start`.
create function bench.grow(
  p_space_id uuid, p_environment environment, p_accounts bigint, p_count bigint, p_start timestamptz
) returns void language sql as $$
  with drawn as (
    select t, p_start + t * interval '1 millisecond' as at, 1 + (t * 7919) % p_accounts as source,
      t * 31 % (p_accounts - 1) as step
    from generate_series(1, p_count) t
  ), named as (
    select t, at, bench.id_time(at) as time, bench.account_id(source) as source,
      bench.account_id(1 + (source + step) % p_accounts) as destination
    from drawn
  ), transfer as materialized (
    select *, bench.reference(at, id) as reference
    from (
      select *, (time || substr(gen_random_uuid()::text, 16))::uuid as id,
        (time || substr(gen_random_uuid()::text, 16))::uuid as event_id
      from named) one
  ), told as materialized (
    select *, bench.resource(id, reference, source, destination) as resource from transfer
  ), key as (
    insert into idempotency_keys (space_id, environment, key, fingerprint, event_id, created_at)
    select p_space_id, p_environment, gen_random_uuid()::text, sha256(resource::bytea), event_id, at
    from told order by t
  ), made as (
    insert into internal_transfers (space_id, environment, id, status, amount, currency, source_account_id,
      destination_account_id, description, ledger_reference, metadata, created_at, updated_at)
    select p_space_id, p_environment, id, 'completed', 100, 'SLE', source, destination, 'One of many', reference,
      '{"order":"42"}', at, at
    from told order by t
  ), event as (
    insert into event_facts (space_id, environment, id, types, object_type, object_id, posting, data, at)
    select p_space_id, p_environment, event_id,
      array['internal_transfer.created', 'internal_transfer.completed'], 'internal_transfer', id, reference, resource, at
    from told order by t
  ), movement as (
    select t, id, at, time, reference, account_id, amount from transfer
    cross join lateral (values (source, -100::bigint), (destination, 100::bigint)) side (account_id, amount)
  ), line as materialized (
    select movement.*, account.next_seq + row_number() over running - 1 as seq,
      account.posted + sum(movement.amount) over running as balance_after
    from movement
    join ledger_accounts account on account.space_id = p_space_id and account.environment = p_environment
      and account.id = movement.account_id
    window running as (partition by account.id order by t)
  ), moved as (
    update ledger_accounts account
    set posted = posted + total.amount, next_seq = next_seq + total.lines
    from (select account_id, sum(amount)::bigint as amount, count(*) as lines from line group by account_id) total
    where account.space_id = p_space_id and account.environment = p_environment and account.id = total.account_id
  )
  insert into ledger_lines (space_id, environment, id, account_id, seq, amount, currency, balance_after, reference,
    is_financial, owners, at)
  select p_space_id, p_environment, (time || substr(gen_random_uuid()::text, 16))::uuid, account_id, seq, amount, 'SLE',
    balance_after, reference, true, json_build_array(json_build_object('id', id, 'type', 'internal_transfer')), at
  from line order by t
$$;

-- Creates payment codes `p_first` to `p_last`, live for a month, each with its number in the directory.
create function bench.open_codes(
  p_space_id uuid, p_environment environment, p_account_id uuid, p_first bigint, p_last bigint
) returns void language sql as $$
  with made as materialized (
    select (bench.id_time(now()) || substr(gen_random_uuid()::text, 16))::uuid as id,
      lpad(((code * 7654321 + 1234567) % 10000000000)::text, 10, '0') as number
    from generate_series(p_first, p_last) code
  ), directory as (
    insert into payment_code_numbers (number, environment, space_id, payment_code_id)
    select number, p_environment, p_space_id, id from made
  ), job as (
    insert into jobs (space_id, environment, timing, due_at, job, payload)
    select p_space_id, p_environment, 'in_order', now() + interval '30 days', 'payment-code.expire', jsonb_build_object(
      'spaceId', p_space_id, 'environment', p_environment, 'codeId', id, 'expiresAt', now() + interval '30 days')
    from made
  )
  insert into payment_codes (space_id, environment, id, number, mode, status, name, amount, currency, enabled,
    financial_account_id, paid_count, paid_total, failed_count, metadata, expires_at, created_at, updated_at)
  select p_space_id, p_environment, id, number, 'one_time', 'pending', 'Country cloth', 15000, 'SLE', true,
    p_account_id, 0, 0, 0, '{}', now() + interval '30 days', now(), now()
  from made
$$;
