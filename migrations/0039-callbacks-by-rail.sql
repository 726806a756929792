-- Rails of one method sign their callbacks in different ways.
alter table simulator_callbacks add column protocol text not null default 'rest';
alter table simulator_callbacks alter column protocol drop default;
