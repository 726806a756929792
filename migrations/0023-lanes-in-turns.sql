-- A lane takes turns by Space: from one Space that waits to the next, and in each by order of creation.
drop index payouts_lane;
create index payouts_lane on payouts (environment, provider_id, space_id, id) where rail_state = 'queued';

-- Nobody else approved it, and its Space has an amount above which somebody has to: together they must not exceed it in a
-- day. Only such payouts are in the indexes.
alter table payouts add column counts_unapproved boolean not null default false;
create index payouts_unapproved_by_creator on payouts (space_id, environment, created_by, created_at)
  where counts_unapproved;
create index payouts_unapproved_to_payee on payouts (space_id, environment, payee_account, created_at)
  where counts_unapproved;
