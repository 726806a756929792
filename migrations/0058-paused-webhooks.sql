-- Whether a fact waits in the backlog is asked by its number, after a restore for each fact.
create index event_backlog_fact on event_backlog (fact_number);

-- An endpoint that keeps failing is sent nothing until then, whatever waits for it.
alter table webhooks add column paused_until timestamptz;
