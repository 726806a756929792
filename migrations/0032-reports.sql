-- Reports that came to a connection's own address: what they are about, by our reference or the rail's own. What has
-- succeeded can be told nothing more. The same rail may use a reference twice, and others may use it too.
create index instructions_reference on instructions (reference)
  where submitted_at is not null and state <> 'succeeded';
create index instructions_provider_reference on instructions (provider_id, provider_reference)
  where provider_reference is not null and state <> 'succeeded';
