-- The row of a test clock that was moved once stays, with an offset of zero: the lines of such a Space may not be in the order
-- of their times. Whether a clock was moved before this, nobody knows any more.
insert into test_clocks (space_id, environment, offset_ms)
select distinct space_id, environment, 0 from ledger_accounts where environment = 'test' and next_seq > 1
on conflict do nothing;
