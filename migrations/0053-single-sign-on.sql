-- Who somebody is at the OpenID Connect provider: known by its own name for them, which never becomes another person's, and not by e-mail.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  used_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- Browsers that were sent to the provider and have not come back. State, nonce and verifier are derived from the cookie, of which only
-- the hash is here. `session_id`: of who shows again who they are.
create table oidc_tries (
  hash bytea primary key,
  session_id uuid references sessions (id) on delete cascade,
  began_at timestamptz not null
);
create index oidc_tries_began on oidc_tries (began_at);

-- What somebody is because of their groups, and not because a person decided it: `space_id` null: an operator.
create table roles_by_group (
  user_id uuid not null references users (id),
  space_id uuid references spaces (id),
  role text,
  unique nulls not distinct (user_id, space_id),
  check ((space_id is null) = (role is null))
);

alter table sign_in_attempts drop constraint sign_in_attempts_method_check;
alter table sign_in_attempts add constraint sign_in_attempts_method_check
  check (method in ('link', 'passkey', 'totp', 'recovery_code', 'oidc'));
alter table sessions drop constraint sessions_method_check;
alter table sessions add constraint sessions_method_check check (method in ('link', 'passkey', 'oidc'));
