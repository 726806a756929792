-- The last time at which a member asked a provider for an outcome, and the provider's answer if it was no outcome.
alter table instructions
  add column asked_at timestamptz,
  add column answered_at timestamptz,
  add column answer text check (answer in ('pending', 'later', 'unclear'));
