-- Approval limits of payouts and refunds are in one table.

-- A payout or refund above this amount needs the approval of another user.
create table approval_limits (
  space_id uuid not null,
  environment environment not null,
  kind text not null check (kind in ('payout', 'refund')),
  currency text not null,
  amount bigint not null check (amount >= 0),
  primary key (space_id, environment, kind, currency)
);

insert into approval_limits (space_id, environment, kind, currency, amount)
select space_id, environment, 'payout', currency, amount from payout_approvals_above
union all
select space_id, environment, 'refund', currency, amount from refund_approvals_above;

-- The seals of the limits keep their names and their text, because the hash chain contains both.
create or replace function payout_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from approval_limits
  where space_id = p_space_id and environment = p_environment and kind = 'payout'
$$;

create or replace function refund_approvals_above_terms(p_space_id uuid, p_environment environment) returns text language sql stable as $$
  select string_agg(row(currency, amount)::text, e'\n' order by currency) from approval_limits
  where space_id = p_space_id and environment = p_environment and kind = 'refund'
$$;

drop table payout_approvals_above;
drop table refund_approvals_above;
