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
