-- Access tokens over the API: what tells one from another, what took its place, and of which moment before its expiry its
-- owner was last warned.
alter table tokens add column last_characters text;
alter table tokens add column replaced_by uuid references tokens (id);
alter table tokens add column warned_days smallint check (warned_days in (3, 14));
drop index tokens_user;
create index tokens_user on tokens (user_id, environment, id);
create index tokens_expiring on tokens (expires_at)
  where revoked_at is null and replaced_by is null and warned_days is distinct from 3;

-- Since when somebody is a member: of those before, since both were there.
alter table members add column since timestamptz;
update members set since = greatest(
  (select created_at from spaces where id = space_id),
  (select created_at from users where id = user_id)
);
alter table members alter column since set not null;
create index members_user on members (user_id);

-- Whoever is to become a member. The text of the link is derived from the id by the program's secret.
create table invitations (
  id uuid primary key,
  space_id uuid not null references spaces,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer')),
  -- The member who invited; none: whoever runs the installation.
  inviter_id uuid references users (id),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- How often it was mailed.
  mail_count smallint not null,
  accepted_at timestamptz,
  accepted_by uuid references users (id),
  withdrawn_at timestamptz,
  check ((accepted_at is null) = (accepted_by is null)),
  check (num_nonnulls(accepted_at, withdrawn_at) < 2)
);
create index invitations_space on invitations (space_id, id);
-- One that waits for each person.
create unique index invitations_waiting on invitations (space_id, lower(email))
  where accepted_at is null and withdrawn_at is null;

create index audit_entries_actor on audit_entries (space_id, environment, actor, id);
create index audit_entries_action on audit_entries (space_id, environment, action, id);
