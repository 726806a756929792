-- Payments that payers make by hand, to our number at a rail, with a payment code as their reference.

create table bill_payments (
  id uuid not null unique,
  environment environment not null,
  connection text not null,
  -- The rail's own number of the transaction.
  transaction text not null,
  provider_id text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  account_reference text not null,
  payer_account text,
  payer_mask text,
  paid_at timestamptz not null,
  received_at timestamptz not null,
  source text not null check (source in ('notice', 'pull')),
  status text not null check (status in ('allocated', 'unallocated', 'closed')),
  reason text,
  -- The payment that it made or completed.
  space_id uuid,
  payment_id uuid,
  closed_by text,
  closed_at timestamptz,
  closing_reason text,
  primary key (environment, connection, transaction),
  check ((status = 'allocated') = (payment_id is not null)),
  check ((payment_id is null) or (space_id is not null)),
  check ((status = 'unallocated') = (reason is not null and closed_at is null and payment_id is null)),
  check ((status = 'closed') = (closed_at is not null)),
  check ((closed_at is null) = (closed_by is null)),
  check ((closed_at is null) = (closing_reason is null)),
  check (payer_account is null or payer_mask is null)
);
create index bill_payments_unallocated on bill_payments (received_at) where status = 'unallocated';
create unique index bill_payments_payment on bill_payments (space_id, environment, payment_id) where payment_id is not null;

-- How far the transactions of a connection have been pulled.
create table bill_pulls (
  environment environment not null,
  connection text not null,
  pulled_until timestamptz not null,
  primary key (environment, connection)
);

-- The payer of such a payment is shown as the rail masks them, where it says no more.
alter table payments add column payer_mask text;
alter table payments drop constraint payments_check2;
alter table payments add constraint payments_payer_account_check
  check ((channel_type = 'card') = (payer_account is null and payer_mask is null) and (payer_account is null or payer_mask is null));
alter table payments drop constraint payments_check3;
alter table payments add constraint payments_payer_fingerprint_check
  check (channel_type = 'card' or payer_mask is not null or payer_fingerprint is not null);

-- As what the payer's rail shows a prompt, of rails that report prompts and payments by hand alike.
alter table instructions add column bill_reference text;
create index instructions_bill_reference on instructions (provider_id, bill_reference) where bill_reference is not null;

-- Where a simulated rail reports payments by hand.
create table simulator_bill_addresses (
  provider_id text primary key,
  validation_url text not null,
  confirmation_url text not null
);
-- Where it reports, beside the collection's own address, what was paid to a number of ours.
alter table simulator_collections add column notice_url text;
