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

-- One for all Spaces: a dial brings a phone and digits, and nothing else.
create table ussd_otp_numbers (
  phone_number text not null,
  number text not null,
  environment environment not null,
  space_id uuid not null,
  otp_id uuid not null,
  -- The digits of an OTP that is over may be given out again.
  is_open boolean not null default true,
  primary key (phone_number, number)
);
create index ussd_otp_numbers_open on ussd_otp_numbers (phone_number, environment, otp_id) where is_open;

-- What is remembered of phones that dial. They belong to no Space.
create table ussd_phones (
  environment environment not null,
  phone_number text not null,
  -- As it was last chosen; until then that of its country.
  language text check (language in ('en', 'fr', 'kri')),
  -- The last wrong dials, oldest first, no more than lead to a lock-out.
  wrong_otps timestamptz[] not null default '{}',
  wrong_codes timestamptz[] not null default '{}',
  primary key (environment, phone_number)
);

-- A phone's way through the menus. Until a code is dialled it belongs to no Space.
create table ussd_sessions (
  environment environment not null,
  aggregator text not null,
  session_id text not null,
  phone_number text not null,
  stage text not null check (stage in ('number', 'amount', 'confirm', 'over')),
  -- What was dialled, and the amount that the payer was shown or typed.
  number text,
  amount bigint,
  language text not null check (language in ('en', 'fr', 'kri')),
  -- What was answered to each step, so that a repeated one gets the same: {"<step>": {"text", "ends"}}
  answers json not null,
  turns integer not null,
  created_at timestamptz not null default now(),
  primary key (environment, aggregator, session_id, phone_number)
);
create index ussd_sessions_age on ussd_sessions using brin (created_at);
