-- Counts the attempts of each webhook by hour, so that its last day can be shown without reading its deliveries.

-- A row per hour of the day, which is used again on the next day: at most 24 rows per webhook. They are
-- updated with every batch of attempts, in place.
create table webhook_hours (
  space_id uuid not null,
  environment environment not null,
  webhook_id uuid not null,
  hour_of_day integer not null check (hour_of_day between 0 and 23),
  hour timestamptz not null,
  delivered integer not null,
  failed integer not null,
  -- The last attempt that failed.
  failed_at timestamptz,
  failed_status integer,
  failed_error text,
  primary key (space_id, environment, webhook_id, hour_of_day)
) with (fillfactor = 50);

-- The last example that was sent, with its outcome.
alter table webhooks add column last_example jsonb;
