-- How often phones were asked for payments, over all Spaces and by each: until when what may be asked is used up. Real
-- time, since a phone belongs to no Space. The row of all has the nil UUID for its Space, and is locked to judge.
create table asked_phones (
  environment environment not null,
  phone_number text not null,
  space_id uuid not null,
  used_until timestamptz not null default now(),
  primary key (environment, phone_number, space_id)
) with (fillfactor = 70);

-- What a phone is asked for now.
create index payments_asking on payments (environment, payer_account, space_id)
where channel_type = 'momo' and status in ('pending', 'processing');
