-- Whose a clearing account is, and of which direction, stands in columns of its own. Its purpose goes on saying the same:
-- it is chained, and with the currency it is the account's unique name.
alter table ledger_accounts
  add column provider_id text,
  add column direction text check (direction in ('collection', 'disbursement'));

update ledger_accounts set provider_id = split_part(purpose, ' ', 2), direction = split_part(purpose, ' ', 3)
where kind = 'clearing';

-- What postings and holds propose for an account that is there has no purpose, and only its balances are taken from it.
alter table ledger_accounts add constraint ledger_accounts_clearing check (case
  when kind = 'clearing' and purpose is not null then
    purpose is not distinct from 'clearing ' || provider_id || ' ' || direction
  else num_nonnulls(provider_id, direction) = 0 end);

-- Whether what a case is about was to come in or to go out: its type is its own slice's affair.
alter table ledger_cases add column direction text check (direction in ('collection', 'disbursement'));
update ledger_cases set direction = case object_type when 'payout' then 'disbursement' else 'collection' end;
alter table ledger_cases alter column direction set not null;
