-- Money in by bank, wallet and card, beside mobile money.
alter table payments
  -- E.164 for momo, an account number, a wallet id; none for a card, whose number we never see
  alter column payer_account drop not null,
  -- of a card: known when it has paid
  alter column payer_fingerprint drop not null,
  add column card_scheme text check (card_scheme in ('visa', 'mastercard', 'verve')),
  add column card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- the rail's own page, where the payer authorises; where that sends them back to; when they went, and came back
  add column redirect_url text,
  add column return_url text,
  add column redirected_at timestamptz,
  add column returned_at timestamptz,
  add check ((channel_type = 'card') = (payer_account is null)),
  add check (channel_type = 'card' or payer_fingerprint is not null),
  add check (channel_type = 'card' or card_scheme is null),
  add check ((card_scheme is null) = (card_last4 is null));

-- The simulator plays banks, wallets and an acquirer too.
alter table simulator_collections rename column msisdn to payer;
alter table simulator_collections
  add column protocol text not null default 'mtn-momo' check (protocol in ('mtn-momo', 'rest', 'acquirer')),
  -- a page waits for the payer, and sends them back there; then asks_until is how long it waits
  add column return_url text,
  -- of the card that was chosen on the page, never a number
  add column card_scheme text,
  add column card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  add column card_token text;
alter table simulator_collections alter column protocol drop default;
alter table simulator_callbacks add column method text not null default 'PUT' check (method in ('PUT', 'POST'));
alter table simulator_callbacks alter column method drop default;
