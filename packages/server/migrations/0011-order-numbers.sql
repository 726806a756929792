-- The number comes first, so that the code on a receipt finds its order in any Space.
drop index orders_number;
create unique index orders_number on orders (number, space_id, environment);
