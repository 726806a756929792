-- The whole schema, grouped by slice in the order of src/slices.ts. schema_migrations is created by the program.

-- ==== Platform ====

-- Each Space has two environments. Tenant tables are keyed by (space_id, environment, …).
create type environment as enum ('test', 'live');

-- One row per POST that was carried out, with its answer, written in the transaction of the work itself.
create table idempotency_keys (
  space_id uuid not null,
  environment environment not null,
  key text collate "C" not null,
  -- SHA-256 of the method, path and canonical body
  fingerprint bytea not null,
  answer text,
  -- real time: the operator sets the retention period
  created_at timestamptz not null default now(),
  -- The answer of most POSTs is the resource as in its first event, which is not stored twice.
  event_id uuid,
  -- Authenticates the answer; only the program can compute it.
  seal text,
  primary key (space_id, environment, key)
);
-- Retention scans it in order of time, which is the order of the rows.
create index idempotency_keys_created on idempotency_keys using brin (created_at);

-- How far a Space's test clock is ahead of real time. Once a clock has moved, its row stays, even with an offset of
-- zero: the ledger lines of such a Space may not be in chronological order.
create table test_clocks (
  space_id uuid not null,
  environment environment not null check (environment = 'test'),
  offset_ms bigint not null check (offset_ms >= 0),
  primary key (space_id, environment)
);

-- Jobs that are running, waiting or scheduled. A job without a Space has the nil UUID as its Space and runs in live.
create table jobs (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity,
  job text not null,
  payload jsonb not null,
  -- real_time: due by the database's clock. space_time and in_order: due by the Space's clock. If a test clock is
  -- moved, in_order jobs run one after another.
  timing text not null check (timing in ('real_time', 'space_time', 'in_order')),
  due_at timestamptz not null,
  -- At most one waiting job per key.
  key text,
  -- At most one running job per line.
  line text,
  -- The node that runs the job.
  taken_by integer,
  attempts integer not null default 0,
  last_error text,
  primary key (space_id, environment, id)
);
create index jobs_due on jobs (due_at) where taken_by is null;
-- Only clocks of the test environment can be moved.
create index jobs_due_in_space on jobs (space_id, due_at)
  where environment = 'test' and timing <> 'real_time' and taken_by is null;
create index jobs_taken on jobs (space_id, environment, taken_by) where taken_by is not null;
create unique index jobs_key on jobs (space_id, environment, key) where key is not null and taken_by is null;
create unique index jobs_line on jobs (space_id, environment, line) where line is not null and taken_by is not null;

-- Processes that serve or work. A node is alive while it holds the advisory lock of its number.
create table nodes (
  node integer primary key,
  version text not null,
  serves boolean not null,
  works boolean not null,
  started_at timestamptz not null default now(),
  stopped_at timestamptz
);

