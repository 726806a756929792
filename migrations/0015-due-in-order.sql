-- Whether what is due before it must have happened. A job that asks somebody outside is waited for by nobody.
alter table scheduled_jobs add column in_order boolean not null default true;
update scheduled_jobs set in_order = false where job = 'payments.query'; -- every space: jobs that exist already
