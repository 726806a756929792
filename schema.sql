-- Written by `npm run write` from a database that was just migrated: change it with a migration.

create type environment as enum ('test', 'live');

create sequence simulator_financial_transactions start 1000000001 increment 1;

create table checkout_sessions (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  name text not null,
  description text,
  reference text,
  success_url text,
  cancel_url text,
  callback_state text,
  line_items json not null,
  payment_options json not null,
  primary_color text,
  financial_account_id uuid not null,
  order_id uuid not null,
  order_number text not null,
  amount bigint not null,
  currency text not null,
  metadata json not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint checkout_sessions_pkey PRIMARY KEY (space_id, environment, id),
  constraint checkout_sessions_amount_check CHECK ((amount > 0)),
  constraint checkout_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'cancelled'::text, 'expired'::text])))
);

create table events (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  type text not null,
  object_type text not null,
  object_id uuid not null,
  callback_state text,
  data json not null,
  at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (space_id, environment, id)
);

create table fee_rules (
  space_id uuid not null,
  environment environment not null,
  code text not null,
  ppm integer not null,
  minimums jsonb default '{}'::jsonb not null,
  constraint fee_rules_pkey PRIMARY KEY (space_id, environment, code),
  constraint fee_rules_code_check CHECK ((code = 'payment'::text)),
  constraint fee_rules_ppm_check CHECK (((ppm >= 0) AND (ppm <= 1000000)))
);

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
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint financial_accounts_pkey PRIMARY KEY (space_id, environment, id)
);
CREATE UNIQUE INDEX financial_accounts_reference ON public.financial_accounts USING btree (space_id, environment, reference);
CREATE UNIQUE INDEX financial_accounts_uvan ON public.financial_accounts USING btree (space_id, environment, uvan);

create table idempotency_keys (
  space_id uuid not null,
  environment environment not null,
  key text collate "C" not null,
  fingerprint bytea not null,
  answer text,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (space_id, environment, key)
);
CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING btree (created_at);

create table internal_transfers (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  source_account_id uuid not null,
  destination_account_id uuid not null,
  description text,
  execute_at timestamp with time zone,
  ledger_reference text,
  failure_code text,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint internal_transfers_pkey PRIMARY KEY (space_id, environment, id),
  constraint internal_transfers_amount_check CHECK ((amount > 0)),
  constraint internal_transfers_check CHECK ((destination_account_id <> source_account_id)),
  constraint internal_transfers_check1 CHECK (((status = 'completed'::text) = (ledger_reference IS NOT NULL))),
  constraint internal_transfers_check2 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint internal_transfers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX internal_transfers_ledger_reference ON public.internal_transfers USING btree (space_id, environment, ledger_reference);

create table ledger_accounts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null,
  purpose text,
  currency text not null,
  posted bigint default 0 not null,
  held bigint default 0 not null,
  allows_negative boolean not null,
  next_seq bigint default 1 not null,
  constraint ledger_accounts_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_accounts_held_check CHECK ((held >= 0)),
  constraint ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['financial'::text, 'clearing'::text, 'fees'::text, 'suspense'::text, 'funding'::text]))),
  constraint ledger_accounts_not_overdrawn CHECK ((allows_negative OR (posted >= held)))
) with (fillfactor=50);
CREATE UNIQUE INDEX ledger_accounts_purpose ON public.ledger_accounts USING btree (space_id, environment, purpose, currency) WHERE (purpose IS NOT NULL);

create table ledger_cases (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null,
  object_type text not null,
  object_id uuid not null,
  amount bigint not null,
  currency text not null,
  reference text not null,
  opened_at timestamp with time zone not null,
  closed_at timestamp with time zone,
  constraint ledger_cases_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_cases_amount_check CHECK ((amount > 0)),
  constraint ledger_cases_kind_check CHECK ((kind = 'success_after_failure'::text))
);
CREATE UNIQUE INDEX ledger_cases_object ON public.ledger_cases USING btree (space_id, environment, object_type, object_id, kind);
CREATE UNIQUE INDEX ledger_cases_reference ON public.ledger_cases USING btree (space_id, environment, reference);

