-- A protocol that is new needs no migration: whoever plays it names it.
alter table simulator_collections drop constraint if exists simulator_collections_protocol_check;
alter table simulator_disbursements drop constraint if exists simulator_disbursements_protocol_check;
create index simulator_disbursements_refunds on simulator_disbursements (provider_id, refund_of) where refund_of is not null;

-- How many codes the payer has given the provider.
alter table payments add column codes_submitted integer not null default 0 check (codes_submitted between 0 and 5);
