-- Whoever runs the installation: what only they may do belongs to no Space.
alter table users add column is_operator boolean not null default false;

-- A suspended Space takes no calls and no new payments.
alter table spaces add column suspended_at timestamptz;
alter table spaces add column suspended_by text;
alter table spaces add column suspension_reason text;
alter table spaces add constraint spaces_suspension_check
  check (num_nonnulls(suspended_at, suspended_by, suspension_reason) in (0, 3));
