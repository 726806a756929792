-- Whose links are due to be forgotten, and sessions.
create index sign_in_links_expiry on sign_in_links (expires_at);
create index sessions_expiry on sessions (expires_at);
-- Which links were mailed, and so count: those that a command printed do not.
alter table sign_in_links add column is_mailed boolean not null default false;
