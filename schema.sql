-- Written by `npm run write` from a database that was just migrated: change it with a migration.

set check_function_bodies = off;

create type environment as enum ('test', 'live');

create sequence event_numbers start 1 increment 1;

create sequence simulator_financial_transactions start 1000000001 increment 1;

create table api_requests (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  caller_id uuid not null,
  is_session boolean not null,
  method text not null,
  route text not null,
  path text not null,
  status integer not null,
  reason text,
  body text,
  is_body_cut boolean not null,
  duration_ms integer not null,
  at timestamp with time zone not null,
  constraint api_requests_pkey PRIMARY KEY (space_id, environment, id)
) partition by RANGE (id);

create table approval_limit_proposals (
  space_id uuid not null,
  environment environment not null,
  kind text not null,
  currency text not null,
  amount bigint,
  proposed_by uuid not null,
  proposed_at timestamp with time zone not null,
  constraint approval_limit_proposals_pkey PRIMARY KEY (space_id, environment, kind, currency),
  constraint approval_limit_proposals_amount_check CHECK ((amount >= 0)),
  constraint approval_limit_proposals_kind_check CHECK ((kind = ANY (ARRAY['payout'::text, 'refund'::text])))
);

create table asked_phones (
  environment environment not null,
  phone_number text not null,
  space_id uuid not null,
  used_until timestamp with time zone default now() not null,
  constraint asked_phones_pkey PRIMARY KEY (environment, phone_number, space_id)
) with (fillfactor=70);

create table audit_entries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  at timestamp with time zone not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id uuid not null,
  reason text not null,
  details json not null,
  constraint audit_entries_pkey PRIMARY KEY (space_id, environment, id)
);
CREATE INDEX audit_entries_action ON public.audit_entries USING btree (space_id, environment, action, id);
CREATE INDEX audit_entries_actor ON public.audit_entries USING btree (space_id, environment, actor, id);
CREATE INDEX audit_entries_object ON public.audit_entries USING btree (space_id, environment, object_type, object_id, id);

create table backups (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  finished_at timestamp with time zone not null,
  location text not null,
  bytes bigint not null,
  verified_at timestamp with time zone not null,
  pruned_at timestamp with time zone,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_bytes_check CHECK ((bytes > 0)),
  constraint backups_check CHECK ((finished_at >= started_at))
);

create table bill_payments (
  id uuid not null,
  environment environment not null,
  connection text not null,
  transaction text not null,
  provider_id text not null,
  amount bigint not null,
  currency text not null,
  account_reference text not null,
  payer_account text,
  payer_mask text,
  paid_at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  source text not null,
  status text not null,
  reason text,
  space_id uuid,
  payment_id uuid,
  closed_by text,
  closed_at timestamp with time zone,
  closing_reason text,
  constraint bill_payments_pkey PRIMARY KEY (environment, connection, transaction),
  constraint bill_payments_amount_check CHECK ((amount > 0)),
  constraint bill_payments_check CHECK (((status = 'allocated'::text) = (payment_id IS NOT NULL))),
  constraint bill_payments_check1 CHECK (((payment_id IS NULL) OR (space_id IS NOT NULL))),
  constraint bill_payments_check2 CHECK (((status = 'unallocated'::text) = ((reason IS NOT NULL) AND (closed_at IS NULL) AND (payment_id IS NULL)))),
  constraint bill_payments_check3 CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  constraint bill_payments_check4 CHECK (((closed_at IS NULL) = (closed_by IS NULL))),
  constraint bill_payments_check5 CHECK (((closed_at IS NULL) = (closing_reason IS NULL))),
  constraint bill_payments_check6 CHECK (((payer_account IS NULL) OR (payer_mask IS NULL))),
  constraint bill_payments_source_check CHECK ((source = ANY (ARRAY['notice'::text, 'pull'::text]))),
  constraint bill_payments_status_check CHECK ((status = ANY (ARRAY['allocated'::text, 'unallocated'::text, 'closed'::text]))),
  constraint bill_payments_id_key UNIQUE (id)
);
CREATE UNIQUE INDEX bill_payments_payment ON public.bill_payments USING btree (space_id, environment, payment_id) WHERE (payment_id IS NOT NULL);
CREATE INDEX bill_payments_unallocated ON public.bill_payments USING btree (received_at) WHERE (status = 'unallocated'::text);

create table bill_pulls (
  environment environment not null,
  connection text not null,
  pulled_until timestamp with time zone not null,
  constraint bill_pulls_pkey PRIMARY KEY (environment, connection)
);

create table book_audits (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  number bigint not null,
  constraint book_audits_pkey PRIMARY KEY (space_id, environment, id)
);

create table book_heads (
  space_id uuid not null,
  environment environment not null,
  number bigint not null,
  constraint book_heads_pkey PRIMARY KEY (space_id, environment)
);

create table book_links (
  space_id uuid not null,
  environment environment not null,
  number bigint not null,
  made_at timestamp with time zone not null,
  position_after bigint not null,
  position_to bigint not null,
  event_count integer not null,
  events_digest bytea,
  ranges_digest bytea,
  audits uuid[] not null,
  audits_digest bytea,
  hash bytea not null,
  seals_digest bytea,
  constraint book_links_pkey PRIMARY KEY (space_id, environment, number)
);
CREATE UNIQUE INDEX book_links_made ON public.book_links USING btree (space_id, environment, made_at);

create table book_ranges (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq_to bigint not null,
  seq_from bigint not null,
  number bigint not null,
  digest bytea not null,
  constraint book_ranges_pkey PRIMARY KEY (space_id, environment, account_id, seq_to),
  constraint book_ranges_check CHECK ((seq_from <= seq_to))
);
CREATE INDEX book_ranges_number ON public.book_ranges USING btree (space_id, environment, number);

create table book_seals (
  space_id uuid not null,
  environment environment not null,
  object_id uuid not null,
  object_type text not null,
  terms bytea not null,
  outcome bytea,
  number bigint not null,
  constraint book_seals_pkey PRIMARY KEY (space_id, environment, object_id, number)
);
CREATE INDEX book_seals_number ON public.book_seals USING btree (space_id, environment, number);

create table brands (
  space_id uuid not null,
  environment environment not null,
  name text,
  color text,
  support_email text,
  support_phone text,
  terms_url text,
  logo_id uuid,
  constraint brands_pkey PRIMARY KEY (space_id, environment),
  constraint brands_color_check CHECK ((color ~ '^#[0-9a-f]{6}$'::text))
);

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
  payment_link_id uuid,
  idempotency_key text,
  constraint checkout_sessions_pkey PRIMARY KEY (space_id, environment, id),
  constraint checkout_sessions_amount_check CHECK ((amount > 0)),
  constraint checkout_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'completed'::text, 'cancelled'::text, 'expired'::text])))
);
CREATE INDEX checkout_sessions_payment_link ON public.checkout_sessions USING btree (space_id, environment, payment_link_id, id) WHERE (payment_link_id IS NOT NULL);
CREATE INDEX checkout_sessions_reference ON public.checkout_sessions USING btree (space_id, environment, reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX checkout_sessions_status ON public.checkout_sessions USING btree (space_id, environment, status, id);

create table clearing_days (
  space_id uuid not null,
  environment environment not null,
  date date not null,
  account_id uuid not null,
  type text not null,
  amount numeric(38,0) not null,
  count bigint not null,
  constraint clearing_days_pkey PRIMARY KEY (space_id, environment, date, account_id, type)
);

create table clearing_tallies (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  constraint clearing_tallies_pkey PRIMARY KEY (space_id, environment, account_id)
);

create table closed_days (
  id bigint generated always as identity not null,
  provider_id text not null,
  environment environment not null,
  day date not null,
  currency text not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  stated_lines bigint not null,
  stated_in bigint not null,
  stated_out bigint not null,
  booked_lines bigint not null,
  booked_in bigint not null,
  booked_out bigint not null,
  differences json not null,
  closed_at timestamp with time zone not null,
  closed_by text not null,
  reason text not null,
  reopened_at timestamp with time zone,
  reopened_by text,
  reopening_reason text,
  constraint closed_days_pkey PRIMARY KEY (id),
  constraint closed_days_check CHECK ((from_at < until_at)),
  constraint closed_days_check1 CHECK ((num_nonnulls(reopened_at, reopened_by, reopening_reason) = ANY (ARRAY[0, 3])))
);
CREATE UNIQUE INDEX closed_days_closed ON public.closed_days USING btree (provider_id, environment, day, currency) WHERE (reopened_at IS NULL);

create table connection_floats (
  connection text not null,
  side text not null,
  account text not null,
  currency text not null,
  amount bigint not null,
  read_at timestamp with time zone not null,
  constraint connection_floats_pkey PRIMARY KEY (connection, side, account, currency),
  constraint connection_floats_side_check CHECK ((side = ANY (ARRAY['rail'::text, 'books'::text])))
);

create table connection_pauses (
  id uuid not null,
  environment environment not null,
  connection text not null,
  provider_id text,
  direction text not null,
  words text not null,
  paused_by text not null,
  paused_at timestamp with time zone not null,
  ends_at timestamp with time zone,
  resumed_by text,
  resumed_at timestamp with time zone,
  constraint connection_pauses_pkey PRIMARY KEY (id),
  constraint connection_pauses_check CHECK (((resumed_by IS NULL) = (resumed_at IS NULL))),
  constraint connection_pauses_direction_check CHECK ((direction = ANY (ARRAY['collect'::text, 'pay_out'::text])))
);
CREATE UNIQUE INDEX connection_pauses_in_force ON public.connection_pauses USING btree (environment, connection, COALESCE(provider_id, ''::text), direction) WHERE (resumed_at IS NULL);

create table connection_rests (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  kind text not null,
  until timestamp with time zone not null,
  constraint connection_rests_pkey PRIMARY KEY (environment, connection, provider_id, kind),
  constraint connection_rests_kind_check CHECK ((kind = ANY (ARRAY['collect'::text, 'disburse'::text])))
);

create table connection_tallies (
  environment environment not null,
  connection text not null,
  provider_id text not null,
  direction text not null,
  begun_at timestamp with time zone not null,
  succeeded integer not null,
  failed integer not null,
  calls integer[] not null,
  reported_at timestamp with time zone,
  constraint connection_tallies_pkey PRIMARY KEY (environment, connection, provider_id, direction, begun_at),
  constraint connection_tallies_direction_check CHECK ((direction = ANY (ARRAY['collect'::text, 'pay_out'::text])))
);

create table event_backlog (
  space_id uuid not null,
  environment environment not null,
  place bigint generated always as identity not null,
  fact_id uuid not null,
  fact_number bigint not null,
  weight integer not null,
  met_at timestamp with time zone default now() not null,
  constraint event_backlog_pkey PRIMARY KEY (space_id, environment, place)
);
CREATE INDEX event_backlog_fact ON public.event_backlog USING btree (fact_number);

create table event_counters (
  space_id uuid not null,
  environment environment not null,
  sequence bigint not null,
  latest_at timestamp with time zone not null,
  constraint event_counters_pkey PRIMARY KEY (space_id, environment)
);

create table event_facts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  object_type text not null,
  object_id uuid,
  callback_state text,
  data text,
  at timestamp with time zone not null,
  types text[] not null,
  posting text,
  xid xid8 default pg_current_xact_id() not null,
  number bigint default nextval('event_numbers'::regclass) not null,
  constraint event_facts_pkey PRIMARY KEY (space_id, environment, id, number),
  constraint event_facts_check CHECK (((types = '{}'::text[]) OR ((object_id IS NOT NULL) AND (data IS NOT NULL)))),
  constraint event_facts_check1 CHECK (((types <> '{}'::text[]) OR (posting IS NOT NULL)))
) partition by RANGE (number);
CREATE INDEX event_facts_number ON public.event_facts USING btree (number);

