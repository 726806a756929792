-- Six-digit codes mailed for a step-up. A code is derived from the id of its row and the secret key, so no table and no
-- queued job contains it.
create table mailed_codes (
  id uuid primary key,
  user_id uuid not null references users (id),
  -- The only session in which the code can be used.
  session_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  failure_count integer not null default 0
);
create index mailed_codes_session on mailed_codes (session_id, id);
-- Counts a user's codes of the last hour.
create index mailed_codes_user on mailed_codes (user_id, created_at);
-- Finds expired codes to delete.
create index mailed_codes_expiry on mailed_codes (expires_at);

alter table sign_in_attempts drop constraint sign_in_attempts_method_check;
alter table sign_in_attempts add constraint sign_in_attempts_method_check
  check (method in ('link', 'passkey', 'totp', 'recovery_code', 'oidc', 'mailed_code'));
