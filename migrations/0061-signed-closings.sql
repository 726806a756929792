-- What finance signs is in the chain: each import of a statement, and whatever is closed or reopened, has an entry. What
-- belongs to no Space is in the chain of the installation, of a Space whose id is all zeros.

-- The id of an object that is counted, as entries name it.
create function counted_id(p_id bigint) returns uuid language sql immutable strict parallel safe as $$
  select ('00000000-0000-0000-0000-' || lpad(to_hex(p_id), 12, '0'))::uuid
$$;

-- What entries say of a row, as it stays.
create function statement_details(s statements) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', s.provider_id, 'fileName', s.file_name, 'from', s.from_at, 'until', s.until_at,
    'lines', s.lines, 'newLines', s.new_lines, 'importedAt', s.imported_at, 'importedBy', s.imported_by, 'digest', (
      select encode(sha256(string_agg(sha256(convert_to(row(line.id, line.line, line.moved_at, line.direction, line.amount,
        line.currency, line.reference, line.rail_transaction)::text, 'UTF8')), ''::bytea order by line.id)), 'hex')
      from (
        select * from statement_lines line
        where line.provider_id = s.provider_id and line.environment = s.environment and line.moved_at >= s.from_at
          and line.moved_at <= s.until_at
        offset 0
      ) line
      where line.statement_id = s.id))
$$;
create function closed_day_details(d closed_days) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency, 'from', d.from_at,
    'until', d.until_at, 'statedLines', d.stated_lines::text, 'statedIn', d.stated_in::text, 'statedOut', d.stated_out::text,
    'bookedLines', d.booked_lines::text, 'bookedIn', d.booked_in::text, 'bookedOut', d.booked_out::text,
    'differences', d.differences, 'closedAt', d.closed_at)
$$;
create function reopened_day_details(d closed_days) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', d.provider_id, 'day', d.day, 'currency', d.currency,
    'reopenedAt', d.reopened_at)
$$;
create function item_closing_details(c item_closings) returns jsonb language sql stable
set timezone = 'UTC' set datestyle = 'ISO' as $$
  select jsonb_build_object('providerId', c.provider_id, 'lineId', c.line_id, 'spaceId', c.space_id,
    'accountId', c.account_id, 'seq', c.seq::text, 'state', c.state, 'closedAt', c.closed_at)
$$;

-- What there is already is entered as it is.
with signed as (
  select environment, id, 'statement' as object_type, 'reconciliation.import_statement' as action, imported_at as at,
    coalesce(imported_by, 'pesewa reconcile import') as actor, 'imported' as reason, statement_details(s) as details
  from statements s
  union all
  select environment, id, 'closed_day', 'reconciliation.close_day', closed_at, closed_by, reason, closed_day_details(d)
  from closed_days d
  union all
  select environment, id, 'closed_day', 'reconciliation.reopen_day', reopened_at, reopened_by, reopening_reason,
    reopened_day_details(d)
  from closed_days d where reopened_at is not null
  union all
  select environment, id, 'item_closing', 'reconciliation.close_item', closed_at, closed_by, reason, item_closing_details(c)
  from item_closings c
), entered as (
  insert into audit_entries (space_id, environment, id, at, actor, action, object_type, object_id, reason, details)
  select '00000000-0000-0000-0000-000000000000', environment, (
      lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(random()::text), 1, 3)
      || '8' || substr(md5(random()::text), 1, 15))::uuid,
    at, actor, action, object_type, counted_id(id), reason, details
  from signed
  returning space_id, environment, id
)
insert into unchained (space_id, environment, audit_id) select space_id, environment, id from entered;