create table event_partitions (
  number integer not null,
  began_at timestamp with time zone,
  constraint event_partitions_pkey PRIMARY KEY (number)
);

create table event_sequencer (
  is_only boolean default true not null,
  told pg_snapshot not null,
  telling pg_snapshot,
  telling_after bigint default 0 not null,
  settled bigint default 0 not null,
  mark bigint default 0 not null,
  mark_xid xid8 not null,
  "position" bigint default 0 not null,
  constraint event_sequencer_pkey PRIMARY KEY (is_only),
  constraint event_sequencer_is_only_check CHECK (is_only)
);

create table events (
  space_id uuid not null,
  environment environment not null,
  "position" bigint not null,
  sequence bigint not null,
  id uuid not null,
  type text not null,
  object_id uuid not null,
  fact_id uuid not null,
  fact_number bigint not null,
  at timestamp with time zone not null,
  latest_at timestamp with time zone not null,
  constraint events_pkey PRIMARY KEY (space_id, environment, "position")
) partition by RANGE ("position");
CREATE INDEX events_id ON public.events USING btree (space_id, environment, id);
CREATE INDEX events_object ON public.events USING btree (space_id, environment, object_id, "position");
CREATE INDEX events_type ON public.events USING btree (space_id, environment, type, "position");

create table fee_rules (
  space_id uuid not null,
  environment environment not null,
  code text not null,
  ppm integer not null,
  minimums jsonb default '{}'::jsonb not null,
  constraint fee_rules_pkey PRIMARY KEY (space_id, environment, code),
  constraint fee_rules_code_check CHECK ((code = ANY (ARRAY['payment'::text, 'payout'::text, 'refund'::text]))),
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
  event_id uuid,
  seal text,
  constraint idempotency_keys_pkey PRIMARY KEY (space_id, environment, key)
);
CREATE INDEX idempotency_keys_created ON public.idempotency_keys USING brin (created_at);

create table instructions (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null,
  provider_id text not null,
  state text not null,
  amount bigint not null,
  currency text not null,
  account text,
  reference uuid not null,
  description text not null,
  order_number text,
  return_url text,
  provider_reference text,
  revision text,
  created_at timestamp with time zone not null,
  submitted_at timestamp with time zone,
  submitting_since timestamp with time zone,
  call_ended_since timestamp with time zone,
  delayed_at timestamp with time zone,
  due_at timestamp with time zone,
  look text,
  owner_type text not null,
  original json,
  connection text,
  bill_reference text,
  seal text,
  constraint instructions_pkey PRIMARY KEY (space_id, environment, id),
  constraint instructions_amount_check CHECK ((amount > 0)),
  constraint instructions_check CHECK ((((state = 'created'::text) = (submitted_at IS NULL)) OR (state = 'failed'::text))),
  constraint instructions_check1 CHECK (((submitted_at IS NULL) = (submitting_since IS NULL))),
  constraint instructions_check2 CHECK (((kind = 'refund'::text) = (original IS NOT NULL))),
  constraint instructions_kind_check CHECK ((kind = ANY (ARRAY['collect'::text, 'disburse'::text, 'refund'::text]))),
  constraint instructions_look_check CHECK ((look = ANY (ARRAY['hour'::text, 'day'::text]))),
  constraint instructions_owner_type_check CHECK ((owner_type = ANY (ARRAY['payment'::text, 'payout'::text, 'refund'::text]))),
  constraint instructions_state_check CHECK ((state = ANY (ARRAY['created'::text, 'submitting'::text, 'submitted'::text, 'unknown'::text, 'succeeded'::text, 'failed'::text])))
);
CREATE INDEX instructions_bill_reference ON public.instructions USING btree (provider_id, bill_reference) WHERE (bill_reference IS NOT NULL);
CREATE INDEX instructions_due ON public.instructions USING btree (kind, environment, provider_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX instructions_due_in_space ON public.instructions USING btree (space_id, environment, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX instructions_open ON public.instructions USING btree (owner_type, submitted_at, id) WHERE (state = ANY (ARRAY['submitting'::text, 'submitted'::text, 'unknown'::text]));
CREATE INDEX instructions_provider_reference ON public.instructions USING btree (provider_id, provider_reference) WHERE ((provider_reference IS NOT NULL) AND (state <> 'succeeded'::text));
CREATE INDEX instructions_reference ON public.instructions USING btree (reference) WHERE ((submitted_at IS NOT NULL) AND (state <> 'succeeded'::text));
CREATE INDEX instructions_waiting ON public.instructions USING btree (kind, environment, provider_id, space_id, id) WHERE (state = 'created'::text);

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
CREATE INDEX internal_transfers_destination ON public.internal_transfers USING btree (space_id, environment, destination_account_id, id);
CREATE INDEX internal_transfers_executed ON public.internal_transfers USING btree (space_id, environment, ledger_reference) WHERE (execute_at IS NOT NULL);
CREATE INDEX internal_transfers_source ON public.internal_transfers USING btree (space_id, environment, source_account_id, id);
CREATE INDEX internal_transfers_waiting ON public.internal_transfers USING btree (space_id, environment, status, id) WHERE (status <> 'completed'::text);

create table invitations (
  id uuid not null,
  space_id uuid not null,
  email text not null,
  role text not null,
  inviter_id uuid,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  mail_count smallint not null,
  accepted_at timestamp with time zone,
  accepted_by uuid,
  withdrawn_at timestamp with time zone,
  constraint invitations_pkey PRIMARY KEY (id),
  constraint invitations_check CHECK (((accepted_at IS NULL) = (accepted_by IS NULL))),
  constraint invitations_check1 CHECK ((num_nonnulls(accepted_at, withdrawn_at) < 2)),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'finance'::text, 'support'::text, 'viewer'::text])))
);
CREATE INDEX invitations_space ON public.invitations USING btree (space_id, id);
CREATE UNIQUE INDEX invitations_waiting ON public.invitations USING btree (space_id, lower(email)) WHERE ((accepted_at IS NULL) AND (withdrawn_at IS NULL));

create table item_closings (
  id bigint generated always as identity not null,
  provider_id text not null,
  environment environment not null,
  line_id text,
  space_id uuid,
  account_id uuid,
  seq bigint,
  state text not null,
  closed_at timestamp with time zone not null,
  closed_by text not null,
  reason text not null,
  constraint item_closings_pkey PRIMARY KEY (id),
  constraint item_closings_check CHECK ((num_nonnulls(space_id, account_id, seq) = ANY (ARRAY[0, 3]))),
  constraint item_closings_check1 CHECK ((num_nonnulls(line_id, seq) > 0)),
  constraint item_closings_state_check CHECK ((state = ANY (ARRAY['amount_differs'::text, 'missing_here'::text, 'missing_there'::text])))
);
CREATE UNIQUE INDEX item_closings_booked ON public.item_closings USING btree (space_id, environment, account_id, seq) WHERE (seq IS NOT NULL);
CREATE UNIQUE INDEX item_closings_stated ON public.item_closings USING btree (provider_id, environment, line_id) WHERE (line_id IS NOT NULL);