-- Backups of the whole database made by `pesewa backup`, each read back from where it was written. All times are real
-- time by the database's clock.
create table backups (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  location text not null,
  bytes bigint not null check (bytes > 0),
  -- When every file of the backup was last read and matched what the server had sent.
  verified_at timestamptz not null,
  -- When it was removed because newer backups had replaced it.
  pruned_at timestamptz,
  check (finished_at >= started_at)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append only', tg_table_name;
end $$;

-- The greatest id of the millisecond that an id begins with.
create function id_moment_end(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select (substr(id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
$$;

-- The millisecond that a UUIDv7 begins with.
create function id_moment(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select timestamptz 'epoch' + ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint
    * interval '1 millisecond'
$$;

create function digest_of(content text) returns bytea language sql immutable strict parallel safe as $$
  select sha256(convert_to(content, 'UTF8'))
$$;

create function id_moment_start(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select (substr(id::text, 1, 13) || '-0000-0000-000000000000')::uuid
$$;

-- ==== Spaces ====

-- Tenants. A Space has both environments.
create table spaces (
  id uuid primary key,
  name text not null,
  -- ISO 3166-1 alpha-2. Sets the format of national phone numbers and the first currency.
  country text not null,
  created_at timestamptz not null,
  -- A suspended Space accepts no API calls and no new payments.
  suspended_at timestamptz,
  suspended_by text,
  suspension_reason text,
  constraint spaces_suspension_check check (num_nonnulls(suspended_at, suspended_by, suspension_reason) in (0, 3))
);
create index spaces_suspended on spaces (id) where suspended_at is not null;

create table users (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null,
  -- Operators run the installation. Permissions that only they have belong to no Space.
  is_operator boolean not null default false
);
create unique index users_email on users (lower(email));

create table members (
  space_id uuid not null references spaces (id),
  user_id uuid not null references users (id),
  -- support sees payments with masked phone numbers and may propose refunds.
  role text not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer')),
  -- When the user became a member.
  since timestamptz not null,
  primary key (space_id, user_id)
);
create index members_user on members (user_id);

-- A token belongs to a user, not to a Space. Only its hash is stored.
create table tokens (
  id uuid primary key,
  user_id uuid not null references users (id),
  environment environment not null,
  name text not null,
  -- SHA-256 of the whole token
  hash bytea not null unique,
  scopes text[] not null,
  -- null: every Space of the user; any address
  space_ids uuid[],
  networks text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null,
  -- Shown in lists to tell tokens apart.
  last_characters text,
  replaced_by uuid references tokens (id),
  -- How many days before its expiry the owner was last warned.
  warned_days smallint check (warned_days in (3, 14))
);
create index tokens_user on tokens (user_id, environment, id);
create index tokens_expiring on tokens (expires_at)
  where revoked_at is null and replaced_by is null and warned_days is distinct from 3;

-- Decisions made by people. `at` is real time, not the Space's clock.
create table audit_entries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  at timestamptz not null,
  -- a user's id, or free text from the operator
  actor text not null,
  action text not null,
  object_type text not null,
  object_id uuid not null,
  reason text not null,
  details json not null,
  primary key (space_id, environment, id)
);
create index audit_entries_object on audit_entries (space_id, environment, object_type, object_id, id);
create index audit_entries_actor on audit_entries (space_id, environment, actor, id);
create index audit_entries_action on audit_entries (space_id, environment, action, id);
create trigger audit_entries_append_only before update or delete or truncate on audit_entries
  for each statement execute function refuse_change();

-- The books are chained. Everything committed in a Space and environment is hashed, in commit order, into links that
-- each contain the hash of the previous link. This happens after the commit, so that nobody waits for it. Anything in
-- the chain that was altered, removed or inserted is found by `pesewa verify`.

-- Marks that something in a Space has to be chained: one row per round of the sequencer, per audit entry and per change
-- of a sealed object.
create table unchained (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity,
  audit_id uuid,
  -- real time
  since timestamptz not null default now(),
  -- The seal of an object before it changes: only what matches its last seal may be sealed again. A new object has no
  -- terms.
  object_id uuid,
  terms bytea,
  outcome bytea,
  primary key (space_id, environment, id)
);

-- Console sessions. Only the hash of the cookie is stored.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  hash bytea not null unique,
  -- How and from where the user signed in, for their own list of sessions.
  method text not null check (method in ('link', 'passkey', 'oidc')),
  address text not null,
  agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- Until then, the user counts as having just signed in (step-up).
  fresh_until timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id, id);
create index sessions_expiry on sessions (expires_at);

-- How a Space appears to its payers. Defaults: the Space's name and the service's colours.
create table brands (
  space_id uuid not null,
  environment environment not null,
  name text,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_phone text,
  terms_url text,
  logo_id uuid,
  primary key (space_id, environment)
);

-- PNG. A new logo has a new id, so that browsers can cache it forever.
create table logos (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  image bytea not null,
  primary key (space_id, environment, id)
);

-- Marks the rules of a Space in one table as about to change. Only one change at a time.
create function mark_rules(p_space_id uuid, p_environment environment, p_table text) returns void language plpgsql as $$
declare
  v_terms text;
begin
  perform pg_advisory_xact_lock(715012, hashtext(p_table || p_space_id::text || p_environment));
  execute format('select %I($1, $2)', p_table || '_terms') into v_terms using p_space_id, p_environment;
  insert into unchained (space_id, environment, object_id, terms)
  values (p_space_id, p_environment, md5(p_table)::uuid, digest_of(coalesce(v_terms, '')));
end $$;

-- ==== Team ====

-- Invitations to a Space. The link's text is derived from the id with the program's secret.
create table invitations (
  id uuid primary key,
  space_id uuid not null references spaces (id),
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer')),
  -- The inviting member; null: an operator.
  inviter_id uuid references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- How often the invitation was mailed.
  mail_count smallint not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  withdrawn_at timestamptz,
  check ((accepted_at is null) = (accepted_by is null)),
  check (num_nonnulls(accepted_at, withdrawn_at) < 2)
);
create index invitations_space on invitations (space_id, id);
-- At most one pending invitation per person.
create unique index invitations_waiting on invitations (space_id, lower(email))
  where accepted_at is null and withdrawn_at is null;

-- ==== Requests ====

-- The API request log: one partition per day of real time, created ahead by whichever node writes, and dropped after a
-- week. An id begins with the time of its request, which identifies the day and makes the order of ids chronological.
create table api_requests (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- A token, or a console session.
  caller_id uuid not null,
  is_session boolean not null,
  method text not null,
  route text not null,
  path text not null,
  status integer not null,
  reason text,
  -- Masked, and truncated if long.
  body text,
  is_body_cut boolean not null,
  duration_ms integer not null,
  at timestamptz not null,
  primary key (space_id, environment, id)
) partition by range (id);

-- The least id of a day.
create function api_request_day_start(p_day date) returns uuid language sql immutable strict parallel safe as $$
  select (regexp_replace(lpad(to_hex((extract(epoch from p_day) * 1000)::bigint), 12, '0'), '^(.{8})', '\1-')
    || '-0000-0000-000000000000')::uuid
$$;

-- Creates the partition of a day if it does not exist, without blocking writers.
create function create_api_request_partition(p_day date) returns void language plpgsql as $$
declare
  -- every space: a partition holds rows of all Spaces
  v_parent text := 'api_requests';
  v_name text := v_parent || '_' || to_char(p_day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(715011);
  if to_regclass(v_name) is not null then
    return;
  end if;
  execute format('create table %I (like %I including all)', v_name, v_parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', v_parent, v_name,
    api_request_day_start(p_day), api_request_day_start(p_day + 1));
end
$$;

-- ==== Events ====

-- Facts are written with each change; events are published from them, in commit order. Facts are partitioned by a
-- number that increases with every row, events and deliveries by a position that increases with every event. Each day,
-- number and position jump to the first value of a new partition: partition k begins at k * 2^40, so far apart that it
-- is never reached without a jump.
create sequence event_numbers;
create table event_facts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  object_type text not null,
  object_id uuid,
  callback_state text,
  -- The resource exactly as GET showed it at that moment: our own JSON, never read by the database.
  data text,
  at timestamptz not null,
  types text[] not null,
  posting text,
  -- Evaluated before the number: a transaction that starts writing later gets higher numbers.
  xid xid8 not null default pg_current_xact_id(),
  number bigint not null default nextval('event_numbers'),
  primary key (space_id, environment, id, number),
  check (types = '{}' or (object_id is not null and data is not null)),
  check (types <> '{}' or posting is not null)
) partition by range (number);
create index event_facts_number on event_facts (number);

-- Published events, one row each, written by the sequencer only.
create table events (
  space_id uuid not null,
  environment environment not null,
  position bigint not null,
  -- 1, 2, 3, … in the Space and environment
  sequence bigint not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  fact_id uuid not null,
  fact_number bigint not null,
  at timestamptz not null,
  -- The latest `at` so far in the Space and environment. It never decreases, so a time can be searched for.
  latest_at timestamptz not null,
  primary key (space_id, environment, position)
) partition by range (position);
create index events_id on events (space_id, environment, id);
create index events_object on events (space_id, environment, object_id, position);
create index events_type on events (space_id, environment, type, position);

-- How far each Space and environment has come.
create table event_counters (
  space_id uuid not null,
  environment environment not null,
  sequence bigint not null,
  latest_at timestamptz not null,
  primary key (space_id, environment)
);

-- The only row; the node that sequences holds its lock. Every fact visible in `told` has its events.
create table event_sequencer (
  is_only boolean default true primary key check (is_only),
  told pg_snapshot not null,
  -- Being published: facts visible in `telling` but not in `told`, up to number `telling_after`.
  telling pg_snapshot,
  telling_after bigint not null default 0,
  -- All facts up to here are published or were rolled back.
  settled bigint not null default 0,
  -- When all transactions before `mark_xid` have ended, facts up to `mark` are settled.
  mark bigint not null default 0,
  mark_xid xid8 not null,
  position bigint not null default 0
);

create table event_partitions (
  number integer primary key,
  -- real time: the operator sets the retention period
  began_at timestamptz
);

-- Endpoints that receive events.
create table webhooks (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  name text not null,
  api_release text not null,
  url text not null,
  -- event types, `payment.*` or `*`
  subscriptions text[] not null,
  enabled boolean not null,
  headers json not null,
  alert_emails text[] not null,
  verification text not null check (verification in ('HS256', 'ED25519')),
  -- Encrypted. For ED25519, the private key.
  secret bytea not null,
  public_key text,
  -- Signs along with the new secret until `old_secret_until`.
  old_secret bytea,
  old_secret_until timestamptz,
  metadata json not null,
  -- Since when every attempt has failed; null: the last attempt succeeded, or there was none.
  failing_since timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  -- An endpoint that keeps failing receives nothing until then, however much is waiting.
  paused_until timestamptz,
  primary key (space_id, environment, id)
);
-- The list of webhooks skips deleted ones.
create index webhooks_listed on webhooks (space_id, environment, id) where deleted_at is null;
create index webhooks_failing on webhooks (space_id, environment, id)
  where (failing_since is not null or disabled_reason is not null) and deleted_at is null;

-- One event for one endpoint. `id` is derived from both, so that a delivery cannot be created twice.
create table webhook_deliveries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  webhook_id uuid not null,
  position bigint not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- null: no attempt is planned
  next_attempt_at timestamptz,
  -- since the delivery was created or last resent by hand
  tries integer not null default 0,
  -- every attempt, as GET shows it
  attempts jsonb not null default '[]',
  created_at timestamptz not null,
  primary key (space_id, environment, id, position),
  check ((status = 'pending') = (next_attempt_at is not null))
) partition by range (position);
create index webhook_deliveries_webhook on webhook_deliveries (space_id, environment, webhook_id, id);
create index webhook_deliveries_failed on webhook_deliveries (space_id, environment, webhook_id, id)
  where status = 'failed';
create index webhook_deliveries_due on webhook_deliveries (space_id, environment, webhook_id, next_attempt_at, position)
  where status = 'pending';

-- Facts that the sequencer has seen but not published yet because their Space exceeded its share of a round, in the
-- order in which they will be published. Usually empty.
create table event_backlog (
  space_id uuid not null,
  environment environment not null,
  place bigint generated always as identity,
  fact_id uuid not null,
  fact_number bigint not null,
  -- Roughly how many rows publishing will write: events and their deliveries.
  weight integer not null,
  -- real time: operators watch the backlog's age
  met_at timestamptz not null default now(),
  primary key (space_id, environment, place)
);
-- Finds out whether a fact is in the backlog; after a restore, for every fact.
create index event_backlog_fact on event_backlog (fact_number);

create function event_data(p_space_id uuid, p_environment environment, p_id uuid) returns text
language sql stable strict parallel safe as $$
  select data from event_facts where space_id = p_space_id and environment = p_environment and id = p_id
$$;

-- The first number and position of a partition.
create function event_partition_start(p_number integer) returns bigint language sql immutable strict parallel safe as $$
  select p_number::bigint << 40
$$;

-- Creates partition `p_number` of all three tables without blocking writers.
create function create_event_partition(p_number integer) returns void language plpgsql as $$
declare
  v_parent text;
begin
  -- every space: a partition holds rows of all Spaces
  foreach v_parent in array array['event_facts', 'events', 'webhook_deliveries'] loop
    -- Deliveries are updated soon after they are created, in the room that the fillfactor leaves on their page.
    execute format('create table %I (like %I including all) with (fillfactor = %s)', v_parent || '_' || p_number,
      v_parent, case v_parent when 'webhook_deliveries' then 70 else 100 end);
    execute format('alter table %I attach partition %I for values from (%s) to (%s)', v_parent,
      v_parent || '_' || p_number, event_partition_start(p_number), event_partition_start(p_number + 1));
  end loop;
  insert into event_partitions (number) values (p_number);
end
$$;

-- The id of a fact's nth event; the first has the fact's own id.
create function event_id(p_fact uuid, p_nth bigint) returns uuid language sql immutable strict parallel safe as $$
  select (left(p_fact::text, 34)
    || lpad(to_hex((('x' || right(p_fact::text, 2))::bit(8)::int + p_nth::int - 1) % 256), 2, '0'))::uuid
$$;

-- The id of an event's delivery to an endpoint. It begins with the same millisecond as the event's id.
create function delivery_id(p_event uuid, p_webhook uuid) returns uuid language sql immutable strict parallel safe as $$
  select (left(p_event::text, 14) || '7' || substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12))::uuid
  from (select md5(p_event::text || p_webhook::text) as hash) hashed
$$;

-- The first position at which an event of this time or later can be. Binary search: `latest_at` never decreases.
create function events_floor(p_space_id uuid, p_environment environment, p_since timestamptz) returns bigint
language plpgsql stable as $$
declare
  v_low bigint; v_high bigint; v_middle bigint; v_latest timestamptz; v_found bigint;
begin
  select position into v_low from events
  where space_id = p_space_id and environment = p_environment order by position limit 1;
  select position + 1 into v_high from events
  where space_id = p_space_id and environment = p_environment order by position desc limit 1;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select position, latest_at into v_found, v_latest from events
    where space_id = p_space_id and environment = p_environment and position >= v_middle order by position limit 1;
    if v_latest < p_since then
      v_low := v_found + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end
$$;

-- The first two partitions, and a sequencer that has published everything before its snapshot.
select create_event_partition(number) from generate_series(0, 1) as number;
update event_partitions set began_at = now() where number = 0;
insert into event_sequencer (told, mark_xid) values (pg_current_snapshot(), pg_snapshot_xmax(pg_current_snapshot()));

-- ==== Ledger ====

-- Balances: one narrow row per account, updated in place (the fillfactor leaves room for that).
create table ledger_accounts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- elsewhere: money of cases that was settled in another way, in cash or from a bank account. bank: the other side of
  -- money between a provider and the operator's bank account.
  kind text not null check (kind in ('financial', 'clearing', 'fees', 'suspense', 'funding', 'elsewhere', 'bank')),
  -- How the service finds its own accounts: 'main', 'clearing m17 collection', 'fees', …; null for others.
  purpose text,
  currency text not null,
  posted bigint not null default 0,
  held bigint not null default 0 check (held >= 0),
  -- Suspense may be negative: money that left after its payout had failed is missing there until a person decides.
  allows_negative boolean not null,
  next_seq bigint not null default 1,
  -- Of a clearing account. Its purpose contains the same, because the purpose is chained and, with the currency, is the
  -- account's unique name.
  provider_id text,
  direction text check (direction in ('collection', 'disbursement')),
  primary key (space_id, environment, id),
  -- An upsert of an existing account proposes a row without a purpose; only its balances are used.
  constraint ledger_accounts_clearing check (case
    when kind = 'clearing' and purpose is not null then
      purpose is not distinct from 'clearing ' || provider_id || ' ' || direction
    else num_nonnulls(provider_id, direction) = 0 end),
  constraint ledger_accounts_not_overdrawn check (allows_negative or posted >= held),
  -- Money out of nowhere is for testing.
  constraint ledger_accounts_funding_is_test check (kind <> 'funding' or environment = 'test')
) with (fillfactor = 50);
create unique index ledger_accounts_purpose on ledger_accounts (space_id, environment, purpose, currency)
  where purpose is not null;
create index ledger_accounts_clearing_rows on ledger_accounts (space_id, environment, id) where kind = 'clearing';

-- What a merchant sees of an account. Has the same id as the ledger account.
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
  -- A line of a merchant's account. Lines of the service's accounts are not shown.
  is_financial boolean not null,
  -- [{"id", "type"}], from the nearest owner outwards, without the Space itself.
  owners json not null,
  fee_code text,
  reversed_line_id uuid,
  reversed_reference text,
  at timestamptz not null,
  primary key (space_id, environment, id)
);
create unique index ledger_lines_account on ledger_lines (space_id, environment, account_id, seq);
create trigger ledger_lines_append_only before update or delete or truncate on ledger_lines
  for each statement execute function refuse_change();

