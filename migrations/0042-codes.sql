-- How many codes the payer has given the provider.
alter table payments add column codes_submitted integer not null default 0 check (codes_submitted between 0 and 5);
