-- How a Space shows itself to its payers. Where there is nothing, its own name and the colours of the service stand.
create table brands (
  space_id uuid not null,
  environment environment not null,
  name text,
  color text check (color ~ '^#[0-9a-f]{6}$'),
  support_email text,
  support_phone text,
  terms_url text,
  logo_id uuid,
  primary key (space_id, environment)
);

-- PNG. A new one has a new id, so that browsers may keep it for ever.
create table logos (
  space_id uuid not null,
  environment environment not null,
  id uuid not null,
  image bytea not null,
  primary key (space_id, environment, id)
);

-- Support helps payers: it sees what came in, with phone numbers masked, and may propose that money goes back.
alter table members drop constraint members_role_check;
alter table members add constraint members_role_check
  check (role in ('owner', 'admin', 'developer', 'finance', 'support', 'viewer'));