-- Money with a contradictory outcome, in suspense until a person decides.
create table ledger_cases (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- failure_after_success: for example, a payout that a person marked as completed turned out not to have left.
  kind text not null check (kind in ('success_after_failure', 'failure_after_success')),
  object_type text not null,
  object_id uuid not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  reference text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  -- The posting that moved a closed case's money out of suspense; null: it was settled elsewhere.
  closing_reference text,
  -- Direction of the money. The object's type is private to its slice.
  direction text not null check (direction in ('collection', 'disbursement')),
  -- Overrides what the rail reference of a late refund is derived from; null: the payment. Nothing sets it any more.
  refund_purpose text,
  -- Already recovered by recalls. Closing the case moves only the rest.
  returned bigint not null default 0,
  primary key (space_id, environment, id),
  check (closing_reference is null or closed_at is not null),
  constraint ledger_cases_returned check (returned between 0 and
    case when kind = 'failure_after_success' and direction = 'disbursement' then amount else 0 end)
);
create unique index ledger_cases_object on ledger_cases (space_id, environment, object_type, object_id, kind);
create unique index ledger_cases_reference on ledger_cases (space_id, environment, reference);
create unique index ledger_cases_closing_reference on ledger_cases (space_id, environment, closing_reference)
  where closing_reference is not null;
create index ledger_cases_open on ledger_cases (opened_at) where closed_at is null;
-- A Space's cases, the few open ones first.
create index ledger_cases_open_in_space on ledger_cases (space_id, environment, id) where closed_at is null;
create index ledger_cases_closed_in_space on ledger_cases (space_id, environment, id) where closed_at is not null;

-- Reserved money: still posted in the account but no longer available.
create table ledger_holds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  amount bigint not null check (amount > 0),
  captured bigint not null default 0 check (captured >= 0),
  released bigint not null default 0 check (released >= 0),
  -- What the hold was created for: {"id", "type"}
  owner json not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  -- Open while a part is neither captured nor released.
  check (captured + released <= amount)
);
-- The open holds of an account, newest first.
create index ledger_holds_open on ledger_holds (space_id, environment, account_id, id) where captured + released < amount;

-- Writes the lines of many postings, of any Spaces, and updates the balances. Returns for each posting whether it was
-- written: one that would leave an account with less than is held in it is left out. With p_strict, it fails the whole
-- call instead, and the error's detail lists the numbers of the postings that did not fit.
-- All accounts are locked first, once and in ascending order, so that concurrent calls cannot deadlock. The postings
-- are then checked one after another against running balances, and written with one statement. It is a function so that
-- every statement sees what was committed while it waited for the locks, in one round trip.
create function ledger_post(
  p_strict boolean,
  -- one entry per account, in ascending order of p_accounts
  p_space_ids uuid[],
  p_environments environment[],
  p_accounts uuid[],
  -- one entry per line, the lines of a posting together: its posting (1, 2, 3, …) and its account as a position in
  -- p_accounts
  p_postings integer[],
  p_ids uuid[],
  p_account_numbers integer[],
  p_amounts bigint[],
  -- how much of the account's holds a line releases at the same time
  p_releases bigint[],
  p_fee_codes text[],
  p_references text[],
  p_owners text[],
  p_ats timestamptz[],
  -- the line and the posting that a line reverses, or null
  p_reversed_ids uuid[],
  p_reversed_references text[]
) returns boolean[] language plpgsql
-- Each statement has one good plan, and planning it anew would take longer than executing it for a small batch.
set plan_cache_mode = 'force_generic_plan'
as $$
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
  -- `offset 0` makes this one primary-key lookup per account, in the order of p_accounts. With outdated statistics, as
  -- of a Space that has just grown, the planner would otherwise scan all accounts of the Space.
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

  -- One posting per round: add its lines to the running balances, and take them off again if it does not fit.
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

  -- An update in the form of an upsert, since that always uses the primary key: every account exists and is locked.
  insert into ledger_accounts (space_id, environment, id, kind, currency, allows_negative, posted, held, next_seq)
  select changed.*
  from unnest(p_space_ids, p_environments, v_ids, v_kinds, v_currencies, v_negative, v_posted, v_held, v_next)
    as changed
  on conflict (space_id, environment, id) do update
  set posted = excluded.posted, held = excluded.held, next_seq = excluded.next_seq;
  return v_answers;
end $$;

-- The least id that a line of this reference can have: `20261121-101500123-7k2m9x` is 2026-11-21 10:15:00.123 UTC. Null
-- if the text is not a reference.
-- A reference and the ids of its lines begin with the same millisecond, so the primary key finds the lines. An index on
-- references would make every posting a fifth slower.
create function ledger_reference_start(reference text) returns uuid language sql immutable strict parallel safe as $$
  select case when reference ~ '^\d{4}(0[1-9]|1[0-2])([0-2]\d|3[01])-([01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}-' then
    rpad(lpad(to_hex((extract(epoch from make_timestamp(
      substr(reference, 1, 4)::int, substr(reference, 5, 2)::int, substr(reference, 7, 2)::int,
      substr(reference, 10, 2)::int, substr(reference, 12, 2)::int, substr(reference, 14, 2)::int
    )) * 1000)::bigint + substr(reference, 16, 3)::int), 12, '0'), 32, '0')::uuid
  end
$$;

-- The greatest id that a line of this reference can have.
create function ledger_reference_end(reference text) returns uuid language sql immutable strict parallel safe as $$
  select id_moment_end(ledger_reference_start(reference))
$$;

-- The lines of a posting that merchants see, in order.
create function ledger_told_lines(p_space_id uuid, p_environment environment, p_reference text)
returns table (id uuid, place bigint) language sql stable as $$
  select id, row_number() over (order by id) from ledger_lines
  where space_id = p_space_id and environment = p_environment and reference = p_reference and is_financial
    and id between ledger_reference_start(p_reference) and ledger_reference_end(p_reference)
$$;

-- Returns the number of an account's first line at or after a time. Approximate: lines are only nearly in chronological
-- order.
create function ledger_seq_near(p_space_id uuid, p_environment environment, p_account_id uuid, p_at timestamptz)
returns bigint language plpgsql stable as $$
declare
  v_low bigint := 1; v_high bigint; v_middle bigint; v_at timestamptz;
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

-- ==== Transfers ====

-- Money between two accounts of the same Space.
create table internal_transfers (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  source_account_id uuid not null,
  destination_account_id uuid not null,
  description text,
  -- null: immediately
  execute_at timestamptz,
  ledger_reference text,
  failure_code text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (destination_account_id <> source_account_id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null))
);
create index internal_transfers_source on internal_transfers (space_id, environment, source_account_id, id);
create index internal_transfers_destination on internal_transfers (space_id, environment, destination_account_id, id);
create index internal_transfers_waiting on internal_transfers (space_id, environment, status, id)
  where status <> 'completed';
-- A proof of new books finds newly completed transfers by their references, which begin with the time.
create index internal_transfers_executed on internal_transfers (space_id, environment, ledger_reference)
  where execute_at is not null;

create function internal_transfer_terms(t internal_transfers) returns text language sql stable as $$
  select row(t.amount, t.currency, t.source_account_id, t.destination_account_id, t.execute_at, t.created_at)::text
$$;

create function internal_transfer_outcome(t internal_transfers) returns text language sql stable as $$
  select case when t.status in ('completed', 'failed') then row(t.status, t.ledger_reference, t.failure_code)::text end
$$;

-- ==== Providers ====

-- Directions of a connection that an operator paused, with a message for merchants. Rows are kept forever: they also
-- record who decided.
create table connection_pauses (
  id uuid primary key,
  environment environment not null,
  connection text not null,
  -- null: every provider that the connection reaches
  provider_id text,
  direction text not null check (direction in ('collect', 'pay_out')),
  words text not null,
  paused_by text not null,
  paused_at timestamptz not null,
  -- When the pause ends automatically.
  ends_at timestamptz,
  resumed_by text,
  resumed_at timestamptz,
  check ((resumed_by is null) = (resumed_at is null))
);
create unique index connection_pauses_in_force on connection_pauses
  (environment, connection, coalesce(provider_id, ''), direction) where resumed_at is null;

-- Open breakers of connections: until when nodes send nothing, by the database's clock.
create table connection_rests (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  kind text not null check (kind in ('collect', 'disburse')),
  until timestamptz not null,
  primary key (environment, connection, provider_id, kind)
);

-- Connection stats in intervals of ten minutes: payments, or payouts and refunds, by outcome; calls by duration; the
-- last report from the rail.
create table connection_tallies (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  direction text not null check (direction in ('collect', 'pay_out')),
  begun_at timestamptz not null,
  succeeded integer not null,
  failed integer not null,
  calls integer[] not null,
  reported_at timestamptz,
  primary key (environment, connection, provider_id, direction, begun_at)
);

-- ==== Reconciliation ====

-- Imported statement files. They describe the operator's account at a provider, which all Spaces share, so they belong
-- to no Space.
create table statements (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  file_name text not null,
  -- the period covered, by the provider's clock; `until_at` is exclusive
  from_at timestamptz not null,
  until_at timestamptz not null,
  lines integer not null,
  new_lines integer not null,
  -- real time
  imported_at timestamptz not null,
  -- The user who imported it over the API; null: the command line.
  imported_by text,
  check (from_at <= until_at),
  check (new_lines between 0 and lines)
);
create index statements_provider on statements (provider_id, environment);

-- Money that moved according to the provider. A line belongs to no Space until it is matched.
create table statement_lines (
  provider_id text not null,
  environment environment not null,
  -- the provider's, never reused
  id text not null,
  statement_id bigint not null,
  -- line number in the file
  line integer not null,
  moved_at timestamptz not null,
  direction text not null check (direction in ('collection', 'disbursement')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- our reference, as sent to the provider
  reference text,
  rail_transaction text,
  -- the clearing account line it is matched with
  space_id uuid,
  account_id uuid,
  seq bigint,
  primary key (provider_id, environment, id),
  check (num_nonnulls(space_id, account_id, seq) in (0, 3))
);
create index statement_lines_open on statement_lines (provider_id, environment, moved_at, id) where space_id is null;
create unique index statement_lines_matched on statement_lines (space_id, environment, account_id, seq)
  include (amount, direction) where space_id is not null;
create index statement_lines_moved on statement_lines (provider_id, environment, moved_at);

-- Lines of clearing accounts that no statement has confirmed yet, with everything a statement may call them by. A line
-- is here from when reconciliation first sees it until it is matched.
create table open_clearing_lines (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  provider_id text not null,
  direction text not null check (direction in ('collection', 'disbursement')),
  -- As on a statement: positive, with the direction in which the money moved. A debit of a clearing account came in at
  -- the provider, a credit went out, whatever the account is for.
  amount bigint not null check (amount > 0),
  currency text not null,
  object_type text,
  object_id uuid,
  rail_reference text,
  rail_transaction text,
  order_number text,
  booked_at timestamptz not null,
  primary key (space_id, environment, account_id, seq)
);
create index open_clearing_lines_reference on open_clearing_lines (rail_reference);
create index open_clearing_lines_transaction on open_clearing_lines (rail_transaction);
create index open_clearing_lines_order on open_clearing_lines (order_number);
create index open_clearing_lines_object on open_clearing_lines (object_id);

-- Open items that a person closed: a statement line, a clearing account line, or both if their amounts differ. A closed
-- item is never matched, and nobody removes it.
create table item_closings (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  line_id text,
  space_id uuid,
  account_id uuid,
  seq bigint,
  -- the item's state when it was closed
  state text not null check (state in ('amount_differs', 'missing_here', 'missing_there')),
  -- real time
  closed_at timestamptz not null,
  closed_by text not null,
  reason text not null,
  check (num_nonnulls(space_id, account_id, seq) in (0, 3)),
  check (num_nonnulls(line_id, seq) > 0)
);
create unique index item_closings_stated on item_closings (provider_id, environment, line_id) where line_id is not null;
create unique index item_closings_booked on item_closings (space_id, environment, account_id, seq) where seq is not null;
create trigger item_closings_append_only before update or delete or truncate on item_closings
  for each statement execute function refuse_change();

create function item_closing_details(c item_closings) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', c.provider_id, 'lineId', c.line_id, 'spaceId', c.space_id,
    'accountId', c.account_id, 'seq', c.seq::text, 'state', c.state, 'closedAt', c.closed_at)
