-- The browser that asked for a link, as the hash of a cookie; null where a command printed it. Elsewhere a link signs nobody in
-- who does not type its address.
alter table sign_in_links add column asked_by bytea;

-- Wrong codes are counted apart in browsers that the person has signed in with: whoever reads their mail, and guesses elsewhere, does not
-- lock them there. `failure_count` and `locked_until` are of all other browsers, and of the app alone: recovery codes are never locked.
alter table totp_secrets
  add column known_failure_count integer not null default 0,
  add column known_locked_until timestamptz;
