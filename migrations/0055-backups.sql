-- Backups of the whole database that `pesewa backup` made, each read back from where it was written. Real time, as the database has it.
create table backups (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  location text not null,
  bytes bigint not null check (bytes > 0),
  -- When every file of it was last read and found to be what the server sent.
  verified_at timestamptz not null,
  -- When it was removed because newer ones had taken its place.
  pruned_at timestamptz,
  check (finished_at >= started_at)
);