$$;

-- Signed day closes of a provider: what its statements show in one currency, what the books show, and every difference.
-- They describe the operator's account at a provider, which all Spaces share, so they belong to no Space.
create table closed_days (
  id bigint generated always as identity primary key,
  provider_id text not null,
  environment environment not null,
  day date not null,
  currency text not null,
  -- the day in the provider's country
  from_at timestamptz not null,
  until_at timestamptz not null,
  stated_lines bigint not null,
  stated_in bigint not null,
  stated_out bigint not null,
  booked_lines bigint not null,
  booked_in bigint not null,
  booked_out bigint not null,
  -- [{"side", "cause", "direction", "lines", "amount"}]: lines of one side that are not on the same day of the other,
  -- and why
  differences json not null,
  -- real time
  closed_at timestamptz not null,
  closed_by text not null,
  reason text not null,
  reopened_at timestamptz,
  reopened_by text,
  reopening_reason text,
  check (from_at < until_at),
  check (num_nonnulls(reopened_at, reopened_by, reopening_reason) in (0, 3))
);
create unique index closed_days_closed on closed_days (provider_id, environment, day, currency) where reopened_at is null;

create function closed_day_details(d closed_days) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency, 'from', d.from_at,
    'until', d.until_at, 'statedLines', d.stated_lines::text, 'statedIn', d.stated_in::text, 'statedOut', d.stated_out::text,
    'bookedLines', d.booked_lines::text, 'bookedIn', d.booked_in::text, 'bookedOut', d.booked_out::text,
    'differences', d.differences, 'closedAt', d.closed_at)
$$;

create function reopened_day_details(d closed_days) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency,
    'reopenedAt', d.reopened_at)
$$;

-- Statement imports, day closes, reopenings and closed items each have an audit entry in the chain. Objects without a
-- Space are in the chain of the installation: the Space with the nil UUID.

-- The id that audit entries use for an object with a numeric id.
create function counted_id(p_id bigint) returns uuid language sql immutable strict parallel safe as $$
  select ('00000000-0000-0000-0000-' || lpad(to_hex(p_id), 12, '0'))::uuid
$$;

-- What audit entries record of a row: only columns that never change.
create function statement_details(s statements) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', s.provider_id, 'fileName', s.file_name, 'from', s.from_at, 'until', s.until_at,
    'lines', s.lines, 'newLines', s.new_lines, 'importedAt', s.imported_at, 'importedBy', s.imported_by, 'digest', (
      select encode(sha256(string_agg(sha256(convert_to(row(line.id, line.line, line.moved_at, line.direction, line.amount,
        line.currency, line.reference, line.rail_transaction)::text, 'UTF8')), ''::bytea order by line.id)), 'hex')
      from (
        select * from statement_lines line
        where line.provider_id = s.provider_id and line.environment = s.environment and line.moved_at >= s.from_at
          and line.moved_at <= s.until_at
        offset 0
      ) line
      where line.statement_id = s.id))
$$;

-- ==== Settlements ====

create table settlements (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null check (kind in ('payout_to_bank', 'float_top_up')),
  provider_id text not null,
  -- of the clearing account
  direction text not null check (direction in ('collection', 'disbursement')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- the bank's reference, as on its statement
  bank_reference text not null,
  -- value date at the bank, for example 2026-11-20
  value_date text not null check (value_date ~ '^\d{4}-\d\d-\d\d$'),
  note text,
  -- may exceed what the provider owed
  is_advance boolean not null,
  -- a user's id, or free text from the operator
  created_by text not null,
  ledger_reference text not null,
  created_at timestamptz not null,
  reversed_at timestamptz,
  reversed_by text,
  reversal_reason text,
  reversal_reference text,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (kind <> 'float_top_up' or direction = 'disbursement'),
  check (num_nonnulls(reversed_at, reversed_by, reversal_reason, reversal_reference) in (0, 4))
);
-- A bank entry is booked once.
create unique index settlements_booked on settlements (space_id, environment, provider_id, direction, bank_reference)
  where reversed_at is null;
create unique index settlements_ledger_reference on settlements (space_id, environment, ledger_reference);
create unique index settlements_reversal_reference on settlements (space_id, environment, reversal_reference);
create index settlements_bank_reference on settlements (space_id, environment, bank_reference, id);
create index settlements_of_booked on settlements (space_id, environment, id) where reversed_at is null;
create index settlements_of_reversed on settlements (space_id, environment, id) where reversed_at is not null;

-- Latest balances of our live accounts at rails, and the same balances by the books.
create table connection_floats (
  connection text not null,
  side text not null check (side in ('rail', 'books')),
  account text not null,
  currency text not null,
  amount bigint not null,
  read_at timestamptz not null,
  primary key (connection, side, account, currency)
);

-- ==== Instructions ====

-- Orders sent to rails, and their outcomes: one conversation for every kind of object.
create table instructions (
  space_id uuid not null,
  environment environment not null,
  -- The id of the payment, payout or refund.
  id uuid not null,
  kind text not null check (kind in ('collect', 'disburse', 'refund')),
  provider_id text not null,
  -- created → submitting → submitted | unknown → succeeded | failed
  state text not null check (state in ('created', 'submitting', 'submitted', 'unknown', 'succeeded', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- Account of the payer or payee: E.164, an account number, a wallet id; null for a card.
  account text,
  -- Ours, generated before the call: the rail's idempotency key.
  reference uuid not null,
  description text not null,
  order_number text,
  return_url text,
  -- The rail's own reference, if it returned one on acceptance.
  provider_reference text,
  -- Revision of the connection used to submit. If another revision has never heard of the instruction, that proves
  -- nothing.
  revision text,
  created_at timestamptz not null,
  submitted_at timestamptz,
  -- Real time by the database's clock. Nothing was sent before `submitting_since`, when it became `submitting`, and
  -- nothing after `call_ended_since`, when the end of the call was recorded.
  submitting_since timestamptz,
  call_ended_since timestamptz,
  -- When the merchant was notified of the delay.
  delayed_at timestamptz,
  -- When the rail is queried next, by the Space's clock. For a failed instruction, when it is checked again.
  due_at timestamptz,
  look text check (look in ('hour', 'day')),
  -- The kind of object. It is separate from `kind` because a refund can be sent as a payout.
  owner_type text not null check (owner_type in ('payment', 'payout', 'refund')),
  original json,
  -- The connection used to submit it.
  connection text,
  -- What the payer's rail shows as the reference of a prompt, for rails that report prompts and bill payments alike.
  bill_reference text,
  -- Authenticates an open instruction with the program's secret: see `src/instructions/seals.ts`.
  seal text,
  primary key (space_id, environment, id),
  check ((state = 'created') = (submitted_at is null) or state = 'failed'),
  check ((submitted_at is null) = (submitting_since is null)),
  check ((kind = 'refund') = (original is not null))
);
-- A queue is a kind, environment and provider. Spaces take turns in it, each in order of creation.
create index instructions_waiting on instructions (kind, environment, provider_id, space_id, id)
  where state = 'created';
create index instructions_due on instructions (kind, environment, provider_id, due_at) where due_at is not null;
-- For moved test clocks.
create index instructions_due_in_space on instructions (space_id, environment, due_at) where due_at is not null;
-- Match reports sent to a connection's own address, by our reference or the rail's. A report cannot change what has
-- succeeded. References may repeat within a rail and across rails.
create index instructions_reference on instructions (reference)
  where submitted_at is not null and state <> 'succeeded';
create index instructions_provider_reference on instructions (provider_id, provider_reference)
  where provider_reference is not null and state <> 'succeeded';
create index instructions_open on instructions (owner_type, submitted_at, id)
  where state in ('submitting', 'submitted', 'unknown');
create index instructions_bill_reference on instructions (provider_id, bill_reference) where bill_reference is not null;

-- ==== Payments ====

-- What a payment is for. An order can have several attempts to pay it.
create table orders (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- 12 digits
  number text not null,
  name text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  created_at timestamptz not null,
  -- What the order's receipt will entitle its holder to: [{"key", "name", "limit"}], limit in units.
  entitlements json not null,
  primary key (space_id, environment, id)
);
create unique index orders_number on orders (space_id, environment, number);

create function order_terms(o orders) returns text language sql stable as $$
  select row(o.number, o.name, o.amount, o.currency, o.entitlements, o.created_at)::text
$$;

-- Fees in parts per million of the amount, with a minimum per currency in minor units: {"SLE": "50"}.
create table fee_rules (
  space_id uuid not null,
  environment environment not null,
  code text not null check (code in ('payment', 'payout', 'refund')),
  ppm integer not null check (ppm between 0 and 1000000),
  minimums jsonb not null default '{}',
  primary key (space_id, environment, code)
);

create table payments (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  name text not null,
  reference text,
  order_id uuid not null,
  order_number text not null,
  -- The object that the payment was made through.
  origin_type text not null check (origin_type in ('checkout_session', 'payment_code')),
  origin_id uuid not null,
  financial_account_id uuid not null,
  channel_type text not null check (channel_type in ('momo', 'bank', 'wallet', 'card')),
  provider_id text not null,
  -- E.164 for momo, an account number, a wallet id; null for a card, whose number we never see.
  payer_account text,
  -- For a card, known once it has paid.
  payer_fingerprint text,
  -- Ours, generated before the call: the rail's idempotency key.
  rail_reference uuid not null,
  rail_transaction text,
  ledger_reference text,
  -- [{"code", "amount"}], amounts as text
  fees jsonb not null default '[]',
  failure_code text,
  failure_message text,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Only for cards.
  card_scheme text check (card_scheme in ('visa', 'mastercard', 'verve')),
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- The rail's own page, where the payer authorises, and when the payer was sent there and came back.
  redirect_url text,
  redirected_at timestamptz,
  returned_at timestamptz,
  -- Metadata of the origin when the payment began.
  origin_metadata json not null default '{}',
  guidance json,
  -- Refunds of the payment. They are reserved here under the payment's lock, so that they never exceed what was paid.
  -- Of a failed payment, only money that arrived late can be refunded.
  refund_count integer not null default 0 check (refund_count between 0 and 20),
  refund_reserved bigint not null default 0,
  refunded bigint not null default 0,
  late_received bigint not null default 0,
  -- How many codes the payer has given the provider.
  codes_submitted integer not null default 0 check (codes_submitted between 0 and 5),
  -- The payer as the rail masks them, if it reports no account.
  payer_mask text,
  -- Refunded although the refund had failed and other refunds had reserved the rest of the payment meanwhile. It stays
  -- gone even if those fail.
  refund_excess bigint not null default 0 check (refund_excess >= 0),
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null)),
  constraint payments_check4 check (channel_type = 'card' or card_scheme is null),
  constraint payments_check5 check ((card_scheme is null) = (card_last4 is null)),
  constraint payments_check6 check (late_received = 0 or (late_received > 0 and status = 'failed')),
  constraint payments_refunds check (0 <= refunded and refunded <= refund_reserved and
    refund_reserved <= case status when 'completed' then amount else late_received end),
  constraint payments_payer_account_check check ((channel_type = 'card') = (payer_account is null and payer_mask is null)
    and (payer_account is null or payer_mask is null)),
  constraint payments_payer_fingerprint_check
    check (channel_type = 'card' or payer_mask is not null or payer_fingerprint is not null)
);
create index payments_order on payments (space_id, environment, order_number);
create index payments_account on payments (space_id, environment, financial_account_id, id);
create unique index payments_ledger_reference on payments (space_id, environment, ledger_reference);
-- A session has at most one payment in flight, whoever pays. For a payment code, the lock on its row limits them.
create unique index payments_in_flight on payments (space_id, environment, origin_id)
  where status in ('pending', 'processing') and origin_type = 'checkout_session';
-- The reference comes first: a statement names it but not the Space.
create unique index payments_rail_reference on payments (rail_reference, space_id, environment);
-- Open prompts of a phone.
create index payments_asking on payments (environment, payer_account, space_id)
  where channel_type = 'momo' and status in ('pending', 'processing');
-- Filters of lists. Each index ends in the id, which is the order of lists. Optional columns have partial indexes.
create index payments_status on payments (space_id, environment, status, id);
create index payments_provider on payments (space_id, environment, provider_id, id);
create index payments_amount on payments (space_id, environment, amount, id);
create index payments_phone on payments (space_id, environment, payer_account, id) where channel_type = 'momo';
create index payments_reference on payments (space_id, environment, reference, id) where reference is not null;
create index payments_rail_transaction on payments (space_id, environment, rail_transaction, id)
  where rail_transaction is not null;
-- Ends in the id: a payment code may be paid a million times.
create index payments_origin on payments (space_id, environment, origin_id, id);

-- The last part is left out when empty: a payment without a page or guidance has the same seal as if the columns did
-- not exist.
create function payment_terms(p payments) returns text language sql stable as $$
  select row(p.amount, p.currency, p.order_id, p.order_number, p.origin_type, p.origin_id, p.financial_account_id,
    p.channel_type, p.provider_id, p.payer_account,
    case when p.channel_type <> 'card' then p.payer_fingerprint end, p.rail_reference,
    p.origin_metadata, p.created_at)::text
    || case when num_nonnulls(p.redirect_url, p.guidance) > 0 then row(p.redirect_url, p.guidance)::text else '' end
$$;

create function payment_outcome(p payments) returns text language sql stable as $$
  select case when p.status in ('completed', 'failed') then row(p.status, p.payer_fingerprint, p.card_scheme,
    p.card_last4, p.rail_transaction, p.ledger_reference, p.fees, p.failure_code, p.failure_message)::text end
$$;

-- The seal as of now, the same in any session.
create function payment_seal(p payments, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_terms(p)), digest_of(payment_outcome(p))
$$;

-- Created when a payment completes.
create table receipts (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  -- Units left, in the order of the order's entitlements. The check prevents double redemption whatever a statement
  -- forgets.
  remaining integer[] not null,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, order_id),
  foreign key (space_id, environment, order_id) references orders (space_id, environment, id),
  constraint receipts_not_overdrawn check ((0 <= all (remaining)) is true)
);

