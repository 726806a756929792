-- What providers were told to do, and what became of it: one conversation for every kind of resource.
create table instructions (
  space_id uuid not null,
  environment environment not null,
  -- That of the payment or payout.
  id uuid not null,
  kind text not null check (kind in ('collect', 'disburse')),
  provider_id text not null,
  -- created → submitting → submitted | unknown → succeeded | failed
  state text not null check (state in ('created', 'submitting', 'submitted', 'unknown', 'succeeded', 'failed')),
  amount bigint not null check (amount > 0),
  currency text not null,
  -- Of the payer or payee: E.164, an account number, a wallet id; none for a card.
  account text,
  -- Ours, made before the call: the rail's idempotency key.
  reference uuid not null,
  description text not null,
  order_number text,
  return_url text,
  -- The rail's own, where it gave one when it accepted.
  provider_reference text,
  -- Of the connection under which it was submitted: what another one has never heard of proves nothing.
  revision text,
  created_at timestamptz not null,
  submitted_at timestamptz,
  -- By the database's clock, in real time: when it became `submitting`, before which nothing was sent, and when the end
  -- of the call was recorded, after which nothing is.
  submitting_since timestamptz,
  call_ended_since timestamptz,
  -- When the merchant was told that it takes long.
  delayed_at timestamptz,
  -- When the rail is asked next, by the Space's clock; for what failed, the second look.
  due_at timestamptz,
  look text check (look in ('hour', 'day')),
  primary key (space_id, environment, id),
  check ((state = 'created') = (submitted_at is null) or state = 'failed'),
  check ((submitted_at is null) = (submitting_since is null))
);
-- A lane is a kind, environment and provider: in it Spaces take turns, each in order of creation.
create index instructions_waiting on instructions (kind, environment, provider_id, space_id, id)
  where state = 'created';
create index instructions_due on instructions (kind, environment, provider_id, due_at) where due_at is not null;
-- Where a test clock was moved.
create index instructions_due_in_space on instructions (space_id, environment, due_at) where due_at is not null;
create index instructions_open on instructions (kind, submitted_at, id)
  where state in ('submitting', 'submitted', 'unknown');

-- every space: what there is already
insert into instructions (space_id, environment, id, kind, provider_id, state, amount, currency, account, reference,
  description, order_number, return_url, created_at, submitted_at, submitting_since, call_ended_since)
select space_id, environment, id, 'collect', provider_id, rail_state, amount, currency, payer_account, rail_reference,
  name, order_number, return_url, created_at, submitted_at,
  case when submitted_at is not null then coalesce(submitting_since, now()) end, call_ended_since
from payments;
insert into instructions (space_id, environment, id, kind, provider_id, state, amount, currency, account, reference,
  description, created_at, submitted_at, submitting_since, call_ended_since, delayed_at)
select space_id, environment, id, 'disburse', provider_id,
  case rail_state when 'queued' then 'created' else rail_state end, amount, currency, payee_account, rail_reference,
  'Payout', created_at, submitted_at,
  case when submitted_at is not null then coalesce(submitting_since, now()) end, call_ended_since, delayed_at
from payouts where hold_id is not null and coalesce(approval, '') not in ('required', 'rejected');

-- every space: the questions that were scheduled
update instructions instruction set due_at = job.due_at, look = job.look
from (
  select distinct on (space_id, environment, object_id) * from (
    select space_id, environment, coalesce(payload ->> 'paymentId', payload ->> 'payoutId')::uuid as object_id, due_at,
      case when payload ->> 'isSecondLook' = 'true' then coalesce(payload ->> 'look', 'hour') end as look
    from jobs where job in ('payments.query', 'payouts.query')
  ) scheduled order by space_id, environment, object_id, due_at
) job
where instruction.space_id = job.space_id and instruction.environment = job.environment and instruction.id = job.object_id
  and (instruction.state in ('submitting', 'submitted', 'unknown') or job.look is not null);
update instructions set due_at = now() where state in ('submitting', 'submitted', 'unknown') and due_at is null;
delete from jobs where job in ('payments.submit', 'payments.query', 'payouts.query');

drop index payouts_lane;
drop index payouts_open;
alter table payments drop column rail_state, drop column submitted_at, drop column submitting_since,
  drop column call_ended_since, drop column return_url, add column guidance json;
alter table payouts drop column rail_state, drop column submitted_at, drop column answered_at,
  drop column delayed_at, drop column submitting_since, drop column call_ended_since;
