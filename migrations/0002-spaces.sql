-- Tenants. A Space has both environments.
create table spaces (
  id uuid primary key,
  name text not null,
  -- ISO 3166-1 alpha-2: national phone numbers and the first currency
  country text not null,
  created_at timestamptz not null
);

create table users (
  id uuid primary key,
  email text not null,
  created_at timestamptz not null
);
create unique index users_email on users (lower(email));

create table members (
  space_id uuid not null references spaces,
  user_id uuid not null references users,
  role text not null check (role in ('owner', 'admin', 'developer', 'finance', 'viewer')),
  primary key (space_id, user_id)
);

-- A token belongs to a user, not to a Space, and is known only by its hash.
create table tokens (
  id uuid primary key,
  user_id uuid not null references users,
  environment environment not null,
  name text not null,
  -- SHA-256 of the whole token
  hash bytea not null unique,
  scopes text[] not null,
  -- null: every Space of the user; every address
  space_ids uuid[],
  networks text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null
);
create index tokens_user on tokens (user_id);
