-- The simulator's own list says which protocols it speaks: a new one needs no migration.
alter table simulator_collections drop constraint if exists simulator_collections_protocol_check;
alter table simulator_disbursements drop constraint if exists simulator_disbursements_protocol_check;