create table jobs (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity not null,
  job text not null,
  payload jsonb not null,
  timing text not null,
  due_at timestamp with time zone not null,
  key text,
  line text,
  taken_by integer,
  attempts integer default 0 not null,
  last_error text,
  constraint jobs_pkey PRIMARY KEY (space_id, environment, id),
  constraint jobs_timing_check CHECK ((timing = ANY (ARRAY['real_time'::text, 'space_time'::text, 'in_order'::text])))
);
CREATE INDEX jobs_due ON public.jobs USING btree (due_at) WHERE (taken_by IS NULL);
CREATE INDEX jobs_due_in_space ON public.jobs USING btree (space_id, due_at) WHERE ((environment = 'test'::environment) AND (timing <> 'real_time'::text) AND (taken_by IS NULL));
CREATE UNIQUE INDEX jobs_key ON public.jobs USING btree (space_id, environment, key) WHERE ((key IS NOT NULL) AND (taken_by IS NULL));
CREATE UNIQUE INDEX jobs_line ON public.jobs USING btree (space_id, environment, line) WHERE ((line IS NOT NULL) AND (taken_by IS NOT NULL));
CREATE INDEX jobs_taken ON public.jobs USING btree (space_id, environment, taken_by) WHERE (taken_by IS NOT NULL);

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
  provider_id text,
  direction text,
  constraint ledger_accounts_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_accounts_clearing CHECK (
CASE
    WHEN ((kind = 'clearing'::text) AND (purpose IS NOT NULL)) THEN (NOT (purpose IS DISTINCT FROM ((('clearing '::text || provider_id) || ' '::text) || direction)))
    ELSE (num_nonnulls(provider_id, direction) = 0)
END),
  constraint ledger_accounts_direction_check CHECK ((direction = ANY (ARRAY['collection'::text, 'disbursement'::text]))),
  constraint ledger_accounts_funding_is_test CHECK (((kind <> 'funding'::text) OR (environment = 'test'::environment))),
  constraint ledger_accounts_held_check CHECK ((held >= 0)),
  constraint ledger_accounts_kind_check CHECK ((kind = ANY (ARRAY['financial'::text, 'clearing'::text, 'fees'::text, 'suspense'::text, 'funding'::text, 'elsewhere'::text, 'bank'::text]))),
  constraint ledger_accounts_not_overdrawn CHECK ((allows_negative OR (posted >= held)))
) with (fillfactor=50);
CREATE INDEX ledger_accounts_clearing_rows ON public.ledger_accounts USING btree (space_id, environment, id) WHERE (kind = 'clearing'::text);
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
  closing_reference text,
  direction text not null,
  refund_purpose text,
  returned bigint default 0 not null,
  constraint ledger_cases_pkey PRIMARY KEY (space_id, environment, id),
  constraint ledger_cases_amount_check CHECK ((amount > 0)),
  constraint ledger_cases_check CHECK (((closing_reference IS NULL) OR (closed_at IS NOT NULL))),
  constraint ledger_cases_direction_check CHECK ((direction = ANY (ARRAY['collection'::text, 'disbursement'::text]))),
  constraint ledger_cases_kind_check CHECK ((kind = ANY (ARRAY['success_after_failure'::text, 'failure_after_success'::text]))),
  constraint ledger_cases_returned CHECK (((returned >= 0) AND (returned <=
CASE
    WHEN ((kind = 'failure_after_success'::text) AND (direction = 'disbursement'::text)) THEN amount
    ELSE (0)::bigint
END)))
);
CREATE INDEX ledger_cases_closed_in_space ON public.ledger_cases USING btree (space_id, environment, id) WHERE (closed_at IS NOT NULL);
CREATE UNIQUE INDEX ledger_cases_closing_reference ON public.ledger_cases USING btree (space_id, environment, closing_reference) WHERE (closing_reference IS NOT NULL);
CREATE UNIQUE INDEX ledger_cases_object ON public.ledger_cases USING btree (space_id, environment, object_type, object_id, kind);
CREATE INDEX ledger_cases_open ON public.ledger_cases USING btree (opened_at) WHERE (closed_at IS NULL);
CREATE INDEX ledger_cases_open_in_space ON public.ledger_cases USING btree (space_id, environment, id) WHERE (closed_at IS NULL);
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
CREATE INDEX ledger_holds_open ON public.ledger_holds USING btree (space_id, environment, account_id, id) WHERE ((captured + released) < amount);

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

create table logos (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  image bytea not null,
  constraint logos_pkey PRIMARY KEY (space_id, environment, id)
);

create table members (
  space_id uuid not null,
  user_id uuid not null,
  role text not null,
  since timestamp with time zone not null,
  constraint members_pkey PRIMARY KEY (space_id, user_id),
  constraint members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'developer'::text, 'finance'::text, 'support'::text, 'viewer'::text])))
);
CREATE INDEX members_user ON public.members USING btree (user_id);

create table nodes (
  node integer not null,
  version text not null,
  serves boolean not null,
  works boolean not null,
  started_at timestamp with time zone default now() not null,
  stopped_at timestamp with time zone,
  constraint nodes_pkey PRIMARY KEY (node)
);

create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  constraint oidc_identities_pkey PRIMARY KEY (issuer, subject),
  constraint oidc_identities_user_id_issuer_key UNIQUE (user_id, issuer)
);

create table oidc_tries (
  hash bytea not null,
  session_id uuid,
  began_at timestamp with time zone not null,
  constraint oidc_tries_pkey PRIMARY KEY (hash)
);
CREATE INDEX oidc_tries_began ON public.oidc_tries USING btree (began_at);

create table open_clearing_lines (
  space_id uuid not null,
  environment environment not null,
  account_id uuid not null,
  seq bigint not null,
  provider_id text not null,
  direction text not null,
  amount bigint not null,
  currency text not null,
  object_type text,
  object_id uuid,
  rail_reference text,
  rail_transaction text,
  order_number text,
  booked_at timestamp with time zone not null,
  constraint open_clearing_lines_pkey PRIMARY KEY (space_id, environment, account_id, seq),
  constraint open_clearing_lines_amount_check CHECK ((amount > 0)),
  constraint open_clearing_lines_direction_check CHECK ((direction = ANY (ARRAY['collection'::text, 'disbursement'::text])))
);
CREATE INDEX open_clearing_lines_object ON public.open_clearing_lines USING btree (object_id);
CREATE INDEX open_clearing_lines_order ON public.open_clearing_lines USING btree (order_number);
CREATE INDEX open_clearing_lines_reference ON public.open_clearing_lines USING btree (rail_reference);
CREATE INDEX open_clearing_lines_transaction ON public.open_clearing_lines USING btree (rail_transaction);

create table orders (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  number text not null,
  name text not null,
  amount bigint not null,
  currency text not null,
  created_at timestamp with time zone not null,
  entitlements json not null,
  constraint orders_pkey PRIMARY KEY (space_id, environment, id),
  constraint orders_amount_check CHECK ((amount > 0))
);
CREATE UNIQUE INDEX orders_number ON public.orders USING btree (space_id, environment, number);

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  is_synced boolean not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_id_key UNIQUE (credential_id)
);
CREATE INDEX passkeys_user ON public.passkeys USING btree (user_id, id);

create table payment_code_attempts (
  space_id uuid not null,
  environment environment not null,
  payment_code_id uuid not null,
  payment_id uuid not null,
  phone_number text not null,
  amount bigint not null,
  created_at timestamp with time zone not null,
  constraint payment_code_attempts_pkey PRIMARY KEY (space_id, environment, payment_code_id, payment_id),
  constraint payment_code_attempts_amount_check CHECK ((amount > 0))
);

create table payment_code_numbers (
  number text not null,
  environment environment not null,
  space_id uuid not null,
  payment_code_id uuid not null,
  constraint payment_code_numbers_pkey PRIMARY KEY (number),
  constraint payment_code_numbers_number_check CHECK ((number ~ '^[0-9]{10}$'::text))
);

create table payment_codes (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  number text not null,
  mode text not null,
  status text not null,
  name text not null,
  amount bigint,
  currency text not null,
  enabled boolean not null,
  customer_name text,
  reference text,
  authorized_providers text[],
  authorized_phone_number text,
  expected_count integer,
  expected_total bigint,
  financial_account_id uuid not null,
  paid_count integer not null,
  paid_total bigint not null,
  failed_count integer not null,
  processed json,
  metadata json not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  idempotency_key text,
  constraint payment_codes_pkey PRIMARY KEY (space_id, environment, id),
  constraint payment_codes_amount_check CHECK ((amount > 0)),
  constraint payment_codes_check CHECK (((authorized_providers IS NULL) OR (authorized_phone_number IS NULL))),
  constraint payment_codes_check1 CHECK (((mode = 'recurrent'::text) OR ((expected_count IS NULL) AND (expected_total IS NULL)))),
  constraint payment_codes_expected_count_check CHECK ((expected_count > 0)),
  constraint payment_codes_expected_total_check CHECK ((expected_total > 0)),
  constraint payment_codes_mode_check CHECK ((mode = ANY (ARRAY['one_time'::text, 'recurrent'::text]))),
  constraint payment_codes_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'expired'::text, 'cancelled'::text])))
);
CREATE INDEX payment_codes_kind ON public.payment_codes USING btree (space_id, environment, mode, status, id);
CREATE INDEX payment_codes_reference ON public.payment_codes USING btree (space_id, environment, reference, id) WHERE (reference IS NOT NULL);

create table payment_link_places (
  space_id uuid not null,
  environment environment not null,
  session_id uuid not null,
  payment_link_id uuid not null,
  caller text not null,
  constraint payment_link_places_pkey PRIMARY KEY (space_id, environment, session_id)
);
CREATE INDEX payment_link_places_caller ON public.payment_link_places USING btree (space_id, environment, payment_link_id, caller);

create table payment_links (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  name text not null,
  description text,
  line_items json,
  currency text not null,
  minimum bigint,
  maximum bigint,
  quantity_minimum integer,
  quantity_maximum integer,
  reference_label text,
  is_reference_required boolean not null,
  financial_account_id uuid not null,
  payment_options json not null,
  primary_color text,
  success_text text,
  success_url text,
  max_payments integer,
  paid_count integer not null,
  paid_total bigint not null,
  reserved_count integer not null,
  metadata json not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  idempotency_key text,
  constraint payment_links_pkey PRIMARY KEY (space_id, environment, id),
  constraint payment_links_check CHECK (((paid_count + reserved_count) <= max_payments)),
  constraint payment_links_check1 CHECK (((line_items IS NULL) OR ((minimum IS NULL) AND (maximum IS NULL)))),
  constraint payment_links_check2 CHECK ((minimum <= maximum)),
  constraint payment_links_check3 CHECK (((quantity_minimum IS NULL) = (quantity_maximum IS NULL))),
  constraint payment_links_check4 CHECK ((quantity_minimum <= quantity_maximum)),
  constraint payment_links_check5 CHECK (((success_text IS NULL) OR (success_url IS NULL))),
  constraint payment_links_max_payments_check CHECK ((max_payments > 0)),
  constraint payment_links_maximum_check CHECK ((maximum > 0)),
  constraint payment_links_minimum_check CHECK ((minimum > 0)),
  constraint payment_links_quantity_minimum_check CHECK ((quantity_minimum > 0)),
  constraint payment_links_reserved_count_check CHECK ((reserved_count >= 0)),
  constraint payment_links_status_check CHECK ((status = ANY (ARRAY['active'::text, 'inactive'::text, 'completed'::text, 'expired'::text, 'cancelled'::text])))
);
CREATE INDEX payment_links_status ON public.payment_links USING btree (space_id, environment, status, id);

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
  payer_account text,
  payer_fingerprint text,
  rail_reference uuid not null,
  rail_transaction text,
  ledger_reference text,
  fees jsonb default '[]'::jsonb not null,
  failure_code text,
  failure_message text,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  card_scheme text,
  card_last4 text,
  redirect_url text,
  redirected_at timestamp with time zone,
  returned_at timestamp with time zone,
  origin_metadata json default '{}'::json not null,
  guidance json,
  refund_count integer default 0 not null,
  refund_reserved bigint default 0 not null,
  refunded bigint default 0 not null,
  late_received bigint default 0 not null,
  codes_submitted integer default 0 not null,
  payer_mask text,
  refund_excess bigint default 0 not null,
  constraint payments_pkey PRIMARY KEY (space_id, environment, id),
  constraint payments_amount_check CHECK ((amount > 0)),
  constraint payments_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint payments_card_scheme_check CHECK ((card_scheme = ANY (ARRAY['visa'::text, 'mastercard'::text, 'verve'::text]))),
  constraint payments_channel_type_check CHECK ((channel_type = ANY (ARRAY['momo'::text, 'bank'::text, 'wallet'::text, 'card'::text]))),
  constraint payments_check CHECK (((status = 'completed'::text) = (ledger_reference IS NOT NULL))),
  constraint payments_check1 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint payments_check4 CHECK (((channel_type = 'card'::text) OR (card_scheme IS NULL))),
  constraint payments_check5 CHECK (((card_scheme IS NULL) = (card_last4 IS NULL))),
  constraint payments_check6 CHECK (((late_received = 0) OR ((late_received > 0) AND (status = 'failed'::text)))),
  constraint payments_codes_submitted_check CHECK (((codes_submitted >= 0) AND (codes_submitted <= 5))),
  constraint payments_origin_type_check CHECK ((origin_type = ANY (ARRAY['checkout_session'::text, 'payment_code'::text]))),
  constraint payments_payer_account_check CHECK ((((channel_type = 'card'::text) = ((payer_account IS NULL) AND (payer_mask IS NULL))) AND ((payer_account IS NULL) OR (payer_mask IS NULL)))),
  constraint payments_payer_fingerprint_check CHECK (((channel_type = 'card'::text) OR (payer_mask IS NOT NULL) OR (payer_fingerprint IS NOT NULL))),
  constraint payments_refund_count_check CHECK (((refund_count >= 0) AND (refund_count <= 20))),
  constraint payments_refund_excess_check CHECK ((refund_excess >= 0)),
  constraint payments_refunds CHECK (((0 <= refunded) AND (refunded <= refund_reserved) AND (refund_reserved <=
CASE status
    WHEN 'completed'::text THEN amount
    ELSE late_received
END))),
  constraint payments_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX payments_account ON public.payments USING btree (space_id, environment, financial_account_id, id);
