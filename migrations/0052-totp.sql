-- The secret of a person's authenticator app, locked in the vault. Until a code of it was confirmed it counts for nothing.
create table totp_secrets (
  user_id uuid primary key references users (id),
  secret bytea not null,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The time step of the last code that was accepted: none at or before it is accepted again.
  last_step integer,
  -- Wrong codes since the last right one, of the app and recovery codes together, and until when none is looked at.
  failure_count integer not null default 0,
  locked_until timestamptz
);
-- Enrolments that nobody has confirmed, which are due to be forgotten.
create index totp_secrets_unconfirmed on totp_secrets (created_at) where confirmed_at is null;

-- Hashes of what takes the place of one code each, once. Used up by being deleted.
create table recovery_codes (
  user_id uuid not null references totp_secrets (user_id) on delete cascade,
  hash bytea not null,
  primary key (user_id, hash)
);

-- Who has used a link to sign in and has yet to send a code. The cookie's text is stored nowhere, only its hash.
create table sign_in_second_steps (
  hash bytea primary key,
  user_id uuid not null references users (id),
  expires_at timestamptz not null
);
create index sign_in_second_steps_expiry on sign_in_second_steps (expires_at);
