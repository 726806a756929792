-- Filters of lists: each finds its rows along an index that ends in the id, which is the order of lists. What only some
-- rows have is in the index of those alone.
create index payments_status on payments (space_id, environment, status, id);
create index payments_provider on payments (space_id, environment, provider_id, id);
create index payments_amount on payments (space_id, environment, amount, id);
create index payments_phone on payments (space_id, environment, payer_account, id) where channel_type = 'momo';
create index payments_reference on payments (space_id, environment, reference, id) where reference is not null;
create index payments_rail_transaction on payments (space_id, environment, rail_transaction, id)
  where rail_transaction is not null;

-- A payment code may be paid a million times.
drop index payments_origin;
create index payments_origin on payments (space_id, environment, origin_id, id);

create index payouts_provider on payouts (space_id, environment, provider_id, id);
create index payouts_amount on payouts (space_id, environment, amount, id);
create index payouts_phone on payouts (space_id, environment, payee_account, id) where destination_type = 'momo';

create index refunds_provider on refunds (space_id, environment, provider_id, id);
create index refunds_amount on refunds (space_id, environment, amount, id);
create index refunds_order on refunds (space_id, environment, order_number, id);
create index refunds_phone on refunds (space_id, environment, payer_account, id) where destination_type = 'momo';

create index settlements_of_booked on settlements (space_id, environment, id) where reversed_at is null;
create index settlements_of_reversed on settlements (space_id, environment, id) where reversed_at is not null;

create index checkout_sessions_status on checkout_sessions (space_id, environment, status, id);
create index checkout_sessions_reference on checkout_sessions (space_id, environment, reference, id)
  where reference is not null;

create index payment_codes_reference on payment_codes (space_id, environment, reference, id) where reference is not null;

create index ussd_otps_status on ussd_otps (space_id, environment, status, id);

-- The lines of an account have their numbers nearly in the order of their times. Returns the number where that time begins,
-- give or take what is out of order.
create function ledger_seq_near(p_space_id uuid, p_environment environment, p_account_id uuid, p_at timestamptz)
returns bigint language plpgsql stable as $$
declare
  v_low bigint := 1; v_high bigint; v_middle bigint; v_at timestamptz;
begin
  select seq + 1 into v_high from ledger_lines
  where space_id = p_space_id and environment = p_environment and account_id = p_account_id
  order by seq desc limit 1;
  while v_low < v_high loop
    v_middle := v_low + (v_high - v_low) / 2;
    select at into v_at from ledger_lines
    where space_id = p_space_id and environment = p_environment and account_id = p_account_id and seq = v_middle;
    if v_at < p_at then
      v_low := v_middle + 1;
    else
      v_high := v_middle;
    end if;
  end loop;
  return v_low;
end $$;

create function id_moment_start(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select (substr(id::text, 1, 13) || '-0000-0000-000000000000')::uuid
$$;
