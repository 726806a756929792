-- may block: the table has a few rows, and is read when somebody signs in.
-- Logical replication identifies the rows of a table by its primary key, and this table had none. A grant of operator rights belongs to
-- no Space, so its key cannot contain space_id.
alter table roles_by_group add column id bigint generated always as identity primary key;
