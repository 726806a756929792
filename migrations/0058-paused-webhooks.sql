-- Whether a fact waits in the backlog is asked by its number, after a restore for each fact.
create index event_backlog_fact on event_backlog (fact_number);
