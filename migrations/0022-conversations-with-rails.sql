-- By the database's clock, in real time, whatever the clocks of nodes and Spaces show: when it became `submitting`, before
-- which nothing was sent, and when the end of the call was recorded, after which nothing is.
alter table payments add column submitting_since timestamptz, add column call_ended_since timestamptz;
alter table payouts add column submitting_since timestamptz, add column call_ended_since timestamptz;
-- every space: what is open counts anew, from now on
update payments set submitting_since = now(),
  call_ended_since = case when rail_state in ('submitted', 'unknown') then now() end
where status = 'processing';
update payouts set submitting_since = now(),
  call_ended_since = case when rail_state in ('submitted', 'unknown') then now() end
where status = 'processing';

-- every space: what failed in the last week is asked about once more, over an hour, as from now on every failed payment is.
insert into scheduled_jobs (space_id, environment, due_at, job, payload, in_order)
select space_id, environment, now() + random() * interval '1 hour', 'payments.query',
  jsonb_build_object('spaceId', space_id, 'environment', environment, 'paymentId', id, 'isSecondLook', true,
    'look', 'day'),
  false
from payments
where status = 'failed' and submitted_at is not null and updated_at > now() - interval '7 days';