-- How often phones were prompted, per Space and over all Spaces (the row with the nil UUID as its Space, locked to
-- check the limit): until when the allowance is used up. Real time, as a phone belongs to no Space.
create table asked_phones (
  environment environment not null,
  phone_number text not null,
  space_id uuid not null,
  used_until timestamptz not null default now(),
  primary key (environment, phone_number, space_id)
) with (fillfactor = 70);

-- Redemptions of a receipt.
create table redemptions (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  number integer not null,
  -- in the order of the entitlements
  units integer[] not null check ((0 <= all (units)) is true),
  at timestamptz not null,
  primary key (space_id, environment, order_id, number),
  foreign key (space_id, environment, order_id) references receipts (space_id, environment, order_id)
);

-- The rules for fees of a Space and environment, as a whole.
create function fee_rules_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(code, ppm, minimums)::text, e'\n' order by code) from fee_rules
  where space_id = p_space_id and environment = p_environment
$$;

-- ==== Payouts ====

-- Money out: from a merchant's account to a bank account, phone or wallet.
create table payouts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- On top of the amount: [{"code", "amount"}], amounts as text
  fees jsonb not null default '[]',
  financial_account_id uuid not null,
  destination_type text not null check (destination_type in ('bank', 'momo', 'wallet')),
  provider_id text not null,
  -- E.164 for momo, an account number, a wallet id
  payee_account text not null,
  -- Ours, generated before the call: the rail's idempotency key.
  rail_reference uuid not null,
  rail_transaction text,
  -- Holds the amount and fees until the outcome is known; null: there was not enough money.
  hold_id uuid,
  ledger_reference text,
  failure_code text,
  failure_message text,
  created_by uuid not null,
  -- null: not required
  approval text check (approval in ('required', 'approved', 'rejected')),
  approval_user_id uuid,
  approval_at timestamptz,
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Nobody approved it, in a Space with an approval limit: the sum of such payouts in a day must not exceed the limit.
  -- Only these payouts are in the indexes below.
  counts_unapproved boolean not null default false,
  -- Recalled, or returned by recalls. It is counted here under the payout's lock, so that it never exceeds what was
  -- paid out.
  recalled bigint not null default 0,
  batch_id uuid,
  batch_row integer,
  primary key (space_id, environment, id),
  check ((status = 'completed') = (ledger_reference is not null)),
  check ((status = 'failed') = (failure_code is not null)),
  constraint payouts_check5 check (status = 'failed' or hold_id is not null),
  constraint payouts_check6 check ((approval in ('approved', 'rejected')) = (approval_user_id is not null)),
  constraint payouts_check7 check ((approval_user_id is null) = (approval_at is null)),
  constraint payouts_check8 check (approval_user_id <> created_by),
  constraint payouts_recalled check (recalled between 0 and case status when 'completed' then amount else 0 end),
  constraint payouts_batch_check check ((batch_id is null) = (batch_row is null))
);
create index payouts_status on payouts (space_id, environment, status, id);
create index payouts_account on payouts (space_id, environment, financial_account_id, id);
create index payouts_rail_transaction on payouts (space_id, environment, rail_transaction, id)
  where rail_transaction is not null;
-- The planner cannot confuse either of these with the primary key when it misjudges a Space that has grown.
create unique index payouts_ledger_reference on payouts (space_id, environment, ledger_reference)
  where ledger_reference is not null;
-- The reference comes first: a statement names it but not the Space.
create unique index payouts_rail_reference on payouts (rail_reference, space_id, environment);
create index payouts_unapproved_by_creator on payouts (space_id, environment, created_by, created_at)
  where counts_unapproved;
create index payouts_unapproved_to_payee on payouts (space_id, environment, payee_account, created_at)
  where counts_unapproved;
create index payouts_provider on payouts (space_id, environment, provider_id, id);
create index payouts_amount on payouts (space_id, environment, amount, id);
-- A row of a batch becomes one payout.
create unique index payouts_batch_row on payouts (space_id, environment, batch_id, batch_row) where batch_id is not null;
-- The payouts of a batch, newest first. Totals are computed from the index alone.
create index payouts_batch on payouts (space_id, environment, batch_id, id)
  include (status, currency, amount) where batch_id is not null;
-- Payouts to an account of any type.
create index payouts_payee on payouts (space_id, environment, payee_account, id);

create function payout_terms(p payouts) returns text language sql stable as $$
  select row(p.amount, p.currency, p.fees, p.financial_account_id, p.destination_type, p.provider_id, p.payee_account,
    p.rail_reference, p.hold_id, p.created_by, p.created_at)::text
    || case when p.approval is not null or p.counts_unapproved
      then row(p.approval, p.approval_user_id, p.approval_at, p.counts_unapproved)::text else '' end
$$;

create function payout_outcome(p payouts) returns text language sql stable as $$
  select case when p.status in ('completed', 'failed') then row(p.status, p.rail_transaction, p.ledger_reference,
    p.failure_code, p.failure_message, p.approval, p.approval_user_id, p.approval_at)::text end
$$;

create function payout_seal(p payouts, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payout_terms(p)), digest_of(payout_outcome(p))
$$;

-- A payout above this amount needs the approval of another user.
create table payout_approvals_above (
  space_id uuid not null,
  environment environment not null,
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (space_id, environment, currency)
);

create function payout_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from payout_approvals_above
  where space_id = p_space_id and environment = p_environment
$$;

-- ==== Payout batches ====

-- Payouts that are checked, approved and created together.
create table payout_batches (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'rejected', 'cancelled')),
  name text not null,
  -- The paying account; null: the main account of each currency.
  financial_account_id uuid,
  row_count integer not null check (row_count > 0),
  -- By currency, in minor units.
  sums jsonb not null,
  created_by uuid not null,
  -- null: not required
  approval text check (approval in ('required', 'approved', 'rejected')),
  approval_user_id uuid,
  approval_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The Idempotency-Key of the request that created the batch. Rail references are derived from it: if a restored
  -- backup has lost the batch, the client's retry produces the same references. Without a key they are derived from the
  -- id.
  idempotency_key text,
  primary key (space_id, environment, id),
  check ((approval_user_id is null) = (approval_at is null)),
  check ((approval in ('approved', 'rejected')) = (approval_user_id is not null)),
  check (approval_user_id <> created_by),
  check ((status in ('pending', 'cancelled')) = (approval is not distinct from 'required')),
  check ((status = 'rejected') = (approval is not distinct from 'rejected'))
);
create index payout_batches_status on payout_batches (space_id, environment, status, id);

