-- One table for what runs now and what is due later. What belongs to no Space has the nil one, in live.
create table jobs (
  space_id uuid not null,
  environment environment not null,
  id bigint generated always as identity,
  job text not null,
  payload jsonb not null,
  -- real_time: due by the database's clock. The others by the Space's, and in_order: where that was moved, one after the other.
  timing text not null check (timing in ('real_time', 'space_time', 'in_order')),
  due_at timestamptz not null,
  -- Of those that wait, one has it.
  key text,
  -- Of those that are taken, one has it.
  line text,
  -- The node that runs it.
  taken_by integer,
  attempts integer not null default 0,
  last_error text,
  primary key (space_id, environment, id)
);
create index jobs_due on jobs (due_at) where taken_by is null;
-- Only clocks of the test environment are moved.
create index jobs_due_in_space on jobs (space_id, due_at)
  where environment = 'test' and timing <> 'real_time' and taken_by is null;
create index jobs_taken on jobs (space_id, environment, taken_by) where taken_by is not null;
create unique index jobs_key on jobs (space_id, environment, key) where key is not null and taken_by is null;
create unique index jobs_line on jobs (space_id, environment, line) where line is not null and taken_by is not null;

-- What waits already.
insert into jobs (space_id, environment, job, payload, timing, due_at)
select space_id, environment, job, payload, case when in_order then 'in_order' else 'space_time' end, due_at
from scheduled_jobs order by due_at, id;
drop table scheduled_jobs;

do $move$
begin
  if to_regclass('graphile_worker._private_jobs') is null then
    return;
  end if;
  -- every space: the queue that was used before is one for all. What was taken by a node is to be run again.
  execute $sql$
    insert into jobs (space_id, environment, job, payload, timing, due_at, key, line, attempts, last_error)
    select case when queue_name is null then coalesce((payload ->> 'spaceId')::uuid, nil) else nil end,
      case when queue_name is null then coalesce(payload ->> 'environment', 'live') else 'live' end::environment,
      identifier, payload, 'real_time', run_at, key, queue_name, attempts, last_error
    from graphile_worker._private_jobs waiting
    join graphile_worker._private_tasks task on task.id = waiting.task_id
    left join graphile_worker._private_job_queues queue on queue.id = waiting.job_queue_id
    cross join (values ('00000000-0000-0000-0000-000000000000'::uuid)) no_space (nil)
    order by waiting.run_at, waiting.id
  $sql$;
  drop schema graphile_worker cascade;
end $move$;
