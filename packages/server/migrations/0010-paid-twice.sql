-- Only the service creates refunds with this reason, and at most one for each payment.
create unique index refunds_paid_twice on refunds (space_id, environment, payment_id) where reason = 'paid_twice';
