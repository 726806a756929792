-- The address and tax number of a merchant, for receipts and statements.
alter table brands add column address text, add column tax_number text;