CREATE INDEX payments_amount ON public.payments USING btree (space_id, environment, amount, id);
CREATE INDEX payments_asking ON public.payments USING btree (environment, payer_account, space_id) WHERE ((channel_type = 'momo'::text) AND (status = ANY (ARRAY['pending'::text, 'processing'::text])));
CREATE UNIQUE INDEX payments_in_flight ON public.payments USING btree (space_id, environment, origin_id) WHERE ((status = ANY (ARRAY['pending'::text, 'processing'::text])) AND (origin_type = 'checkout_session'::text));
CREATE UNIQUE INDEX payments_ledger_reference ON public.payments USING btree (space_id, environment, ledger_reference);
CREATE INDEX payments_order ON public.payments USING btree (space_id, environment, order_number);
CREATE INDEX payments_origin ON public.payments USING btree (space_id, environment, origin_id, id);
CREATE INDEX payments_phone ON public.payments USING btree (space_id, environment, payer_account, id) WHERE (channel_type = 'momo'::text);
CREATE INDEX payments_provider ON public.payments USING btree (space_id, environment, provider_id, id);
CREATE UNIQUE INDEX payments_rail_reference ON public.payments USING btree (rail_reference, space_id, environment);
CREATE INDEX payments_rail_transaction ON public.payments USING btree (space_id, environment, rail_transaction, id) WHERE (rail_transaction IS NOT NULL);
CREATE INDEX payments_reference ON public.payments USING btree (space_id, environment, reference, id) WHERE (reference IS NOT NULL);
CREATE INDEX payments_status ON public.payments USING btree (space_id, environment, status, id);

create table payout_approvals_above (
  space_id uuid not null,
  environment environment not null,
  currency text not null,
  amount bigint not null,
  constraint payout_approvals_above_pkey PRIMARY KEY (space_id, environment, currency),
  constraint payout_approvals_above_amount_check CHECK ((amount >= 0))
);

create table payout_batch_rows (
  space_id uuid not null,
  environment environment not null,
  batch_id uuid not null,
  number integer not null,
  amount bigint not null,
  currency text not null,
  destination_type text not null,
  provider_id text not null,
  payee_account text not null,
  name text,
  reference text,
  metadata json not null,
  constraint payout_batch_rows_pkey PRIMARY KEY (space_id, environment, batch_id, number),
  constraint payout_batch_rows_amount_check CHECK ((amount > 0)),
  constraint payout_batch_rows_number_check CHECK ((number > 0))
);

create table payout_batches (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  name text not null,
  financial_account_id uuid,
  row_count integer not null,
  sums jsonb not null,
  created_by uuid not null,
  approval text,
  approval_user_id uuid,
  approval_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  idempotency_key text,
  constraint payout_batches_pkey PRIMARY KEY (space_id, environment, id),
  constraint payout_batches_approval_check CHECK ((approval = ANY (ARRAY['required'::text, 'approved'::text, 'rejected'::text]))),
  constraint payout_batches_check CHECK (((approval_user_id IS NULL) = (approval_at IS NULL))),
  constraint payout_batches_check1 CHECK (((approval = ANY (ARRAY['approved'::text, 'rejected'::text])) = (approval_user_id IS NOT NULL))),
  constraint payout_batches_check2 CHECK ((approval_user_id <> created_by)),
  constraint payout_batches_check3 CHECK (((status = ANY (ARRAY['pending'::text, 'cancelled'::text])) = (NOT (approval IS DISTINCT FROM 'required'::text)))),
  constraint payout_batches_check4 CHECK (((status = 'rejected'::text) = (NOT (approval IS DISTINCT FROM 'rejected'::text)))),
  constraint payout_batches_row_count_check CHECK ((row_count > 0)),
  constraint payout_batches_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'rejected'::text, 'cancelled'::text])))
);
CREATE INDEX payout_batches_status ON public.payout_batches USING btree (space_id, environment, status, id);