-- A requested payout. It becomes a payout when the batch is approved, or needs no approval.
create table payout_batch_rows (
  space_id uuid not null,
  environment environment not null,
  batch_id uuid not null,
  -- from 1
  number integer not null check (number > 0),
  amount bigint not null check (amount > 0),
  currency text not null,
  destination_type text not null,
  provider_id text not null,
  payee_account text not null,
  name text,
  reference text,
  metadata json not null,
  primary key (space_id, environment, batch_id, number),
  foreign key (space_id, environment, batch_id) references payout_batches (space_id, environment, id)
);

-- Includes its rows, which never change.
create function payout_batch_terms(b payout_batches) returns text language sql stable as $$
  -- every space: the batch names its Space
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

create function payout_batch_seal(b payout_batches, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payout_batch_terms(b)), digest_of(payout_batch_outcome(b))
$$;

-- ==== Recalls ====

create table recalls (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('open', 'returned', 'refused', 'cancelled')),
  payout_id uuid not null,
  -- The amount recalled and the part that came back, in minor units.
  amount bigint not null check (amount > 0),
  returned bigint not null default 0,
  currency text not null,
  -- The payout's provider and account.
  provider_id text not null,
  financial_account_id uuid not null,
  reason text not null,
  note text,
  -- The provider's transaction that returned the money.
  rail_transaction text,
  ledger_reference text,
  created_by uuid not null,
  metadata json not null,
  payout_metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, id),
  check (returned between 0 and amount),
  check ((status = 'returned') = (returned > 0)),
  check ((status = 'returned') = (rail_transaction is not null)),
  check ((status = 'returned') = (ledger_reference is not null)),
  check (status <> 'open' or updated_at = created_at)
);
create index recalls_payout on recalls (space_id, environment, payout_id, id);
create index recalls_status on recalls (space_id, environment, status, id);
-- A returning transaction is booked once.
create unique index recalls_rail_transaction on recalls (space_id, environment, rail_transaction, provider_id)
  where rail_transaction is not null;
create unique index recalls_ledger_reference on recalls (space_id, environment, ledger_reference)
  where ledger_reference is not null;
-- Recalls of all Spaces that need attention.
create index recalls_open on recalls (created_at, id) where status = 'open';

-- The columns of a recall that never change, and its outcome.
create function recall_terms(r recalls) returns text language sql stable as $$
  select row(r.payout_id, r.amount, r.currency, r.provider_id, r.financial_account_id, r.reason, r.note, r.created_by,
    r.metadata, r.payout_metadata, r.created_at)::text
$$;

create function recall_outcome(r recalls) returns text language sql stable as $$
  select case when r.status <> 'open' then row(r.status, r.returned, r.rail_transaction, r.ledger_reference, r.updated_at)::text
  end
$$;

-- ==== Refunds ====

create table refunds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'processing', 'completed', 'failed', 'cancelled')),
  pending_reason text check (pending_reason in ('approval', 'insufficient_balance', 'provider_unavailable')),
  payment_id uuid not null,
  order_number text not null,
  -- Requested, in minor units. If the payer bears the fee, it is deducted, and `net` is what the payer receives.
  amount bigint not null,
  net bigint not null check (net > 0),
  -- The part that counts against the payment: nothing if the refund did not happen.
  reserved bigint not null,
  currency text not null,
  fees jsonb not null,
  bearer text not null check (bearer in ('merchant', 'payer')),
  -- The part of the payment's own fee that was returned to the merchant.
  returned_fee bigint not null default 0 check (returned_fee >= 0),
  financial_account_id uuid not null,
  method text not null check (method in ('provider_refund', 'payout')),
  destination_type text not null,
  provider_id text not null,
  -- E.164, an account number, a wallet id; null for a card
  payer_account text,
  card_scheme text,
  card_last4 text,
  -- Our reference and the rail's transaction of the payment.
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
  -- A user; null: an operator.
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
  check (reserved between 0 and amount),
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
-- Refunds waiting for money, in the order in which they will be resumed.
create index refunds_short on refunds (space_id, environment, financial_account_id, id)
  where pending_reason = 'insufficient_balance';
-- Refunds waiting in a queue.
create index refunds_waiting on refunds (environment, provider_id) where status = 'pending' and pending_reason is null;
create index refunds_unapproved_by_creator on refunds (space_id, environment, created_by, created_at)
  where counts_unapproved;
create index refunds_provider on refunds (space_id, environment, provider_id, id);
create index refunds_amount on refunds (space_id, environment, amount, id);
create index refunds_order on refunds (space_id, environment, order_number, id);
create index refunds_phone on refunds (space_id, environment, payer_account, id) where destination_type = 'momo';

-- The columns of a refund that never change, and its outcome.
create function refund_terms(r refunds) returns text language sql stable as $$
  select row(r.payment_id, r.order_number, r.amount, r.net, r.currency, r.fees, r.bearer, r.financial_account_id, r.method,
    r.destination_type, r.provider_id, r.payer_account, r.reason, r.original, r.rail_reference, r.created_by, r.created_at)::text
    || case when r.approval is not null or r.counts_unapproved
      then row(r.approval, r.approval_user_id, r.approval_at, r.counts_unapproved)::text else '' end
$$;

create function refund_outcome(r refunds) returns text language sql stable as $$
  select case when r.status in ('completed', 'failed', 'cancelled') then row(r.status, r.returned_fee, r.rail_transaction,
    r.hold_id, r.ledger_reference, r.failure_code, r.failure_message, r.approval, r.approval_user_id, r.approval_at,
    r.completed_at)::text end
$$;

create function refund_seal(r refunds, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(refund_terms(r)), digest_of(refund_outcome(r))
$$;

-- A Space's refund settings.
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

create function refund_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from refund_approvals_above
  where space_id = p_space_id and environment = p_environment
$$;

create function refund_policies_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(queues_when_short, returns_payment_fee)::text, e'\n') from refund_policies
  where space_id = p_space_id and environment = p_environment
$$;

-- ==== Checkout ====

create table checkout_sessions (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'completed', 'cancelled', 'expired')),
  name text not null,
  description text,
  reference text,
  success_url text,
  cancel_url text,
  callback_state text,
  -- The line items of the request, each with its id.
  line_items json not null,
  payment_options json not null,
  primary_color text,
  financial_account_id uuid not null,
  order_id uuid not null,
  order_number text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  metadata json not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The link that opened the session.
  payment_link_id uuid,
  idempotency_key text,
  primary key (space_id, environment, id)
);
create index checkout_sessions_status on checkout_sessions (space_id, environment, status, id);
create index checkout_sessions_reference on checkout_sessions (space_id, environment, reference, id)
  where reference is not null;
create index checkout_sessions_payment_link on checkout_sessions (space_id, environment, payment_link_id, id)
  where payment_link_id is not null;

-- The last part is left out for sessions without a link, so that it does not affect their seals.
create function checkout_session_terms(s checkout_sessions) returns text language sql stable as $$
  select row(s.name, s.description, s.reference, s.success_url, s.cancel_url, s.callback_state, s.line_items,
    s.payment_options, s.primary_color, s.financial_account_id, s.order_id, s.order_number, s.amount, s.currency,
    s.metadata, s.expires_at, s.created_at)::text || coalesce(' of ' || s.payment_link_id, '')
$$;

create function checkout_session_outcome(s checkout_sessions) returns text language sql stable as $$
  select case when s.status <> 'pending' then s.status end
$$;

-- Whether payers receive receipts by text message. Without a row, none are sent.
create table receipt_settings (
  space_id uuid not null,
  environment environment not null,
  is_sent_by_sms boolean not null,
  primary key (space_id, environment)
);

-- ==== Payment links ====

-- Created once and shared by a merchant. Each payer who starts to pay gets a new checkout session.
create table payment_links (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('active', 'inactive', 'completed', 'expired', 'cancelled')),
  name text not null,
  description text,
  -- as in a checkout session; null: the payer enters an amount
  line_items json,
  currency text not null,
  -- for an amount that the payer enters
  minimum bigint check (minimum > 0),
  maximum bigint check (maximum > 0),
  -- How many times the payer may take all items; null: once.
  quantity_minimum integer check (quantity_minimum > 0),
  quantity_maximum integer,
  -- What the payer is asked for, such as an invoice number or a pupil's name.
  reference_label text,
  is_reference_required boolean not null,
  financial_account_id uuid not null,
  payment_options json not null,
  primary_color text,
  success_text text,
  success_url text,
  -- Limits completed payments and those in flight together.
  max_payments integer check (max_payments > 0),
  paid_count integer not null,
  paid_total bigint not null,
  reserved_count integer not null check (reserved_count >= 0),
  metadata json not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  idempotency_key text,
  primary key (space_id, environment, id),
  check (paid_count + reserved_count <= max_payments),
  check (line_items is null or (minimum is null and maximum is null)),
  check (minimum <= maximum),
  check ((quantity_minimum is null) = (quantity_maximum is null)),
  check (quantity_minimum <= quantity_maximum),
  check (success_text is null or success_url is null)
);
create index payment_links_status on payment_links (space_id, environment, status, id);

-- Every change of a link, including how it ends, is a change of its terms.
create function payment_link_terms(l payment_links) returns text language sql stable as $$
  select row(l.status, l.name, l.description, l.line_items, l.currency, l.minimum, l.maximum, l.quantity_minimum,
    l.quantity_maximum, l.reference_label, l.is_reference_required, l.financial_account_id, l.payment_options,
    l.primary_color, l.success_text, l.success_url, l.max_payments, l.metadata, l.expires_at, l.created_at)::text
$$;

create function payment_link_seal(l payment_links, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_link_terms(l)), null::bytea
$$;

-- Reservations of a link's remaining payments by payments in flight. A limited share may be held by prompts from one
-- address.
create table payment_link_places (
  space_id uuid not null,
  environment environment not null,
  -- A session has at most one payment in flight.
  session_id uuid not null,
  payment_link_id uuid not null,
  -- A tag of the payer's address, computed with the program's secret.
  caller text not null,
  primary key (space_id, environment, session_id)
);
create index payment_link_places_caller on payment_link_places (space_id, environment, payment_link_id, caller);

-- ==== Payment codes ====

