-- The metadata of what a payment is for, as it was when the payment began; of payments of before, as it is now.
alter table payments add column origin_metadata json not null default '{}';

-- every space
update payments payment set origin_metadata = session.metadata
from checkout_sessions session
where payment.origin_type = 'checkout_session' and session.space_id = payment.space_id
  and session.environment = payment.environment and session.id = payment.origin_id
  and session.metadata::text <> '{}';

-- every space
update payments payment set origin_metadata = code.metadata
from payment_codes code
where payment.origin_type = 'payment_code' and code.space_id = payment.space_id
  and code.environment = payment.environment and code.id = payment.origin_id
  and code.metadata::text <> '{}';
