-- What the simulator was told is forgotten after some days, and so is a handset that asks.
alter table simulator_handsets add column set_at timestamptz;
-- A handset that approves by itself is like one that nobody used.
delete from simulator_handsets where mode = 'approve';
update simulator_handsets set set_at = now();
alter table simulator_handsets alter column set_at set not null;

create index simulator_collections_created on simulator_collections (created_at);
create index simulator_disbursements_created on simulator_disbursements (created_at);