create table payment_codes (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  -- 10 digits, registered in payment_code_numbers
  number text not null,
  mode text not null check (mode in ('one_time', 'recurrent')),
  status text not null check (status in ('pending', 'processing', 'completed', 'expired', 'cancelled')),
  name text not null,
  -- null: the payer enters it
  amount bigint check (amount > 0),
  currency text not null,
  enabled boolean not null,
  customer_name text,
  reference text,
  authorized_providers text[],
  -- E.164
  authorized_phone_number text,
  -- A recurrent code ends at this many payments or this much money, whichever comes first.
  expected_count integer check (expected_count > 0),
  expected_total bigint check (expected_total > 0),
  financial_account_id uuid not null,
  paid_count integer not null,
  paid_total bigint not null,
  -- since the last payment or change
  failed_count integer not null,
  -- the last completed payment, as the API shows it
  processed json,
  metadata json not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  idempotency_key text,
  primary key (space_id, environment, id),
  check (authorized_providers is null or authorized_phone_number is null),
  check (mode = 'recurrent' or (expected_count is null and expected_total is null))
);
create index payment_codes_kind on payment_codes (space_id, environment, mode, status, id);
create index payment_codes_reference on payment_codes (space_id, environment, reference, id) where reference is not null;

create function payment_code_terms(c payment_codes) returns text language sql stable as $$
  select row(c.number, c.mode, c.name, c.amount, c.currency, c.enabled, c.customer_name, c.reference, c.authorized_providers,
    c.authorized_phone_number, c.expected_count, c.expected_total, c.financial_account_id, c.metadata, c.expires_at,
    c.created_at)::text
$$;

create function payment_code_outcome(c payment_codes) returns text language sql stable as $$
  select case when c.status in ('completed', 'expired', 'cancelled') then c.status end
$$;

