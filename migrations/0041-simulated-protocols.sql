-- Which protocols there are is said in one place, the program.
alter table simulator_collections drop constraint if exists simulator_collections_protocol_check;
alter table simulator_disbursements drop constraint if exists simulator_disbursements_protocol_check;

-- Rails that give back once at a time look at what was given back of a payment.
create index simulator_disbursements_refunds on simulator_disbursements (provider_id, refund_of)
  where refund_of is not null;
