-- Whose links are due to be forgotten, and sessions.
create index sign_in_links_expiry on sign_in_links (expires_at);
create index sessions_expiry on sessions (expires_at);
-- From where a mailed link was asked for, and whether by a browser that its person had signed in with: each has its own limit.
alter table sign_in_links add column asked_from text;
alter table sign_in_links add column by_known_browser boolean not null default false;

-- Who tried to sign in as somebody, or to show again who they are: for that person to read.
create table sign_in_attempts (
  id uuid primary key,
  user_id uuid not null references users (id),
  method text not null check (method in ('link', 'passkey', 'totp', 'recovery_code')),
  is_step_up boolean not null,
  result text not null check (result in ('succeeded', 'failed', 'locked')),
  address text not null,
  agent text not null,
  at timestamptz not null
);
create index sign_in_attempts_user on sign_in_attempts (user_id, id);
create index sign_in_attempts_at on sign_in_attempts (at);

alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check check (method in ('link', 'passkey'));

-- Public keys of people's authenticators. `counter`: how often one says that it has signed; of those that are synced always 0.
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

-- What a passkey is to sign, once, within minutes: bound to a session, or to a browser by the hash of a cookie.
create table sign_in_challenges (
  bound_to bytea not null,
  purpose text not null check (purpose in ('register', 'sign_in', 'step_up')),
  challenge text not null,
  expires_at timestamptz not null,
  primary key (bound_to, purpose)
);
create index sign_in_challenges_expiry on sign_in_challenges (expires_at);
