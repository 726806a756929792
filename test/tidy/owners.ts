/** What of schema.sql belongs to which slice: the slice writes it, and it and later ones may name it. */
export const ownedTables: Record<string, string[]> = {
  platform: ['schema_migrations', 'jobs', 'idempotency_keys', 'test_clocks'],
  spaces: ['spaces', 'users', 'members', 'tokens', 'audit_entries', 'unchained'],
  events: [
    ...['event_facts', 'event_numbers', 'event_backlog', 'event_counters', 'event_partitions'],
    ...['event_sequencer', 'events', 'webhooks', 'webhook_deliveries'],
  ],
  ledger: ['ledger_accounts', 'financial_accounts', 'ledger_lines', 'ledger_holds', 'ledger_cases'],
  transfers: ['internal_transfers'],
  reconciliation: ['statements', 'statement_lines', 'open_clearing_lines'],
  instructions: ['instructions'],
  payments: ['orders', 'payments', 'fee_rules', 'receipts', 'redemptions', 'asked_phones'],
  payouts: ['payouts', 'payout_approvals_above'],
  checkout: ['checkout_sessions'],
  'payment-codes': ['payment_codes', 'payment_code_attempts', 'payment_code_numbers'],
  ussd: ['ussd_otps', 'ussd_otp_numbers', 'ussd_phones', 'ussd_sessions'],
  books: ['book_links', 'book_ranges', 'book_audits', 'book_seals', 'book_heads', 'proofs'],
  simulator: [
    ...['simulator_collections', 'simulator_disbursements', 'simulator_outcomes', 'simulator_callbacks'],
    ...['simulator_handsets', 'simulator_financial_transactions'],
  ],
}

export const ownedFunctions: Record<string, string[]> = {
  platform: ['id_moment', 'id_moment_end', 'refuse_change'],
  events: [
    ...['create_event_partition', 'event_partition_start', 'event_id', 'event_data', 'events_floor'],
    'delivery_id',
  ],
  ledger: ['ledger_post', 'ledger_reference_start', 'ledger_reference_end', 'ledger_told_lines'],
  transfers: ['internal_transfer_terms', 'internal_transfer_outcome'],
  payments: ['order_terms', 'payment_terms', 'payment_outcome'],
  payouts: ['payout_terms', 'payout_outcome'],
  checkout: ['checkout_session_terms', 'checkout_session_outcome'],
  'payment-codes': ['payment_code_terms', 'payment_code_outcome'],
  ussd: ['ussd_otp_terms', 'ussd_otp_outcome'],
  books: ['chain_books', 'link_hash', 'digest_of', 'lines_digest', 'events_digest', 'audits_digest'],
}

/** The types of objects, as rows of other tables name them: a statement that tells them apart knows their slice. */
export const objectTypes: Record<string, string[]> = {
  transfers: ['internal_transfer'],
  payments: ['payment', 'order'],
  payouts: ['payout'],
  checkout: ['checkout_session'],
  'payment-codes': ['payment_code'],
  ussd: ['ussd_otp'],
}

/** Who else writes a table, and why. */
export const otherWriters: Record<string, string> = {
  'books writes unchained': 'chain_books takes away the marks of what it has chained',
}
