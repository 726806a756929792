-- What nodes have used of rate limits that are close to being reached. Unlogged, because a limit that starts anew after
-- a crash does no harm.
create unlogged table rate_limits (
  -- Keyed hash of what is limited.
  key bytea primary key,
  -- The time until which the allowance has been used.
  used_until timestamptz not null
) with (fillfactor = 50);
create index on rate_limits (used_until);
