-- Who is signed in at the console. The cookie's text is stored nowhere, only its hash.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  hash bytea not null unique,
  -- How they signed in, and from where: for their own list of sessions.
  method text not null check (method in ('link', 'passkey')),
  address text not null,
  agent text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- Until then whoever signed in counts as having just done so.
  fresh_until timestamptz not null,
  ended_at timestamptz
);
create index sessions_user on sessions (user_id, id);

-- Links to sign in by, each of which is used once. What stands in them is derived from their id by the program's secret.
create table sign_in_links (
  id uuid primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_user on sign_in_links (user_id, created_at);

-- The public keys of passkeys.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id),
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index passkeys_user on passkeys (user_id, id);

-- Challenges that were used, so that no response to one is taken twice.
create table used_challenges (
  hash bytea primary key,
  used_at timestamptz not null
);
create index used_challenges_time on used_challenges (used_at);
