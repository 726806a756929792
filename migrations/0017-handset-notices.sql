-- What a simulated handset is told when money was asked of it, or came, newest first.
alter table simulator_collections add column ended_at timestamptz;
update simulator_collections set ended_at = coalesce(moved_at, created_at) where status <> 'PENDING';
alter table simulator_collections add check ((ended_at is null) = (status = 'PENDING'));
create index simulator_collections_ended on simulator_collections (payer, ended_at) where ended_at is not null;

alter table simulator_disbursements add column ended_at timestamptz;
update simulator_disbursements set ended_at = coalesce(moved_at, created_at) where status <> 'PENDING';
alter table simulator_disbursements add check ((ended_at is null) = (status = 'PENDING'));
create index simulator_disbursements_moved on simulator_disbursements (payee, ended_at) where moved_at is not null;
