-- Who is signed in at the console. The cookie's text is stored nowhere, only its hash.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  hash bytea not null unique,
  -- How they signed in, and from where: for their own list of sessions.
  method text not null check (method in ('link')),
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
