-- The address and tax number of a merchant, for receipts and statements.
alter table brands add column address text, add column tax_number text;

-- The number comes first, so that the code on a receipt or statement finds its order or account in any Space.
drop index orders_number;
create unique index orders_number on orders (number, space_id, environment);
drop index financial_accounts_uvan;
create unique index financial_accounts_uvan on financial_accounts (uvan, space_id, environment);
