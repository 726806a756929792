-- Whether personal data is encrypted. An installation that existed before stays as it is until `pesewa keys encrypt`, because
-- nodes of the previous release cannot decrypt.
create table encryption (
  is_only boolean primary key default true check (is_only),
  is_on boolean not null,
  turned_on_at timestamptz,
  -- Changes when encryption is turned on and whenever keys are replaced, so that nodes read the keys again.
  version integer not null default 1,
  -- The job that encrypts what is plain, and what is encrypted with keys that are being replaced.
  run_started_at timestamptz,
  run_finished_at timestamptz,
  -- Where it continues: the number of the pass, the table, and the last key.
  run_cursor json,
  rows_done bigint not null default 0,
  -- An estimate.
  rows_estimated bigint
);
-- every space: a new installation has none
insert into encryption (is_on, turned_on_at)
select not exists (select from spaces), case when not exists (select from spaces) then now() end;

-- Keys that encrypt the keys of Spaces. The master key, which is not in the database, encrypts them.
create table wrapping_keys (
  generation integer primary key,
  wrapped bytea not null,
  -- Where the master key is: secret_key, file or command.
  source text not null,
  created_at timestamptz not null default now()
);

-- The keys of each Space. Those of the nil UUID are for personal data that belongs to no Space.
create table data_keys (
  space_id uuid not null,
  -- `data` keys encrypt values and can be rotated. A `hash` key makes the hashes by which rows are found.
  purpose text not null check (purpose in ('data', 'hash')),
  generation integer not null check (generation between 1 and 65535),
  -- The time at which each was created tells how long it has been in use.
  wrapped bytea,
  wrapping_generation integer not null,
  -- New values are encrypted with the active key. A retiring one can still decrypt. A retired one has been deleted.
  state text not null check (state in ('active', 'retiring', 'retired')),
  created_at timestamptz not null default now(),
  primary key (space_id, purpose, generation),
  check ((wrapped is null) = (state = 'retired'))
);

-- Whether a node can decrypt. Those of earlier releases cannot.
alter table nodes add column decrypts boolean not null default false;

-- What a column contains is encrypted if `…_encrypted` is not null; the column itself then contains a keyed hash. `…_last`
-- contains the last characters of a number, and `…_words` keyed hashes of the words of a name.
alter table payments add column payer_account_encrypted bytea, add column payer_account_last text;
alter table payouts add column payee_account_encrypted bytea, add column payee_account_last text;
alter table refunds add column payer_account_encrypted bytea, add column payer_account_last text;
alter table instructions add column account_encrypted bytea, add column account_last text;
alter table payout_batch_rows
  add column payee_account_encrypted bytea, add column payee_account_last text,
  add column name_encrypted bytea, add column name_words text[];
alter table payment_codes
  add column authorized_phone_number_encrypted bytea, add column authorized_phone_number_last text,
  add column customer_name_encrypted bytea, add column customer_name_words text[];
alter table payment_code_attempts add column phone_number_encrypted bytea, add column phone_number_last text;
alter table ussd_otps add column phone_number_encrypted bytea, add column phone_number_last text;
alter table bill_payments
  add column payer_account_encrypted bytea, add column payer_account_last text;

-- The seal of a one-time password, for marking it before it is encrypted.
create function ussd_otp_seal(o ussd_otps, out terms bytea, out outcome bytea)
language sql stable
set timezone to 'UTC'
set datestyle to 'ISO'
as $$
  select digest_of(ussd_otp_terms(o)), digest_of(ussd_otp_outcome(o))
$$;
