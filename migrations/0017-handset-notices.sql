-- What a simulated handset is told when a collection ends, newest first.
alter table simulator_collections add column ended_at timestamptz;
update simulator_collections set ended_at = coalesce(moved_at, created_at) where status <> 'PENDING';
alter table simulator_collections add check ((ended_at is null) = (status = 'PENDING'));
create index simulator_collections_ended on simulator_collections (payer, ended_at) where ended_at is not null;