create function payment_code_seal(c payment_codes, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(payment_code_terms(c)), digest_of(payment_code_outcome(c))
$$;

-- Every number ever assigned to a code, in all Spaces: a dialled code has only digits, and no number is assigned twice.
create table payment_code_numbers (
  number text primary key check (number ~ '^[0-9]{10}$'),
  environment environment not null,
  space_id uuid not null,
  payment_code_id uuid not null
);

-- Payments in flight.
create table payment_code_attempts (
  space_id uuid not null,
  environment environment not null,
  payment_code_id uuid not null,
  payment_id uuid not null,
  -- E.164
  phone_number text not null,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null,
  primary key (space_id, environment, payment_code_id, payment_id),
  foreign key (space_id, environment, payment_code_id) references payment_codes (space_id, environment, id)
);

-- ==== Bill payments ====

-- Payments that payers make by hand to our number at a rail, with a payment code as the reference.

create table bill_payments (
  id uuid not null unique,
  environment environment not null,
  connection text not null,
  -- The rail's own number of the transaction.
  transaction text not null,
  provider_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  account_reference text not null,
  payer_account text,
  payer_mask text,
  paid_at timestamptz not null,
  received_at timestamptz not null,
  source text not null check (source in ('notice', 'pull')),
  status text not null check (status in ('allocated', 'unallocated', 'closed')),
  reason text,
  -- The payment that it created or completed.
  space_id uuid,
  payment_id uuid,
  closed_by text,
  closed_at timestamptz,
  closing_reason text,
  primary key (environment, connection, transaction),
  check ((status = 'allocated') = (payment_id is not null)),
  check ((payment_id is null) or (space_id is not null)),
  check ((status = 'unallocated') = (reason is not null and closed_at is null and payment_id is null)),
  check ((status = 'closed') = (closed_at is not null)),
  check ((closed_at is null) = (closed_by is null)),
  check ((closed_at is null) = (closing_reason is null)),
  check (payer_account is null or payer_mask is null)
);
create index bill_payments_unallocated on bill_payments (received_at) where status = 'unallocated';
create unique index bill_payments_payment on bill_payments (space_id, environment, payment_id) where payment_id is not null;

-- A bill payment that is, or was, not allocated.
create function bill_payment_terms(b bill_payments) returns text language sql stable as $$
  select row(b.environment, b.connection, b.transaction, b.provider_id, b.amount, b.currency, b.account_reference,
    b.payer_account, b.payer_mask, b.paid_at, b.received_at, b.source)::text
$$;

create function bill_payment_outcome(b bill_payments) returns text language sql stable as $$
  select row(b.status, b.reason, b.space_id, b.payment_id, b.closed_by, b.closed_at, b.closing_reason)::text
$$;

create function bill_payment_seal(b bill_payments, out terms bytea, out outcome bytea) language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select digest_of(bill_payment_terms(b)), digest_of(bill_payment_outcome(b))
$$;

-- How far the transactions of a connection have been pulled.
create table bill_pulls (
  environment environment not null,
  connection text not null,
  pulled_until timestamptz not null,
  primary key (environment, connection)
);

-- ==== USSD ====

create table ussd_otps (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null check (status in ('pending', 'verified', 'expired')),
  -- 6 digits
  number text not null,
  -- E.164
  phone_number text not null,
  verification_message text,
  metadata json not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (space_id, environment, id)
);
create index ussd_otps_open on ussd_otps (space_id, environment, phone_number) where status = 'pending';
create index ussd_otps_status on ussd_otps (space_id, environment, status, id);

create function ussd_otp_terms(o ussd_otps) returns text language sql stable as $$
  select row(o.number, o.phone_number, o.verification_message, o.metadata, o.expires_at, o.created_at)::text
$$;

create function ussd_otp_outcome(o ussd_otps) returns text language sql stable as $$
  select case when o.status <> 'pending' then o.status end
$$;

-- Shared by all Spaces: a dialled code has only a phone and digits.
create table ussd_otp_numbers (
  phone_number text not null,
  number text not null,
  environment environment not null,
  space_id uuid not null,
  otp_id uuid not null,
  -- The digits of a closed OTP may be reused.
  is_open boolean not null default true,
  primary key (phone_number, number)
);
create index ussd_otp_numbers_open on ussd_otp_numbers (phone_number, environment, otp_id) where is_open;

-- Phones that have dialled. They belong to no Space.
create table ussd_phones (
  environment environment not null,
  phone_number text not null,
  -- The payer's last choice; null: the default of the country.
  language text check (language in ('en', 'fr', 'kri')),
  -- The last wrong entries, oldest first, at most as many as cause a lock-out.
  wrong_otps timestamptz[] not null default '{}',
  wrong_codes timestamptz[] not null default '{}',
  primary key (environment, phone_number)
);

-- A phone's way through the menus. It belongs to no Space until a code is dialled.
create table ussd_sessions (
  environment environment not null,
  aggregator text not null,
  session_id text not null,
  phone_number text not null,
  stage text not null check (stage in ('number', 'amount', 'confirm', 'over')),
  -- The dialled number, and the amount that the payer was shown or entered.
  number text,
  amount bigint,
  language text not null check (language in ('en', 'fr', 'kri')),
  -- The response to each step, so that a repeated step gets the same response: {"<step>": {"text", "ends"}}
  answers json not null,
  turns integer not null,
  created_at timestamptz not null default now(),
  primary key (environment, aggregator, session_id, phone_number)
);
create index ussd_sessions_age on ussd_sessions using brin (created_at);

-- ==== Books ====

-- Results of book proofs. A proof covers all Spaces and belongs to none.
create table proofs (
  id bigint generated always as identity primary key,
  -- real time
  started_at timestamptz not null,
  ended_at timestamptz not null,
  is_ok boolean not null,
  lines bigint not null check (lines >= 0),
  -- as many as were reported: at most 20 per check
  differences integer not null check (differences >= 0),
  -- Per check: its name, the rows examined and the differences found.
  checks jsonb not null default '[]',
  check (is_ok = (differences = 0))
);

create table book_links (
  space_id uuid not null,
  environment environment not null,
  -- 1, 2, 3, …
  number bigint not null,
  -- real time in milliseconds, always later than the previous link
  made_at timestamptz not null,
  -- Events after `position_after` and up to `position_to`.
  position_after bigint not null,
  position_to bigint not null,
  event_count integer not null,
  events_digest bytea,
  ranges_digest bytea,
  audits uuid[] not null,
  audits_digest bytea,
  -- SHA-256 of the previous hash and the columns
  hash bytea not null,
  seals_digest bytea,
  primary key (space_id, environment, number)
);
create unique index book_links_made on book_links (space_id, environment, made_at);

-- Lines of an account that are chained together: at most a hundred, from `seq_from` to `seq_to`. The account's next
-- range begins right after.
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

-- The last link whose hash was published as an event.
create table book_heads (
  space_id uuid not null,
  environment environment not null,
  number bigint not null,
  primary key (space_id, environment)
);

-- Seals of objects: the digests of their terms and outcome. A seal never changes and is contained in its link. An
-- object that a merchant may change is sealed again with every change, and only then. Terms and outcome are otherwise
-- written once.
create table book_seals (
  space_id uuid not null,
  environment environment not null,
  object_id uuid not null,
  object_type text not null,
  terms bytea not null,
  outcome bytea,
  -- The link that contains the seal; 0: made before links contained seals. The chainer moves those into links, a
  -- thousand at a time.
  number bigint not null,
  primary key (space_id, environment, object_id, number)
);
create index book_seals_number on book_seals (space_id, environment, number);

-- Digest of an account's lines from one number to another. With the first line, it covers the account itself.
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

-- Digest of the events after one position and up to another. A fact is included with its first event.
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

-- The hash of a link: of the previous hash and all its columns.
create function link_hash(p_before bytea, l book_links) returns bytea language sql stable as $$
  select sha256(coalesce(p_before, '') || convert_to(row(l.number, l.made_at, l.position_after, l.position_to, l.event_count,
    l.events_digest, l.ranges_digest, l.audits, l.audits_digest)::text || coalesce(' ' || l.seals_digest::text, ''), 'UTF8'))
$$;

-- Adds the next link to the chain of a Space, if there is anything to chain, and returns whether more is left. A link
-- contains the next events, the new lines of accounts as ranges, the marked audit entries and the seals of the objects
-- that the events are about or that are marked. Limits keep a link small. With p_all, it looks for new lines in all
-- accounts; otherwise in those that its events lead to and those with a purpose, whose lines have no events.
create function chain_books(p_space_id uuid, p_environment environment, p_all boolean) returns boolean
language plpgsql
-- Hashes must not depend on the session's settings.
set timezone = 'UTC'
set datestyle = 'ISO'
-- Index scans only: with outdated statistics, as of a Space that has just grown, the planner would scan whole tables.
set plan_cache_mode = 'force_generic_plan'
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  -- every space: the type of a row, not a query
  v_link book_links;
  c_events constant int := 1000;
  c_lines constant int := 2000;
  c_lines_of_range constant int := 100;
  c_old_seals constant int := 1000;
  v_marks bigint[]; v_audits uuid[]; v_before bytea; v_first bigint; v_objects uuid[]; v_orders uuid[]; v_marked uuid[];
  v_old uuid[]; v_is_more boolean; v_is_range_left boolean;
begin
  -- Only one chainer per Space and environment; another one is at work.
  if not pg_try_advisory_xact_lock(715010, hashtext(p_space_id::text || p_environment)) then
    return false;
  end if;
  -- Read first: whatever is marked after this is left for the next call.
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
  -- The first link begins with the oldest event that has not been deleted.
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
      -- An immediate transfer contains nothing that its lines do not.
      select 'internal_transfer', id, internal_transfer_terms(t), internal_transfer_outcome(t) from internal_transfers t
      where space_id = p_space_id and environment = p_environment and id = any (v_objects)
        and (status <> 'completed' or execute_at is not null)
      union all
      select 'order', id, order_terms(o), null from orders o
      where space_id = p_space_id and environment = p_environment and id = any (v_orders)
      union all
      -- every space: unallocated bill payments are in the chain of the installation
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
  -- A marked object may change only if it matched its seal before the change. Otherwise it keeps the seal, and
  -- `pesewa verify` finds the difference.
  cross join lateral (
    select exists (
      select 1 from unchained mark
      where mark.space_id = p_space_id and mark.environment = p_environment and mark.id = any (v_marks)
        and mark.object_id = present.id and mark.terms = sealed.terms
        and mark.outcome is not distinct from sealed.outcome) as is_marked
  ) marked
  -- Without a mark, terms are sealed once and the outcome once.
  where sealed.terms is null
    or (marked.is_marked and (present.terms, present.outcome) is distinct from (sealed.terms, sealed.outcome))
    or (sealed.outcome is null and present.outcome is not null);

  -- Seals from before links contained them move into this link, or are deleted if the object has a newer one.
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
end $$;

create function seals_digest(p_space_id uuid, p_environment environment, p_number bigint) returns bytea
language sql stable as $$
  select digest_of(string_agg(row(object_id, object_type, terms, outcome)::text, e'\n' order by object_id))
  from book_seals where space_id = p_space_id and environment = p_environment and number = p_number
$$;

-- ==== Space settings ====

-- Changes that would raise or remove an approval limit, pending until a second member makes the same change.
create table approval_limit_proposals (
  space_id uuid not null,
  environment environment not null,
  kind text not null check (kind in ('payout', 'refund')),
  currency text not null,
  -- null: no approval needed any more
  amount bigint check (amount >= 0),
  proposed_by uuid not null,
  proposed_at timestamptz not null,
  primary key (space_id, environment, kind, currency)
);

-- ==== Overview ====

-- Money moved over a clearing account in a day, in the Space's time zone, by type of object. Positive amounts came in
-- at the provider.
create table clearing_days (
  space_id uuid not null,
  environment environment not null,
  date date not null,
  account_id uuid not null,
  type text not null,
  -- Can exceed any balance: the same money may move in and out many times.
  amount numeric(38, 0) not null,
  count bigint not null,
  primary key (space_id, environment, date, account_id, type)
);

-- Up to which line each account is included in clearing_days.
create table clearing_tallies (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  primary key (space_id, environment, account_id)
);

-- ==== Simulator ====

create sequence simulator_financial_transactions start 1000000001;

-- The provider simulator of the test environment. It plays the outside world: its rows belong to no Space, and the
-- service itself never reads them. The program, not the schema, knows the protocols.

-- Collections as the rail sees them. Money moved if, and only if, moved_at is set.
create table simulator_collections (
  provider_id text not null,
  reference uuid not null,
  payer text not null,
  -- as sent, and in minor units
  amount text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  external_id text not null,
  payer_message text not null,
  payee_note text not null,
  callback_url text,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCESSFUL', 'FAILED')),
  reason text,
  -- until when a prompt waits on the handset, or a page waits for the payer
  asks_until timestamptz,
  financial_transaction_id bigint unique,
  moved_at timestamptz,
  created_at timestamptz not null,
  protocol text not null,
  -- where a page sends the payer back to
  return_url text,
  -- of the card chosen on the page, never a number
  card_scheme text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  card_token text,
  -- Handsets list their notices by it, newest first.
  ended_at timestamptz,
  -- Where it also reports payments to our number, besides the collection's own address.
  notice_url text,
  primary key (provider_id, reference),
  check ((reason is not null) = (status = 'FAILED')),
  check (asks_until is null or status = 'PENDING'),
  check ((moved_at is not null) = (status = 'SUCCESSFUL')),
  check ((financial_transaction_id is not null) = (status = 'SUCCESSFUL')),
  check ((ended_at is null) = (status = 'PENDING'))
);
create index simulator_collections_asking on simulator_collections (payer, created_at) where asks_until is not null;
create index simulator_collections_ended on simulator_collections (payer, ended_at) where ended_at is not null;
create index simulator_collections_created on simulator_collections (created_at);

-- Planned outcomes of collections and disbursements, deleted once they have happened.
create table simulator_outcomes (
  id bigint generated always as identity primary key,
  provider_id text not null,
  reference uuid not null,
  due_at timestamptz not null,
  status text not null check (status in ('SUCCESSFUL', 'FAILED')),
  reason text,
  callbacks integer not null,
  -- The table that the outcome is about.
  kind text not null default 'collection' check (kind in ('collection', 'disbursement')),
  check ((reason is not null) = (status = 'FAILED'))
);
create index simulator_outcomes_due on simulator_outcomes (due_at, id);
create index simulator_outcomes_collection on simulator_outcomes (provider_id, reference);

-- Callbacks to send, deleted after one attempt: the rail tries once.
create table simulator_callbacks (
  id bigint generated always as identity primary key,
  url text not null,
  body text not null,
  method text not null check (method in ('PUT', 'POST')),
  -- Rails that use the same method may sign their callbacks differently.
  protocol text not null
);

-- Handsets that do not approve automatically.
create table simulator_handsets (
  msisdn text primary key,
  mode text not null check (mode in ('approve', 'ask')),
  -- Handsets that ask, and everything sent to the simulator, are deleted after some days.
  set_at timestamptz not null
);

-- Payouts of the simulated rails. Money moved if, and only if, moved_at is set.
create table simulator_disbursements (
  provider_id text not null,
  reference uuid not null,
  protocol text not null,
  payee text not null,
  -- as sent, and in minor units
  amount text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  external_id text not null,
  payer_message text not null,
  payee_note text not null,
  callback_url text,
  status text not null default 'PENDING' check (status in ('PENDING', 'SUCCESSFUL', 'FAILED')),
  reason text,
  financial_transaction_id bigint unique,
  moved_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- The collection that is refunded.
  refund_of uuid,
  primary key (provider_id, reference),
  check ((reason is not null) = (status = 'FAILED')),
  check ((moved_at is not null) = (status = 'SUCCESSFUL')),
  check ((financial_transaction_id is not null) = (status = 'SUCCESSFUL')),
  check ((ended_at is null) = (status = 'PENDING'))
);
create index simulator_disbursements_moved on simulator_disbursements (payee, ended_at) where moved_at is not null;
create index simulator_disbursements_created on simulator_disbursements (created_at);
-- For rails that allow one refund at a time: refunds of a collection.
create index simulator_disbursements_refunds on simulator_disbursements (provider_id, refund_of)
  where refund_of is not null;

-- Where a simulated rail reports bill payments.
create table simulator_bill_addresses (
  provider_id text primary key,
  validation_url text not null,
  confirmation_url text not null
);

-- ==== Sign-in ====

-- Sign-in links, each usable once. The link's text is derived from its id with the program's secret.
create table sign_in_links (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The requester's address, and whether the request came from a browser that the user had signed in with before. Each
  -- has its own rate limit.
  asked_from text,
  by_known_browser boolean not null default false,
  -- The requesting browser, as the hash of a cookie; null if a command printed the link. Any other browser has to enter
  -- the user's email address.
  asked_by bytea
);
create index sign_in_links_user on sign_in_links (user_id, created_at);
-- Finds expired links to delete.
create index sign_in_links_expiry on sign_in_links (expires_at);

-- Sign-in and step-up attempts, shown to the user.
create table sign_in_attempts (
  id uuid primary key,
  user_id uuid not null references users (id),
  method text not null check (method in ('link', 'passkey', 'totp', 'recovery_code', 'oidc')),
  is_step_up boolean not null,
  result text not null check (result in ('succeeded', 'failed', 'locked')),
  address text not null,
  agent text not null,
  at timestamptz not null
);
create index sign_in_attempts_user on sign_in_attempts (user_id, id);
create index sign_in_attempts_at on sign_in_attempts (at);

-- Public keys of users' authenticators. `counter` is the signature count that an authenticator reports; for synced ones
-- always 0.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges for a passkey to sign, once, within minutes. Bound to a session, or to a browser by the hash of a cookie.
create table sign_in_challenges (
  bound_to bytea not null,
  purpose text not null check (purpose in ('register', 'sign_in', 'step_up')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (bound_to, purpose)
);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);

-- Secrets of users' authenticator apps, encrypted. A secret is used only after the user has confirmed it with a code.
create table totp_secrets (
  user_id uuid primary key references users (id),
  secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last accepted code. Codes of this step or earlier are rejected.
  last_step integer,
  -- Wrong codes of the app since the last correct one, and until when codes are refused, in browsers that the user has
  -- not signed in with. Recovery codes are never locked.
  failure_count integer not null default 0,
  locked_until timestamptz,
  -- The same in browsers that the user has signed in with, counted separately: an attacker who reads the user's mail
  -- and guesses elsewhere cannot lock the user out there.
  known_failure_count integer not null default 0,
  known_locked_until timestamptz
);
-- Unconfirmed enrolments, to delete when they expire.
create index totp_secrets_unconfirmed on totp_secrets (created_at) where confirmed_at is null;

-- Hashes of recovery codes. Each replaces one code and is deleted when used.
create table recovery_codes (
  user_id uuid not null references totp_secrets (user_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- Users who have used a sign-in link and still have to enter a code. Only the hash of the cookie is stored.
create table sign_in_second_steps (
  hash bytea primary key,
  user_id uuid not null references users (id),
  expires_at timestamptz not null
);
create index sign_in_second_steps_expiry on sign_in_second_steps (expires_at);

-- Users at the OpenID Connect provider, identified by the provider's subject, which is never reassigned, and not by
-- email.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Browsers sent to the provider that have not come back. State, nonce and verifier are derived from the cookie, of
-- which only the hash is stored. `session_id` is set for a step-up.
create table oidc_tries (
  hash bytea primary key,
  session_id uuid references sessions (id) on delete cascade,
  began_at timestamptz not null
);
create index oidc_tries_began on oidc_tries (began_at);

-- Roles derived from groups, not granted by a person. `space_id` null: an operator.
create table roles_by_group (
  user_id uuid not null references users (id),
  space_id uuid references spaces (id),
  role text,
  unique nulls not distinct (user_id, space_id),
  check ((space_id is null) = (role is null))
);

