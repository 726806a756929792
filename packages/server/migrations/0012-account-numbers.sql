-- The number comes first, so that the code on a statement finds its account in any Space.
drop index financial_accounts_uvan;
create unique index financial_accounts_uvan on financial_accounts (uvan, space_id, environment);
