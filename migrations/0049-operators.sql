-- Whoever runs the installation: what only they may do belongs to no Space.
alter table users add column is_operator boolean not null default false;

-- A suspended Space takes no calls and no new payments.
alter table spaces add column suspended_at timestamptz;
alter table spaces add column suspended_by text;
alter table spaces add column suspension_reason text;
alter table spaces add constraint spaces_suspension_check
  check (num_nonnulls(suspended_at, suspended_by, suspension_reason) in (0, 3));

-- The processes that serve or work. Whether one lives, an advisory lock of its number says.
create table nodes (
  node integer primary key,
  version text not null,
  serves boolean not null,
  works boolean not null,
  started_at timestamptz not null default now(),
  stopped_at timestamptz
);

-- What each check of a proof found: its name, how many rows it examined, how many differences it named.
alter table proofs add column checks jsonb not null default '[]';

create index webhooks_failing on webhooks (space_id, environment, id)
  where (failing_since is not null or disabled_reason is not null) and deleted_at is null;