create table payouts (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  amount bigint not null,
  currency text not null,
  fees jsonb default '[]'::jsonb not null,
  financial_account_id uuid not null,
  destination_type text not null,
  provider_id text not null,
  payee_account text not null,
  rail_reference uuid not null,
  rail_transaction text,
  hold_id uuid,
  ledger_reference text,
  failure_code text,
  failure_message text,
  created_by uuid not null,
  approval text,
  approval_user_id uuid,
  approval_at timestamp with time zone,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  counts_unapproved boolean default false not null,
  recalled bigint default 0 not null,
  batch_id uuid,
  batch_row integer,
  constraint payouts_pkey PRIMARY KEY (space_id, environment, id),
  constraint payouts_amount_check CHECK ((amount > 0)),
  constraint payouts_approval_check CHECK ((approval = ANY (ARRAY['required'::text, 'approved'::text, 'rejected'::text]))),
  constraint payouts_batch_check CHECK (((batch_id IS NULL) = (batch_row IS NULL))),
  constraint payouts_check CHECK (((status = 'completed'::text) = (ledger_reference IS NOT NULL))),
  constraint payouts_check1 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint payouts_check5 CHECK (((status = 'failed'::text) OR (hold_id IS NOT NULL))),
  constraint payouts_check6 CHECK (((approval = ANY (ARRAY['approved'::text, 'rejected'::text])) = (approval_user_id IS NOT NULL))),
  constraint payouts_check7 CHECK (((approval_user_id IS NULL) = (approval_at IS NULL))),
  constraint payouts_check8 CHECK ((approval_user_id <> created_by)),
  constraint payouts_destination_type_check CHECK ((destination_type = ANY (ARRAY['bank'::text, 'momo'::text, 'wallet'::text]))),
  constraint payouts_recalled CHECK (((recalled >= 0) AND (recalled <=
CASE status
    WHEN 'completed'::text THEN amount
    ELSE (0)::bigint
END))),
  constraint payouts_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX payouts_account ON public.payouts USING btree (space_id, environment, financial_account_id, id);
CREATE INDEX payouts_amount ON public.payouts USING btree (space_id, environment, amount, id);
CREATE INDEX payouts_batch ON public.payouts USING btree (space_id, environment, batch_id, id) INCLUDE (status, currency, amount) WHERE (batch_id IS NOT NULL);
CREATE UNIQUE INDEX payouts_batch_row ON public.payouts USING btree (space_id, environment, batch_id, batch_row) WHERE (batch_id IS NOT NULL);
CREATE UNIQUE INDEX payouts_ledger_reference ON public.payouts USING btree (space_id, environment, ledger_reference) WHERE (ledger_reference IS NOT NULL);
CREATE INDEX payouts_payee ON public.payouts USING btree (space_id, environment, payee_account, id);
CREATE INDEX payouts_provider ON public.payouts USING btree (space_id, environment, provider_id, id);
CREATE UNIQUE INDEX payouts_rail_reference ON public.payouts USING btree (rail_reference, space_id, environment);
CREATE INDEX payouts_rail_transaction ON public.payouts USING btree (space_id, environment, rail_transaction, id) WHERE (rail_transaction IS NOT NULL);
CREATE INDEX payouts_status ON public.payouts USING btree (space_id, environment, status, id);
CREATE INDEX payouts_unapproved_by_creator ON public.payouts USING btree (space_id, environment, created_by, created_at) WHERE counts_unapproved;
CREATE INDEX payouts_unapproved_to_payee ON public.payouts USING btree (space_id, environment, payee_account, created_at) WHERE counts_unapproved;

create table proofs (
  id bigint generated always as identity not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  is_ok boolean not null,
  lines bigint not null,
  differences integer not null,
  checks jsonb default '[]'::jsonb not null,
  constraint proofs_pkey PRIMARY KEY (id),
  constraint proofs_check CHECK ((is_ok = (differences = 0))),
  constraint proofs_differences_check CHECK ((differences >= 0)),
  constraint proofs_lines_check CHECK ((lines >= 0))
);

create table recalls (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  payout_id uuid not null,
  amount bigint not null,
  returned bigint default 0 not null,
  currency text not null,
  provider_id text not null,
  financial_account_id uuid not null,
  reason text not null,
  note text,
  rail_transaction text,
  ledger_reference text,
  created_by uuid not null,
  metadata json not null,
  payout_metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint recalls_pkey PRIMARY KEY (space_id, environment, id),
  constraint recalls_amount_check CHECK ((amount > 0)),
  constraint recalls_check CHECK (((returned >= 0) AND (returned <= amount))),
  constraint recalls_check1 CHECK (((status = 'returned'::text) = (returned > 0))),
  constraint recalls_check2 CHECK (((status = 'returned'::text) = (rail_transaction IS NOT NULL))),
  constraint recalls_check3 CHECK (((status = 'returned'::text) = (ledger_reference IS NOT NULL))),
  constraint recalls_check4 CHECK (((status <> 'open'::text) OR (updated_at = created_at))),
  constraint recalls_status_check CHECK ((status = ANY (ARRAY['open'::text, 'returned'::text, 'refused'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX recalls_ledger_reference ON public.recalls USING btree (space_id, environment, ledger_reference) WHERE (ledger_reference IS NOT NULL);
CREATE INDEX recalls_open ON public.recalls USING btree (created_at, id) WHERE (status = 'open'::text);
CREATE INDEX recalls_payout ON public.recalls USING btree (space_id, environment, payout_id, id);
CREATE UNIQUE INDEX recalls_rail_transaction ON public.recalls USING btree (space_id, environment, rail_transaction, provider_id) WHERE (rail_transaction IS NOT NULL);
CREATE INDEX recalls_status ON public.recalls USING btree (space_id, environment, status, id);

create table receipt_settings (
  space_id uuid not null,
  environment environment not null,
  is_sent_by_sms boolean not null,
  constraint receipt_settings_pkey PRIMARY KEY (space_id, environment)
);

create table receipts (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  remaining integer[] not null,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint receipts_pkey PRIMARY KEY (space_id, environment, order_id),
  constraint receipts_not_overdrawn CHECK (((0 <= ALL (remaining)) IS TRUE))
);

create table recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash)
);

create table redemptions (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  number integer not null,
  units integer[] not null,
  at timestamp with time zone not null,
  constraint redemptions_pkey PRIMARY KEY (space_id, environment, order_id, number),
  constraint redemptions_units_check CHECK (((0 <= ALL (units)) IS TRUE))
);

create table refund_approvals_above (
  space_id uuid not null,
  environment environment not null,
  currency text not null,
  amount bigint not null,
  constraint refund_approvals_above_pkey PRIMARY KEY (space_id, environment, currency),
  constraint refund_approvals_above_amount_check CHECK ((amount >= 0))
);

create table refund_policies (
  space_id uuid not null,
  environment environment not null,
  queues_when_short boolean not null,
  returns_payment_fee boolean not null,
  constraint refund_policies_pkey PRIMARY KEY (space_id, environment)
);

create table refunds (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  pending_reason text,
  payment_id uuid not null,
  order_number text not null,
  amount bigint not null,
  net bigint not null,
  reserved bigint not null,
  currency text not null,
  fees jsonb not null,
  bearer text not null,
  returned_fee bigint default 0 not null,
  financial_account_id uuid not null,
  method text not null,
  destination_type text not null,
  provider_id text not null,
  payer_account text,
  card_scheme text,
  card_last4 text,
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
  created_by uuid,
  approval text,
  approval_user_id uuid,
  approval_at timestamp with time zone,
  counts_unapproved boolean not null,
  origin json not null,
  payment_metadata json not null,
  metadata json not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  constraint refunds_pkey PRIMARY KEY (space_id, environment, id),
  constraint refunds_approval_check CHECK ((approval = ANY (ARRAY['required'::text, 'approved'::text, 'rejected'::text]))),
  constraint refunds_bearer_check CHECK ((bearer = ANY (ARRAY['merchant'::text, 'payer'::text]))),
  constraint refunds_check CHECK (((reserved >= 0) AND (reserved <= amount))),
  constraint refunds_check1 CHECK (((status = 'pending'::text) OR (pending_reason IS NULL))),
  constraint refunds_check10 CHECK (((approval_user_id IS NULL) = (approval_at IS NULL))),
  constraint refunds_check11 CHECK ((approval_user_id <> created_by)),
  constraint refunds_check2 CHECK (((status = 'completed'::text) = (ledger_reference IS NOT NULL))),
  constraint refunds_check3 CHECK (((status = 'completed'::text) = (completed_at IS NOT NULL))),
  constraint refunds_check4 CHECK (((status = 'failed'::text) = (failure_code IS NOT NULL))),
  constraint refunds_check5 CHECK (((status <> ALL (ARRAY['processing'::text, 'completed'::text])) OR (hold_id IS NOT NULL))),
  constraint refunds_check6 CHECK (((status = ANY (ARRAY['failed'::text, 'cancelled'::text])) OR (reserved = amount))),
  constraint refunds_check7 CHECK (((status <> 'cancelled'::text) OR (reserved = 0))),
  constraint refunds_check8 CHECK (((method = 'provider_refund'::text) OR (payer_account IS NOT NULL))),
  constraint refunds_check9 CHECK (((approval = ANY (ARRAY['approved'::text, 'rejected'::text])) = (approval_user_id IS NOT NULL))),
  constraint refunds_method_check CHECK ((method = ANY (ARRAY['provider_refund'::text, 'payout'::text]))),
  constraint refunds_net_check CHECK ((net > 0)),
  constraint refunds_pending_reason_check CHECK ((pending_reason = ANY (ARRAY['approval'::text, 'insufficient_balance'::text, 'provider_unavailable'::text]))),
  constraint refunds_returned_fee_check CHECK ((returned_fee >= 0)),
  constraint refunds_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX refunds_amount ON public.refunds USING btree (space_id, environment, amount, id);
CREATE UNIQUE INDEX refunds_ledger_reference ON public.refunds USING btree (space_id, environment, ledger_reference) WHERE (ledger_reference IS NOT NULL);
CREATE INDEX refunds_of_payment ON public.refunds USING btree (space_id, environment, payment_id, id);
CREATE INDEX refunds_order ON public.refunds USING btree (space_id, environment, order_number, id);
CREATE INDEX refunds_phone ON public.refunds USING btree (space_id, environment, payer_account, id) WHERE (destination_type = 'momo'::text);
CREATE INDEX refunds_provider ON public.refunds USING btree (space_id, environment, provider_id, id);
CREATE UNIQUE INDEX refunds_rail_reference ON public.refunds USING btree (rail_reference, space_id, environment);
CREATE INDEX refunds_rail_transaction ON public.refunds USING btree (space_id, environment, rail_transaction, id) WHERE (rail_transaction IS NOT NULL);
CREATE INDEX refunds_short ON public.refunds USING btree (space_id, environment, financial_account_id, id) WHERE (pending_reason = 'insufficient_balance'::text);
CREATE INDEX refunds_status ON public.refunds USING btree (space_id, environment, status, id);
CREATE INDEX refunds_unapproved_by_creator ON public.refunds USING btree (space_id, environment, created_by, created_at) WHERE counts_unapproved;
CREATE INDEX refunds_waiting ON public.refunds USING btree (environment, provider_id) WHERE ((status = 'pending'::text) AND (pending_reason IS NULL));

create table roles_by_group (
  user_id uuid not null,
  space_id uuid,
  role text,
  constraint roles_by_group_check CHECK (((space_id IS NULL) = (role IS NULL))),
  constraint roles_by_group_user_id_space_id_key UNIQUE NULLS NOT DISTINCT (user_id, space_id)
);

create table schema_migrations (
  version integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey PRIMARY KEY (version)
);

create table sessions (
  id uuid not null,
  user_id uuid not null,
  hash bytea not null,
  method text not null,
  address text not null,
  agent text not null,
  created_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  fresh_until timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_method_check CHECK ((method = ANY (ARRAY['link'::text, 'passkey'::text, 'oidc'::text]))),
  constraint sessions_hash_key UNIQUE (hash)
);
CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_user ON public.sessions USING btree (user_id, id);

create table settlements (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  kind text not null,
  provider_id text not null,
  direction text not null,
  amount bigint not null,
  currency text not null,
  bank_reference text not null,
  value_date text not null,
  note text,
  is_advance boolean not null,
  created_by text not null,
  ledger_reference text not null,
  created_at timestamp with time zone not null,
  reversed_at timestamp with time zone,
  reversed_by text,
  reversal_reason text,
  reversal_reference text,
  updated_at timestamp with time zone not null,
  constraint settlements_pkey PRIMARY KEY (space_id, environment, id),
  constraint settlements_amount_check CHECK ((amount > 0)),
  constraint settlements_check CHECK (((kind <> 'float_top_up'::text) OR (direction = 'disbursement'::text))),
  constraint settlements_check1 CHECK ((num_nonnulls(reversed_at, reversed_by, reversal_reason, reversal_reference) = ANY (ARRAY[0, 4]))),
  constraint settlements_direction_check CHECK ((direction = ANY (ARRAY['collection'::text, 'disbursement'::text]))),
  constraint settlements_kind_check CHECK ((kind = ANY (ARRAY['payout_to_bank'::text, 'float_top_up'::text]))),
  constraint settlements_value_date_check CHECK ((value_date ~ '^\d{4}-\d\d-\d\d$'::text))
);
CREATE INDEX settlements_bank_reference ON public.settlements USING btree (space_id, environment, bank_reference, id);
CREATE UNIQUE INDEX settlements_booked ON public.settlements USING btree (space_id, environment, provider_id, direction, bank_reference) WHERE (reversed_at IS NULL);
CREATE UNIQUE INDEX settlements_ledger_reference ON public.settlements USING btree (space_id, environment, ledger_reference);
CREATE INDEX settlements_of_booked ON public.settlements USING btree (space_id, environment, id) WHERE (reversed_at IS NULL);
CREATE INDEX settlements_of_reversed ON public.settlements USING btree (space_id, environment, id) WHERE (reversed_at IS NOT NULL);
CREATE UNIQUE INDEX settlements_reversal_reference ON public.settlements USING btree (space_id, environment, reversal_reference);

create table sign_in_attempts (
  id uuid not null,
  user_id uuid not null,
  method text not null,
  is_step_up boolean not null,
  result text not null,
  address text not null,
  agent text not null,
  at timestamp with time zone not null,
  constraint sign_in_attempts_pkey PRIMARY KEY (id),
  constraint sign_in_attempts_method_check CHECK ((method = ANY (ARRAY['link'::text, 'passkey'::text, 'totp'::text, 'recovery_code'::text, 'oidc'::text]))),
  constraint sign_in_attempts_result_check CHECK ((result = ANY (ARRAY['succeeded'::text, 'failed'::text, 'locked'::text])))
);
CREATE INDEX sign_in_attempts_at ON public.sign_in_attempts USING btree (at);
CREATE INDEX sign_in_attempts_user ON public.sign_in_attempts USING btree (user_id, id);

create table sign_in_challenges (
  bound_to bytea not null,
  purpose text not null,
  challenge text not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_challenges_pkey PRIMARY KEY (bound_to, purpose),
  constraint sign_in_challenges_purpose_check CHECK ((purpose = ANY (ARRAY['register'::text, 'sign_in'::text, 'step_up'::text])))
);
CREATE INDEX sign_in_challenges_expiry ON public.sign_in_challenges USING btree (expires_at);

create table sign_in_links (
  id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  asked_from text,
  by_known_browser boolean default false not null,
  asked_by bytea,
  constraint sign_in_links_pkey PRIMARY KEY (id)
);
CREATE INDEX sign_in_links_expiry ON public.sign_in_links USING btree (expires_at);
CREATE INDEX sign_in_links_user ON public.sign_in_links USING btree (user_id, created_at);

create table sign_in_second_steps (
  hash bytea not null,
  user_id uuid not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_second_steps_pkey PRIMARY KEY (hash)
);
CREATE INDEX sign_in_second_steps_expiry ON public.sign_in_second_steps USING btree (expires_at);

create table simulator_bill_addresses (
  provider_id text not null,
  validation_url text not null,
  confirmation_url text not null,
  constraint simulator_bill_addresses_pkey PRIMARY KEY (provider_id)
);

create table simulator_callbacks (
  id bigint generated always as identity not null,
  url text not null,
  body text not null,
  method text not null,
  protocol text not null,
  constraint simulator_callbacks_pkey PRIMARY KEY (id),
  constraint simulator_callbacks_method_check CHECK ((method = ANY (ARRAY['PUT'::text, 'POST'::text])))
);

create table simulator_collections (
  provider_id text not null,
  reference uuid not null,
  payer text not null,
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
  protocol text not null,
  return_url text,
  card_scheme text,
  card_last4 text,
  card_token text,
  ended_at timestamp with time zone,
  notice_url text,
  constraint simulator_collections_pkey PRIMARY KEY (provider_id, reference),
  constraint simulator_collections_amount_minor_check CHECK ((amount_minor > 0)),
  constraint simulator_collections_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text)),
  constraint simulator_collections_check CHECK (((reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint simulator_collections_check1 CHECK (((asks_until IS NULL) OR (status = 'PENDING'::text))),
  constraint simulator_collections_check2 CHECK (((moved_at IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_collections_check3 CHECK (((financial_transaction_id IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_collections_check4 CHECK (((ended_at IS NULL) = (status = 'PENDING'::text))),
  constraint simulator_collections_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCESSFUL'::text, 'FAILED'::text]))),
  constraint simulator_collections_financial_transaction_id_key UNIQUE (financial_transaction_id)
);
CREATE INDEX simulator_collections_asking ON public.simulator_collections USING btree (payer, created_at) WHERE (asks_until IS NOT NULL);
CREATE INDEX simulator_collections_created ON public.simulator_collections USING btree (created_at);
CREATE INDEX simulator_collections_ended ON public.simulator_collections USING btree (payer, ended_at) WHERE (ended_at IS NOT NULL);

create table simulator_disbursements (
  provider_id text not null,
  reference uuid not null,
  protocol text not null,
  payee text not null,
  amount text not null,
  amount_minor bigint not null,
  currency text not null,
  external_id text not null,
  payer_message text not null,
  payee_note text not null,
  callback_url text,
  status text default 'PENDING'::text not null,
  reason text,
  financial_transaction_id bigint,
  moved_at timestamp with time zone,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  refund_of uuid,
  constraint simulator_disbursements_pkey PRIMARY KEY (provider_id, reference),
  constraint simulator_disbursements_amount_minor_check CHECK ((amount_minor > 0)),
  constraint simulator_disbursements_check CHECK (((reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint simulator_disbursements_check1 CHECK (((moved_at IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_disbursements_check2 CHECK (((financial_transaction_id IS NOT NULL) = (status = 'SUCCESSFUL'::text))),
  constraint simulator_disbursements_check3 CHECK (((ended_at IS NULL) = (status = 'PENDING'::text))),
  constraint simulator_disbursements_status_check CHECK ((status = ANY (ARRAY['PENDING'::text, 'SUCCESSFUL'::text, 'FAILED'::text]))),
  constraint simulator_disbursements_financial_transaction_id_key UNIQUE (financial_transaction_id)
);
CREATE INDEX simulator_disbursements_created ON public.simulator_disbursements USING btree (created_at);
CREATE INDEX simulator_disbursements_moved ON public.simulator_disbursements USING btree (payee, ended_at) WHERE (moved_at IS NOT NULL);
CREATE INDEX simulator_disbursements_refunds ON public.simulator_disbursements USING btree (provider_id, refund_of) WHERE (refund_of IS NOT NULL);

create table simulator_handsets (
  msisdn text not null,
  mode text not null,
  set_at timestamp with time zone not null,
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
  kind text default 'collection'::text not null,
  constraint simulator_outcomes_pkey PRIMARY KEY (id),
  constraint simulator_outcomes_check CHECK (((reason IS NOT NULL) = (status = 'FAILED'::text))),
  constraint simulator_outcomes_kind_check CHECK ((kind = ANY (ARRAY['collection'::text, 'disbursement'::text]))),
  constraint simulator_outcomes_status_check CHECK ((status = ANY (ARRAY['SUCCESSFUL'::text, 'FAILED'::text])))
);
CREATE INDEX simulator_outcomes_collection ON public.simulator_outcomes USING btree (provider_id, reference);
CREATE INDEX simulator_outcomes_due ON public.simulator_outcomes USING btree (due_at, id);

create table spaces (
  id uuid not null,
  name text not null,
  country text not null,
  created_at timestamp with time zone not null,
  suspended_at timestamp with time zone,
  suspended_by text,
  suspension_reason text,
  constraint spaces_pkey PRIMARY KEY (id),
  constraint spaces_suspension_check CHECK ((num_nonnulls(suspended_at, suspended_by, suspension_reason) = ANY (ARRAY[0, 3])))
);
CREATE INDEX spaces_suspended ON public.spaces USING btree (id) WHERE (suspended_at IS NOT NULL);

create table statement_lines (
  provider_id text not null,
  environment environment not null,
  id text not null,
  statement_id bigint not null,
  line integer not null,
  moved_at timestamp with time zone not null,
  direction text not null,
  amount bigint not null,
  currency text not null,
  reference text,
  rail_transaction text,
  space_id uuid,
  account_id uuid,
  seq bigint,
  constraint statement_lines_pkey PRIMARY KEY (provider_id, environment, id),
  constraint statement_lines_amount_check CHECK ((amount > 0)),
  constraint statement_lines_check CHECK ((num_nonnulls(space_id, account_id, seq) = ANY (ARRAY[0, 3]))),
  constraint statement_lines_direction_check CHECK ((direction = ANY (ARRAY['collection'::text, 'disbursement'::text])))
);
CREATE UNIQUE INDEX statement_lines_matched ON public.statement_lines USING btree (space_id, environment, account_id, seq) INCLUDE (amount, direction) WHERE (space_id IS NOT NULL);
CREATE INDEX statement_lines_moved ON public.statement_lines USING btree (provider_id, environment, moved_at);
CREATE INDEX statement_lines_open ON public.statement_lines USING btree (provider_id, environment, moved_at, id) WHERE (space_id IS NULL);

create table statements (
  id bigint generated always as identity not null,
  provider_id text not null,
  environment environment not null,
  file_name text not null,
  from_at timestamp with time zone not null,
  until_at timestamp with time zone not null,
  lines integer not null,
  new_lines integer not null,
  imported_at timestamp with time zone not null,
  imported_by text,
  constraint statements_pkey PRIMARY KEY (id),
  constraint statements_check CHECK ((from_at <= until_at)),
  constraint statements_check1 CHECK (((new_lines >= 0) AND (new_lines <= lines)))
);
CREATE INDEX statements_provider ON public.statements USING btree (provider_id, environment);

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
  last_characters text,
  replaced_by uuid,
  warned_days smallint,
  constraint tokens_pkey PRIMARY KEY (id),
  constraint tokens_warned_days_check CHECK ((warned_days = ANY (ARRAY[3, 14]))),
  constraint tokens_hash_key UNIQUE (hash)
);
CREATE INDEX tokens_expiring ON public.tokens USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (replaced_by IS NULL) AND (warned_days IS DISTINCT FROM 3));
CREATE INDEX tokens_user ON public.tokens USING btree (user_id, environment, id);

create table totp_secrets (
  user_id uuid not null,
  secret bytea not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step integer,
  failure_count integer default 0 not null,
  locked_until timestamp with time zone,
  known_failure_count integer default 0 not null,
  known_locked_until timestamp with time zone,
  constraint totp_secrets_pkey PRIMARY KEY (user_id)
);
CREATE INDEX totp_secrets_unconfirmed ON public.totp_secrets USING btree (created_at) WHERE (confirmed_at IS NULL);

create table unchained (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity not null,
  audit_id uuid,
  since timestamp with time zone default now() not null,
  object_id uuid,
  terms bytea,
  outcome bytea,
  constraint unchained_pkey PRIMARY KEY (space_id, environment, id)
);

create table users (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  is_operator boolean default false not null,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX users_email ON public.users USING btree (lower(email));

create table ussd_otp_numbers (
  phone_number text not null,
  number text not null,
  environment environment not null,
  space_id uuid not null,
  otp_id uuid not null,
  is_open boolean default true not null,
  constraint ussd_otp_numbers_pkey PRIMARY KEY (phone_number, number)
);
CREATE INDEX ussd_otp_numbers_open ON public.ussd_otp_numbers USING btree (phone_number, environment, otp_id) WHERE is_open;

create table ussd_otps (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  status text not null,
  number text not null,
  phone_number text not null,
  verification_message text,
  metadata json not null,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint ussd_otps_pkey PRIMARY KEY (space_id, environment, id),
  constraint ussd_otps_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'expired'::text])))
);
CREATE INDEX ussd_otps_open ON public.ussd_otps USING btree (space_id, environment, phone_number) WHERE (status = 'pending'::text);
CREATE INDEX ussd_otps_status ON public.ussd_otps USING btree (space_id, environment, status, id);

create table ussd_phones (
  environment environment not null,
  phone_number text not null,
  language text,
  wrong_otps timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  wrong_codes timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  constraint ussd_phones_pkey PRIMARY KEY (environment, phone_number),
  constraint ussd_phones_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text, 'kri'::text])))
);

create table ussd_sessions (
  environment environment not null,
  aggregator text not null,
  session_id text not null,
  phone_number text not null,
  stage text not null,
  number text,
  amount bigint,
  language text not null,
  answers json not null,
  turns integer not null,
  created_at timestamp with time zone default now() not null,
  constraint ussd_sessions_pkey PRIMARY KEY (environment, aggregator, session_id, phone_number),
  constraint ussd_sessions_language_check CHECK ((language = ANY (ARRAY['en'::text, 'fr'::text, 'kri'::text]))),
  constraint ussd_sessions_stage_check CHECK ((stage = ANY (ARRAY['number'::text, 'amount'::text, 'confirm'::text, 'over'::text])))
);
CREATE INDEX ussd_sessions_age ON public.ussd_sessions USING brin (created_at);

create table webhook_deliveries (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  webhook_id uuid not null,
  "position" bigint not null,
  status text not null,
  next_attempt_at timestamp with time zone,
  tries integer default 0 not null,
  attempts jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone not null,
  constraint webhook_deliveries_pkey PRIMARY KEY (space_id, environment, id, "position"),
  constraint webhook_deliveries_check CHECK (((status = 'pending'::text) = (next_attempt_at IS NOT NULL))),
  constraint webhook_deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) partition by RANGE ("position");
CREATE INDEX webhook_deliveries_due ON public.webhook_deliveries USING btree (space_id, environment, webhook_id, next_attempt_at, "position") WHERE (status = 'pending'::text);
CREATE INDEX webhook_deliveries_failed ON public.webhook_deliveries USING btree (space_id, environment, webhook_id, id) WHERE (status = 'failed'::text);
CREATE INDEX webhook_deliveries_webhook ON public.webhook_deliveries USING btree (space_id, environment, webhook_id, id);

create table webhooks (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  name text not null,
  api_release text not null,
  url text not null,
  subscriptions text[] not null,
  enabled boolean not null,
  headers json not null,
  alert_emails text[] not null,
  verification text not null,
  secret bytea not null,
  public_key text,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  metadata json not null,
  failing_since timestamp with time zone,
  disabled_reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  paused_until timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (space_id, environment, id),
  constraint webhooks_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text]))),
  constraint webhooks_verification_check CHECK ((verification = ANY (ARRAY['HS256'::text, 'ED25519'::text])))
);
CREATE INDEX webhooks_failing ON public.webhooks USING btree (space_id, environment, id) WHERE (((failing_since IS NOT NULL) OR (disabled_reason IS NOT NULL)) AND (deleted_at IS NULL));
CREATE INDEX webhooks_listed ON public.webhooks USING btree (space_id, environment, id) WHERE (deleted_at IS NULL);

create table event_facts_0 partition of event_facts FOR VALUES FROM ('0') TO ('1099511627776') with (fillfactor=100);

create table event_facts_1 partition of event_facts FOR VALUES FROM ('1099511627776') TO ('2199023255552') with (fillfactor=100);

create table events_0 partition of events FOR VALUES FROM ('0') TO ('1099511627776') with (fillfactor=100);

create table events_1 partition of events FOR VALUES FROM ('1099511627776') TO ('2199023255552') with (fillfactor=100);

create table webhook_deliveries_0 partition of webhook_deliveries FOR VALUES FROM ('0') TO ('1099511627776') with (fillfactor=70);

create table webhook_deliveries_1 partition of webhook_deliveries FOR VALUES FROM ('1099511627776') TO ('2199023255552') with (fillfactor=70);

alter table invitations add constraint invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id);

alter table invitations add constraint invitations_inviter_id_fkey FOREIGN KEY (inviter_id) REFERENCES users(id);

alter table invitations add constraint invitations_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id);

alter table members add constraint members_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id);

alter table members add constraint members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table oidc_identities add constraint oidc_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table oidc_tries add constraint oidc_tries_session_id_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table passkeys add constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table payment_code_attempts add constraint payment_code_attempts_space_id_environment_payment_code_id_fkey FOREIGN KEY (space_id, environment, payment_code_id) REFERENCES payment_codes(space_id, environment, id);

alter table payout_batch_rows add constraint payout_batch_rows_space_id_environment_batch_id_fkey FOREIGN KEY (space_id, environment, batch_id) REFERENCES payout_batches(space_id, environment, id);

alter table receipts add constraint receipts_space_id_environment_order_id_fkey FOREIGN KEY (space_id, environment, order_id) REFERENCES orders(space_id, environment, id);

alter table recovery_codes add constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES totp_secrets(user_id) ON DELETE CASCADE;

alter table redemptions add constraint redemptions_space_id_environment_order_id_fkey FOREIGN KEY (space_id, environment, order_id) REFERENCES receipts(space_id, environment, order_id);

alter table roles_by_group add constraint roles_by_group_space_id_fkey FOREIGN KEY (space_id) REFERENCES spaces(id);

alter table roles_by_group add constraint roles_by_group_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sessions add constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sign_in_attempts add constraint sign_in_attempts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sign_in_links add constraint sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table sign_in_second_steps add constraint sign_in_second_steps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table tokens add constraint tokens_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES tokens(id);

alter table tokens add constraint tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

alter table totp_secrets add constraint totp_secrets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id);

CREATE OR REPLACE FUNCTION public.api_request_day_start(p_day date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (regexp_replace(lpad(to_hex((extract(epoch from p_day) * 1000)::bigint), 12, '0'), '^(.{8})', '\1-')
    || '-0000-0000-000000000000')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.audits_digest(p_space_id uuid, p_environment environment, p_ids uuid[])
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select digest_of(string_agg(
    row(id, at, actor, action, object_type, object_id, reason, details)::text, e'\n' order by id))
  from audit_entries where space_id = p_space_id and environment = p_environment and id = any (p_ids)
$function$;

CREATE OR REPLACE FUNCTION public.bill_payment_outcome(b bill_payments)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(b.status, b.reason, b.space_id, b.payment_id, b.closed_by, b.closed_at, b.closing_reason)::text
$function$;

CREATE OR REPLACE FUNCTION public.bill_payment_seal(b bill_payments, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(bill_payment_terms(b)), digest_of(bill_payment_outcome(b))
$function$;

CREATE OR REPLACE FUNCTION public.bill_payment_terms(b bill_payments)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(b.environment, b.connection, b.transaction, b.provider_id, b.amount, b.currency, b.account_reference,
    b.payer_account, b.payer_mask, b.paid_at, b.received_at, b.source)::text
$function$;

CREATE OR REPLACE FUNCTION public.chain_books(p_space_id uuid, p_environment environment, p_all boolean)
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
end $function$;

CREATE OR REPLACE FUNCTION public.checkout_session_outcome(s checkout_sessions)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when s.status <> 'pending' then s.status end
$function$;

CREATE OR REPLACE FUNCTION public.checkout_session_terms(s checkout_sessions)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(s.name, s.description, s.reference, s.success_url, s.cancel_url, s.callback_state, s.line_items,
    s.payment_options, s.primary_color, s.financial_account_id, s.order_id, s.order_number, s.amount, s.currency,
    s.metadata, s.expires_at, s.created_at)::text || coalesce(' of ' || s.payment_link_id, '')
$function$;

CREATE OR REPLACE FUNCTION public.closed_day_details(d closed_days)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency, 'from', d.from_at,
    'until', d.until_at, 'statedLines', d.stated_lines::text, 'statedIn', d.stated_in::text, 'statedOut', d.stated_out::text,
    'bookedLines', d.booked_lines::text, 'bookedIn', d.booked_in::text, 'bookedOut', d.booked_out::text,
    'differences', d.differences, 'closedAt', d.closed_at)
$function$;

CREATE OR REPLACE FUNCTION public.counted_id(p_id bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select ('00000000-0000-0000-0000-' || lpad(to_hex(p_id), 12, '0'))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.create_api_request_partition(p_day date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.create_event_partition(p_number integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.delivery_id(p_event uuid, p_webhook uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (left(p_event::text, 14) || '7' || substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12))::uuid
  from (select md5(p_event::text || p_webhook::text) as hash) hashed
$function$;

CREATE OR REPLACE FUNCTION public.digest_of(content text)
 RETURNS bytea
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select sha256(convert_to(content, 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.event_data(p_space_id uuid, p_environment environment, p_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
AS $function$
  select data from event_facts where space_id = p_space_id and environment = p_environment and id = p_id
$function$;

CREATE OR REPLACE FUNCTION public.event_id(p_fact uuid, p_nth bigint)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (left(p_fact::text, 34)
    || lpad(to_hex((('x' || right(p_fact::text, 2))::bit(8)::int + p_nth::int - 1) % 256), 2, '0'))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.event_partition_start(p_number integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select p_number::bigint << 40
$function$;

CREATE OR REPLACE FUNCTION public.events_digest(p_space_id uuid, p_environment environment, p_after bigint, p_to bigint)
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.events_floor(p_space_id uuid, p_environment environment, p_since timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.fee_rules_terms(p_space_id uuid, p_environment environment)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select string_agg(row(code, ppm, minimums)::text, e'\n' order by code) from fee_rules
  where space_id = p_space_id and environment = p_environment
$function$;

CREATE OR REPLACE FUNCTION public.id_moment(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select timestamptz 'epoch' + ('x' || left(id::text, 8) || substr(id::text, 10, 4))::bit(48)::bigint
    * interval '1 millisecond'
$function$;

CREATE OR REPLACE FUNCTION public.id_moment_end(id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (substr(id::text, 1, 13) || '-ffff-ffff-ffffffffffff')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.id_moment_start(id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (substr(id::text, 1, 13) || '-0000-0000-000000000000')::uuid
$function$;

CREATE OR REPLACE FUNCTION public.internal_transfer_outcome(t internal_transfers)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when t.status in ('completed', 'failed') then row(t.status, t.ledger_reference, t.failure_code)::text end
$function$;

CREATE OR REPLACE FUNCTION public.internal_transfer_terms(t internal_transfers)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(t.amount, t.currency, t.source_account_id, t.destination_account_id, t.execute_at, t.created_at)::text
$function$;

CREATE OR REPLACE FUNCTION public.item_closing_details(c item_closings)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select jsonb_build_object('providerId', c.provider_id, 'lineId', c.line_id, 'spaceId', c.space_id,
    'accountId', c.account_id, 'seq', c.seq::text, 'state', c.state, 'closedAt', c.closed_at)
$function$;

CREATE OR REPLACE FUNCTION public.ledger_post(p_strict boolean, p_space_ids uuid[], p_environments environment[], p_accounts uuid[], p_postings integer[], p_ids uuid[], p_account_numbers integer[], p_amounts bigint[], p_releases bigint[], p_fee_codes text[], p_references text[], p_owners text[], p_ats timestamp with time zone[], p_reversed_ids uuid[], p_reversed_references text[])
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_reference_end(reference text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select id_moment_end(ledger_reference_start(reference))
$function$;

CREATE OR REPLACE FUNCTION public.ledger_reference_start(reference text)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when reference ~ '^\d{4}(0[1-9]|1[0-2])([0-2]\d|3[01])-([01]\d|2[0-3])[0-5]\d[0-5]\d\d{3}-' then
    rpad(lpad(to_hex((extract(epoch from make_timestamp(
      substr(reference, 1, 4)::int, substr(reference, 5, 2)::int, substr(reference, 7, 2)::int,
      substr(reference, 10, 2)::int, substr(reference, 12, 2)::int, substr(reference, 14, 2)::int
    )) * 1000)::bigint + substr(reference, 16, 3)::int), 12, '0'), 32, '0')::uuid
  end
$function$;

CREATE OR REPLACE FUNCTION public.ledger_seq_near(p_space_id uuid, p_environment environment, p_account_id uuid, p_at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_told_lines(p_space_id uuid, p_environment environment, p_reference text)
 RETURNS TABLE(id uuid, place bigint)
 LANGUAGE sql
 STABLE
AS $function$
  select id, row_number() over (order by id) from ledger_lines
  where space_id = p_space_id and environment = p_environment and reference = p_reference and is_financial
    and id between ledger_reference_start(p_reference) and ledger_reference_end(p_reference)
$function$;

CREATE OR REPLACE FUNCTION public.lines_digest(p_space_id uuid, p_environment environment, p_account_id uuid, p_from bigint, p_to bigint)
 RETURNS bytea
 LANGUAGE plpgsql
 STABLE
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.link_hash(p_before bytea, l book_links)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select sha256(coalesce(p_before, '') || convert_to(row(l.number, l.made_at, l.position_after, l.position_to, l.event_count,
    l.events_digest, l.ranges_digest, l.audits, l.audits_digest)::text || coalesce(' ' || l.seals_digest::text, ''), 'UTF8'))
$function$;

CREATE OR REPLACE FUNCTION public.mark_rules(p_space_id uuid, p_environment environment, p_table text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_terms text;
begin
  perform pg_advisory_xact_lock(715012, hashtext(p_table || p_space_id::text || p_environment));
  execute format('select %I($1, $2)', p_table || '_terms') into v_terms using p_space_id, p_environment;
  insert into unchained (space_id, environment, object_id, terms)
  values (p_space_id, p_environment, md5(p_table)::uuid, digest_of(coalesce(v_terms, '')));
end $function$;

CREATE OR REPLACE FUNCTION public.order_terms(o orders)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(o.number, o.name, o.amount, o.currency, o.entitlements, o.created_at)::text
$function$;

CREATE OR REPLACE FUNCTION public.payment_code_outcome(c payment_codes)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when c.status in ('completed', 'expired', 'cancelled') then c.status end
$function$;

CREATE OR REPLACE FUNCTION public.payment_code_seal(c payment_codes, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(payment_code_terms(c)), digest_of(payment_code_outcome(c))
$function$;

CREATE OR REPLACE FUNCTION public.payment_code_terms(c payment_codes)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(c.number, c.mode, c.name, c.amount, c.currency, c.enabled, c.customer_name, c.reference, c.authorized_providers,
    c.authorized_phone_number, c.expected_count, c.expected_total, c.financial_account_id, c.metadata, c.expires_at,
    c.created_at)::text
$function$;

CREATE OR REPLACE FUNCTION public.payment_link_seal(l payment_links, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(payment_link_terms(l)), null::bytea
$function$;

CREATE OR REPLACE FUNCTION public.payment_link_terms(l payment_links)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(l.status, l.name, l.description, l.line_items, l.currency, l.minimum, l.maximum, l.quantity_minimum,
    l.quantity_maximum, l.reference_label, l.is_reference_required, l.financial_account_id, l.payment_options,
    l.primary_color, l.success_text, l.success_url, l.max_payments, l.metadata, l.expires_at, l.created_at)::text
$function$;

CREATE OR REPLACE FUNCTION public.payment_outcome(p payments)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when p.status in ('completed', 'failed') then row(p.status, p.payer_fingerprint, p.card_scheme,
    p.card_last4, p.rail_transaction, p.ledger_reference, p.fees, p.failure_code, p.failure_message)::text end
$function$;

CREATE OR REPLACE FUNCTION public.payment_seal(p payments, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(payment_terms(p)), digest_of(payment_outcome(p))
$function$;

CREATE OR REPLACE FUNCTION public.payment_terms(p payments)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(p.amount, p.currency, p.order_id, p.order_number, p.origin_type, p.origin_id, p.financial_account_id,
    p.channel_type, p.provider_id, p.payer_account,
    case when p.channel_type <> 'card' then p.payer_fingerprint end, p.rail_reference,
    p.origin_metadata, p.created_at)::text
    || case when num_nonnulls(p.redirect_url, p.guidance) > 0 then row(p.redirect_url, p.guidance)::text else '' end
$function$;

CREATE OR REPLACE FUNCTION public.payout_approvals_above_terms(p_space_id uuid, p_environment environment)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from payout_approvals_above
  where space_id = p_space_id and environment = p_environment
$function$;

CREATE OR REPLACE FUNCTION public.payout_batch_outcome(b payout_batches)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when b.status in ('completed', 'rejected', 'cancelled') then b.status end
$function$;

CREATE OR REPLACE FUNCTION public.payout_batch_seal(b payout_batches, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(payout_batch_terms(b)), digest_of(payout_batch_outcome(b))
$function$;

CREATE OR REPLACE FUNCTION public.payout_batch_terms(b payout_batches)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  -- every space: the batch names its Space
  select row(b.name, b.financial_account_id, b.row_count, b.sums, b.created_by, b.approval, b.approval_user_id,
    b.approval_at, b.created_at, (
      select digest_of(string_agg(row(r.number, r.amount, r.currency, r.destination_type, r.provider_id, r.payee_account,
        r.name, r.reference, r.metadata)::text, e'\n' order by r.number))
      from payout_batch_rows r
      where r.space_id = b.space_id and r.environment = b.environment and r.batch_id = b.id))::text
$function$;

CREATE OR REPLACE FUNCTION public.payout_outcome(p payouts)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when p.status in ('completed', 'failed') then row(p.status, p.rail_transaction, p.ledger_reference,
    p.failure_code, p.failure_message, p.approval, p.approval_user_id, p.approval_at)::text end
$function$;

CREATE OR REPLACE FUNCTION public.payout_seal(p payouts, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(payout_terms(p)), digest_of(payout_outcome(p))
$function$;

CREATE OR REPLACE FUNCTION public.payout_terms(p payouts)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(p.amount, p.currency, p.fees, p.financial_account_id, p.destination_type, p.provider_id, p.payee_account,
    p.rail_reference, p.hold_id, p.created_by, p.created_at)::text
    || case when p.approval is not null or p.counts_unapproved
      then row(p.approval, p.approval_user_id, p.approval_at, p.counts_unapproved)::text else '' end
$function$;

CREATE OR REPLACE FUNCTION public.recall_outcome(r recalls)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when r.status <> 'open' then row(r.status, r.returned, r.rail_transaction, r.ledger_reference, r.updated_at)::text
  end
$function$;

CREATE OR REPLACE FUNCTION public.recall_terms(r recalls)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(r.payout_id, r.amount, r.currency, r.provider_id, r.financial_account_id, r.reason, r.note, r.created_by,
    r.metadata, r.payout_metadata, r.created_at)::text
$function$;

CREATE OR REPLACE FUNCTION public.refund_approvals_above_terms(p_space_id uuid, p_environment environment)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from refund_approvals_above
  where space_id = p_space_id and environment = p_environment
$function$;

CREATE OR REPLACE FUNCTION public.refund_outcome(r refunds)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when r.status in ('completed', 'failed', 'cancelled') then row(r.status, r.returned_fee, r.rail_transaction,
    r.hold_id, r.ledger_reference, r.failure_code, r.failure_message, r.approval, r.approval_user_id, r.approval_at,
    r.completed_at)::text end
$function$;

CREATE OR REPLACE FUNCTION public.refund_policies_terms(p_space_id uuid, p_environment environment)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select string_agg(row(queues_when_short, returns_payment_fee)::text, e'\n') from refund_policies
  where space_id = p_space_id and environment = p_environment
$function$;

CREATE OR REPLACE FUNCTION public.refund_seal(r refunds, OUT terms bytea, OUT outcome bytea)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select digest_of(refund_terms(r)), digest_of(refund_outcome(r))
$function$;

CREATE OR REPLACE FUNCTION public.refund_terms(r refunds)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(r.payment_id, r.order_number, r.amount, r.net, r.currency, r.fees, r.bearer, r.financial_account_id, r.method,
    r.destination_type, r.provider_id, r.payer_account, r.reason, r.original, r.rail_reference, r.created_by, r.created_at)::text
    || case when r.approval is not null or r.counts_unapproved
      then row(r.approval, r.approval_user_id, r.approval_at, r.counts_unapproved)::text else '' end
$function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception '% is append only', tg_table_name;
end $function$;

CREATE OR REPLACE FUNCTION public.reopened_day_details(d closed_days)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency,
    'reopenedAt', d.reopened_at)
$function$;

CREATE OR REPLACE FUNCTION public.seals_digest(p_space_id uuid, p_environment environment, p_number bigint)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select digest_of(string_agg(row(object_id, object_type, terms, outcome)::text, e'\n' order by object_id))
  from book_seals where space_id = p_space_id and environment = p_environment and number = p_number
$function$;

CREATE OR REPLACE FUNCTION public.statement_details(s statements)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET "TimeZone" TO 'UTC'
 SET "DateStyle" TO 'ISO'
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION public.ussd_otp_outcome(o ussd_otps)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select case when o.status <> 'pending' then o.status end
$function$;

CREATE OR REPLACE FUNCTION public.ussd_otp_terms(o ussd_otps)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  select row(o.number, o.phone_number, o.verification_message, o.metadata, o.expires_at, o.created_at)::text
$function$;

CREATE TRIGGER audit_entries_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER item_closings_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.item_closings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER ledger_lines_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.ledger_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
