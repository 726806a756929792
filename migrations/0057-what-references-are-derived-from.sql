-- What the rail references of these are derived from: the Idempotency-Key of the request that created them, which the client
-- repeats when a backup was restored that has forgotten them; of a session that a payment link opened, the link's. Older rows
-- have none: their references are derived from their ids as before, which a backup of that time has, too.
alter table payout_batches add column idempotency_key text;
alter table checkout_sessions add column idempotency_key text;
alter table payment_links add column idempotency_key text;
alter table payment_codes add column idempotency_key text;

-- The refund of late money gets its reference from the payment. Of a case that is open now it may have left under the
-- reference that is derived from the case, if this is an older backup.
alter table ledger_cases add column refund_purpose text;
update ledger_cases set refund_purpose = 'refund case ' || id
where closed_at is null and object_type = 'payment' and kind = 'success_after_failure';
