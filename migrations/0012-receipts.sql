-- What an order's receipt will entitle to: [{"key", "name", "limit"}], limit in units.
alter table orders add column entitlements json;

-- The outer id of a line item, as src/platform/ids.ts writes it: 3 bits, then 25 groups of 5.
create function pg_temp.line_item_id(p_id uuid) returns text language sql immutable as $$
  select 'lin-' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from 5 * n + 1 for 5)::bit(5)::integer + 1, 1), ''
      order by n)
  from (select B'00' || ('x' || replace(p_id::text, '-', ''))::bit(128) as bits) padded, generate_series(0, 25) n
$$;

-- every space: sessions that exist already get what new ones get from the program
update orders o
set entitlements = (
  select json_agg(json_build_object(
      'key', coalesce(item ->> 'reference', pg_temp.line_item_id((item ->> 'id')::uuid)),
      'name', item ->> 'name',
      'limit', (item ->> 'quantity')::integer) order by place)
  from json_array_elements(session.line_items) with ordinality as items (item, place))
from checkout_sessions session
where session.space_id = o.space_id and session.environment = o.environment and session.order_id = o.id;
update orders set entitlements = '[]' where entitlements is null;
alter table orders alter column entitlements set not null;

-- Made with the completion of a payment.
create table receipts (
  space_id uuid not null,
  environment environment not null,
  order_id uuid not null,
  -- Units that are left, along the entitlements of the order. Whatever a statement forgets, none is redeemed twice.
  remaining integer[] not null constraint receipts_not_overdrawn check ((0 <= all (remaining)) is true),
  metadata json not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (space_id, environment, order_id),
  foreign key (space_id, environment, order_id) references orders
);

-- every space: payments that completed before; a ledger reference begins with the moment of that
insert into receipts (space_id, environment, order_id, remaining, metadata, created_at, updated_at)
select o.space_id, o.environment, o.id,
  array(
    select (item ->> 'limit')::integer
    from json_array_elements(o.entitlements) with ordinality as items (item, place)
    order by place),
  '{}', paid.at, paid.at
from (
  select space_id, environment, order_id,
    min(to_timestamp(left(ledger_reference, 18), 'YYYYMMDD-HH24MISSMS')::timestamp at time zone 'UTC') as at
  from payments where status = 'completed' group by 1, 2, 3
) paid
join orders o on o.space_id = paid.space_id and o.environment = paid.environment and o.id = paid.order_id;