create table ledger_holds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  amount bigint not null,
  captured bigint default 0 not null,
  released bigint default 0 not null,
  owner json not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint ledger_holds_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_holds_amount_check CHECK ((amount > 0)),
  constraint ledger_holds_captured_check CHECK ((captured >= 0)),
  constraint ledger_holds_check CHECK (((captured + released) <= amount)),
  constraint ledger_holds_released_check CHECK ((released >= 0))
);
CREATE INDEX ledger_holds_open ON public.ledger_holds USING btree (space_id, environment, account_id) WHERE ((captured + released) < amount);

create table ledger_lines (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  account_id uuid not null,
  seq bigint not null,
  amount bigint not null,
  currency text not null,
  balance_after bigint not null,
  reference text not null,
  is_financial boolean not null,
  owners json not null,
  fee_code text,
  reversed_line_id uuid,
  reversed_reference text,
  at timestamp with time zone not null,
  constraint ledger_lines_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_lines_amount_check CHECK ((amount <> 0))
);
CREATE UNIQUE INDEX ledger_lines_account ON public.ledger_lines USING btree (space_id, environment, account_id, seq);
CREATE INDEX ledger_lines_reference ON public.ledger_lines USING btree (space_id, environment, reference);

create table members (
  space_id uuid not null,
  user_id uuid not null,
  role text not null,
  constraint members_pkey PRIMARY KEY (space_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
);

create table orders (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  number text not null,
  name text not null,
  amount bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  constraint orders_pkey PRIMARY KEY (space_id, environment, id),
  constraint orders_amount_check CHECK ((amount > 0))
);
CREATE UNIQUE INDEX orders_number ON public.orders USING btree (space_id, environment, number);

create table payments (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  name text not null,
  reference text,
  order_id uuid not null,
  order_number text not null,
  origin_type text not null,
  origin_id uuid not null,
  financial_account_id uuid not null,
  channel_type text not null,
  provider_id text not null,
  payer_account text not null,
  payer_fingerprint text not null,
  rail_state text not null,
  rail_reference uuid not null,
  rail_transaction text,
  submitted_at timestamp with time zone,
  ledger_reference text,
  fees jsonb default '[]'::jsonb not null,
  failure_code text,
  failure_message text,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint payments_pkey PRIMARY KEY (space_id, environment, id),
  constraint payments_amount_check CHECK ((amount > 0)),
  constraint payments_channel_type_check CHECK ((channel_type = ANY (ARRAY['momo'::text, 'bank'::text, 'wallet'::text, 'card'::text]))),
  constraint payments_check CHECK (((status = 'completed'::text) = (ledger_reference IS NOT NULL))),
  constraint payments_check1 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint payments_origin_type_check CHECK ((origin_type = ANY (ARRAY['checkout_session'::text, 'payment_code'::text]))),
  constraint payments_rail_state_check CHECK ((rail_state = ANY (ARRAY['created'::text, 'submitting'::text, 'submitted'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text]))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX payments_account ON public.payments USING btree (space_id, environment, financial_account_id, id);
CREATE UNIQUE INDEX payments_in_flight ON public.payments USING btree (space_id, environment, origin_id) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE UNIQUE INDEX payments_ledger_reference ON public.payments USING btree (space_id, environment, ledger_reference);
CREATE INDEX payments_order ON public.payments USING btree (space_id, environment, order_number);
CREATE INDEX payments_origin ON public.payments USING btree (space_id, environment, origin_id);
CREATE UNIQUE INDEX payments_rail_reference ON public.payments USING btree (space_id, environment, rail_reference);

create table proofs (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  is_ok boolean not null,
  lines bigint not null,
  differences integer not null,
  constraint proofs_pkey PRIMARY KEY (id),
  constraint proofs_check CHECK ((is_ok = (differences = 0))),
  constraint proofs_differences_check CHECK ((differences >= 0)),
  constraint proofs_lines_check CHECK ((lines >= 0))
);

create table scheduled_jobs (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity not null,
  due_at timestamp with time zone not null,
  job text not null,
  payload jsonb not null,
  constraint scheduled_jobs_pkey PRIMARY KEY (space_id, environment, id)
);
CREATE INDEX scheduled_jobs_due ON public.scheduled_jobs USING btree (due_at);
CREATE INDEX scheduled_jobs_due_in_space ON public.scheduled_jobs USING btree (space_id, environment, due_at);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table simulator_callbacks (
  id bigint generated always as identity not null,
  url text not null,
  body text not null,
  constraint simulator_callbacks_pkey PRIMARY KEY (id)
);

create table simulator_collections (
  provider_id text not null,
  reference uuid not null,
  msisdn text not null,
  amount text not null,
  amount_minor bigint not null,
  currency text not null,
  external_id text not null,
  payer_message text not null,
  payee_note text not null,
  callback_url text,
  status text default 'PENDING'::text not null,
  reason text,
  asks_until timestamp with time zone,
  financial_transaction_id bigint,
  moved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint simulator_collections_pkey PRIMARY KEY (provider_id, reference),
  constraint simulator_collections_amount_minor_check CHECK ((amount_minor > 0)),
  constraint simulator_collections_check CHECK (((reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint simulator_collections_check1 CHECK (((asks_until IS NULL) OR (status = 'PENDING'::text))),
  constraint simulator_collections_check2 CHECK (((moved_at IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_collections_check3 CHECK (((financial_transaction_id IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_collections_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCESSFUL'::text, 'FAILED'::text]))),
  constraint simulator_collections_financial_transaction_id_key UNIQUE (financial_transaction_id)
);
CREATE INDEX simulator_collections_asking ON public.simulator_collections USING btree (msisdn, created_at) WHERE (asks_until IS NOT NULL);

create table simulator_handsets (
  msisdn text not null,
  mode text not null,
  constraint simulator_handsets_pkey PRIMARY KEY (msisdn),
  constraint simulator_handsets_mode_check CHECK ((mode = ANY (ARRAY['approve'::text, 'ask'::text])))
);

create table simulator_outcomes (
  id bigint generated always as identity not null,
  provider_id text not null,
  reference uuid not null,
  due_at timestamp with time zone not null,
  status text not null,
  reason text,
  callbacks integer not null,
  constraint simulator_outcomes_pkey PRIMARY KEY (id),
  constraint simulator_outcomes_check CHECK (((reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint simulator_outcomes_status_check CHECK ((status = ANY (ARRAY['SUCCESSFUL'::text, 'FAILED'::text])))
);
CREATE INDEX simulator_outcomes_collection ON public.simulator_outcomes USING btree (provider_id, reference);
CREATE INDEX simulator_outcomes_due ON public.simulator_outcomes USING btree (due_at, id);

create table spaces (
  id uuid not null,
  name text not null,
  country text not null,
  created_at timestamp with time zone not null,
  constraint spaces_pkey PRIMARY KEY (id)
);

create table test_clocks (
  space_id uuid not null,
  environment environment not null,
  offset_ms bigint not null,
  constraint test_clocks_pkey PRIMARY KEY (space_id, environment),
  constraint test_clocks_environment_check CHECK ((environment = 'test'::environment)),
  constraint test_clocks_offset_ms_check CHECK ((offset_ms >= 0))
);

create table tokens (
  id uuid not null,
  user_id uuid not null,
  environment environment not null,
  name text not null,
  hash bytea not null,
  scopes text[] not null,
  space_ids uuid[],
  networks text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_hash_key UNIQUE (hash)
);
CREATE INDEX tokens_user ON public.tokens USING btree (user_id);

create table users (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

alter table members add constraint members_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id);

alter table members add constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

CREATE OR REPLACE FUNCTION public.ledger_post(p_space_id uuid, p_environment environment, p_reference text, p_at timestamp with time zone, p_owners json, p_ids uuid[], p_account_ids uuid[], p_amounts bigint[], p_fee_codes text[])
 RETURNS SETOF ledger_lines
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append only', tg_table_name;
end $function$;

CREATE TRIGGER ledger_lines_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
