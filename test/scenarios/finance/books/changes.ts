// Changes that a database superuser makes behind the program's back, in all tables. Each must either be found
// by a check whose report begins with these words, or be listed for its table in the guide as not proved.

/** Returns a condition that matches a single row of a table. */
const one = (table: string, where = 'true') => `ctid = (select ctid from ${table} where ${where} limit 1)`
export const set = (table: string, change: string, where?: string) =>
  `update ${table} set ${change} where ${one(table, where)}`
export const remove = (table: string, where?: string) => `delete from ${table} where ${one(table, where)}`
/** Returns a statement that inserts a copy of a row with different values in these fields. */
const invent = (table: string, fields: string, where?: string) =>
  `insert into ${table} overriding system value
   select (jsonb_populate_record(one, jsonb_build_object(${fields}))).* from ${table} one where ${one(table, where)}`
/** Returns a statement that inserts a row with only these fields. */
const make = (table: string, fields: string) =>
  `insert into ${table} overriding system value
   select (jsonb_populate_record(null::${table}, jsonb_build_object(${fields}))).*`
const anId = `'id', gen_random_uuid()`
/** An id of another month, in which the unique indexes of row `one` do not apply. */
const earlierId = `'id', ('00000001' || substr(one.id::text, 9))::uuid`

export const completed = "status = 'completed'"
const approvedBy = "approval = 'approved', approval_user_id = gen_random_uuid(), approval_at = now()"
const active = "status = 'active'"
const isOpen = "state = 'submitted'"
const nobodys = "status = 'unallocated'"
const ofInstallation = "space_id = '00000000-0000-0000-0000-000000000000'"

/** Seals altered rows again, as if they had always had these values. */
const seal = (type: string, table: string) =>
  `update book_seals seal set terms = now.terms, outcome = now.outcome
   from ${table} object cross join lateral ${type}_seal(object) now
   where object.space_id = seal.space_id and object.environment = seal.environment and object.id = seal.object_id`

const chained = (row: string) => `select chain_books(space_id, environment, false) from ${row} limit 1`

const links = 'every payment link matches its sealed terms'
const codes = 'every payment code matches its sealed terms'
const payouts = 'every payout matches its sealed terms'
const batches = 'every payout batch matches its sealed terms'
const called = 'every instruction that a rail can'
const rules = 'every Space has the fee'
const bills = 'every manual payment that waited for allocation'
const gone = 'every sealed object exists'
const inLink = 'every link matches the lines, audit entries and seals'
const dayEntry = 'every closed or reopened day matches'
const itemEntry = 'every closed item matches its audit'
const statementEntry = 'every statement matches its audit'
const rows = 'every audit entry for an import'
const stated = 'every statement line belongs'
const waiting = 'every ledger line that awaits'

export const behindTheBack: [change: string, found: string][] = [
  // Payment links
  [
    set('payment_links', `line_items = '[{"name": "Ticket", "price": {"currency": "SLE", "value": 1}}]'`),
    links,
  ],
  [set('payment_links', 'financial_account_id = gen_random_uuid()', active), links],
  [set('payment_links', "success_url = 'https://thief.example'"), links],
  [set('payment_links', active, "status = 'inactive'"), links],
  [set('payment_links', active, "status = 'cancelled'"), links],
  [set('payment_links', "status = 'inactive'", active), links],
  [set('payment_links', 'max_payments = 1000'), links],
  [set('payment_links', 'line_items = null, minimum = 1'), links],
  [set('payment_links', "expires_at = now() + interval '1 year'"), links],
  [set('payment_links', `payment_options = '{"x": 1}'`), links],
  [set('payment_links', "address = '22222222'"), links],
  [
    invent('payment_link_addresses', `'address', '22222222'`),
    'every address in the directory belongs to its payment link',
  ],
  [remove('payment_links'), gone],
  [invent('payment_links', anId), links],
  [`${set('payment_links', "name = 'Other'", active)}; ${seal('payment_link', 'payment_links')}`, inLink],
  [
    `${set('payment_links', "name = 'Other'", active)};
     insert into book_seals (space_id, environment, object_id, object_type, number, terms, outcome)
     select seal.space_id, seal.environment, object_id, object_type, 1000000000, now.terms, now.outcome
     from book_seals seal join payment_links object on object.id = seal.object_id
     cross join lateral payment_link_seal(object) now`,
    gone,
  ],
  // A mark must match the sealed value.
  [
    `update payment_links set name = 'Other';
     insert into unchained (space_id, environment, object_id, terms)
     select space_id, environment, object.id, now.terms
     from payment_links object cross join lateral payment_link_seal(object) now;
     update payment_links set description = 'Another'; ${chained('payment_links')}`,
    links,
  ],
  [
    `update payment_links set name = 'Other';
     insert into unchained (space_id, environment, object_id) select space_id, environment, id from payment_links;
     ${chained('payment_links')}`,
    links,
  ],
  // Payment codes
  [set('payment_codes', 'amount = 1'), codes],
  [set('payment_codes', 'financial_account_id = gen_random_uuid()'), codes],
  [set('payment_codes', 'enabled = false'), codes],
  [set('payment_codes', "customer_name = 'Thief'"), codes],
  [set('payment_codes', "reference = 'other'"), codes],
  [set('payment_codes', "authorized_phone_number = '+23276999999', authorized_providers = null"), codes],
  [set('payment_codes', 'expected_total = 1', "mode = 'recurrent'"), codes],
  [set('payment_codes', "expires_at = expires_at + interval '1 year'"), codes],
  [set('payment_codes', `metadata = '{"order": "1"}'`), codes],
  [
    set(
      'payment_codes',
      'checkout_session_id = gen_random_uuid()',
      "status = 'pending' and mode = 'one_time'",
    ),
    'every payment code of a checkout session',
  ],
  [set('payment_codes', "status = 'processing'", "status = 'pending'"), 'every payment code counts'],
  [
    set(
      'payment_codes',
      `processed = (replace(processed::text, '"orderNumber":"', '"orderNumber":"9'))::json`,
      'processed is not null',
    ),
    'every payment code counts',
  ],
  [remove('payment_codes', "mode = 'one_time'"), gone],
  [
    invent('payment_codes', `${anId}, 'number', '0000000001'`),
    'every payment code can be found by its number',
  ],
  [`${set('payment_codes', 'amount = 1')}; ${seal('payment_code', 'payment_codes')}`, inLink],
  [invent('payment_code_numbers', `'number', '0000000001'`), 'every number in the directory'],
  [
    invent(
      'payment_code_attempts',
      `'payment_id', gen_random_uuid(), 'payment_code_id', (
      select id from payment_codes where status = 'pending' limit 1)`,
    ),
    'every payment code counts',
  ],
  [remove('payment_code_attempts'), 'every payment code counts'],
  [set('payment_code_attempts', 'amount = amount + 1'), 'every attempt to pay a code'],
  [set('payment_code_attempts', "phone_number = '+23276999999'"), 'every attempt to pay a code'],
  // Approvals
  [set('payouts', approvedBy, "status = 'processing' and approval is null"), payouts],
  [set('payouts', approvedBy, "approval = 'required'"), payouts],
  [set('payouts', 'approval_user_id = gen_random_uuid()', "approval = 'approved'"), payouts],
  [
    set(
      'payouts',
      'approval = null, approval_user_id = null, approval_at = null',
      "approval = 'approved' and status = 'processing'",
    ),
    payouts,
  ],
  [set('payouts', 'counts_unapproved = not counts_unapproved'), payouts],
  [
    `${set('payouts', approvedBy, "status = 'processing' and approval is null")}; ${seal('payout', 'payouts')}`,
    inLink,
  ],
  [
    `${set('payouts', "payee_account = '+23276999999'", "approval = 'required'")}; ${seal('payout', 'payouts')}`,
    inLink,
  ],
  [invent('payouts', `${anId}, 'rail_reference', gen_random_uuid()`, "status = 'processing'"), payouts],
  [set('refunds', approvedBy, "approval = 'required'"), 'every refund matches its sealed terms'],
  [set('refunds', 'counts_unapproved = not counts_unapproved'), 'every refund matches its sealed terms'],
  [
    set('refunds', "payer_account = '+23276999999'", "approval = 'required'"),
    'every refund matches its sealed terms',
  ],
  [set('payout_batches', "name = 'Other'"), batches],
  [set('payout_batches', 'created_by = gen_random_uuid()', "status = 'pending'"), batches],
  [set('payout_batches', 'financial_account_id = gen_random_uuid()', "status = 'pending'"), batches],
  [set('payout_batches', 'approval_user_id = gen_random_uuid()', "approval = 'rejected'"), batches],
  [
    set(
      'payout_batches',
      "status = 'pending', approval = 'required', approval_user_id = null, approval_at = null",
      "approval = 'rejected'",
    ),
    batches,
  ],
  [
    `update payout_batch_rows set payee_account = '+23276999999'
     where batch_id = (select id from payout_batches where status = 'pending')`,
    batches,
  ],
  [
    `update payout_batch_rows set amount = amount + case number when 1 then 1 else -1 end
     where batch_id = (select id from payout_batches where status = 'pending')`,
    batches,
  ],
  [set('payout_batch_rows', "name = 'Thief'"), batches],
  [
    invent(
      'payout_batch_rows',
      `'number', 9`,
      `batch_id = (select id from payout_batches where status = 'pending')`,
    ),
    batches,
  ],
  [
    `delete from payout_batch_rows where batch_id = (select id from payout_batches where status = 'pending');
     delete from payout_batches where status = 'pending'`,
    gone,
  ],
  // Fee, refund and approval rules
  [set('fee_rules', 'ppm = 0'), rules],
  [set('fee_rules', `minimums = '{"SLE": "1"}'`), rules],
  [remove('fee_rules'), rules],
  [invent('fee_rules', `'code', 'refund'`), rules],
  [
    `update fee_rules set ppm = 0; update book_seals set terms = digest_of(fee_rules_terms(space_id, environment))
     where object_type = 'fee_rules'`,
    inLink,
  ],
  [
    `update fee_rules set ppm = 0; select mark_rules(space_id, environment, 'fee_rules') from fee_rules;
     update fee_rules set ppm = 1; ${chained('fee_rules')}`,
    rules,
  ],
  [set('approval_limits', 'amount = 1000000000', "kind = 'payout'"), rules],
  [remove('approval_limits', "kind = 'payout'"), rules],
  [invent('approval_limits', `'currency', 'GHS'`, "kind = 'payout'"), rules],
  [set('approval_limits', 'amount = 1000000000', "kind = 'refund'"), rules],
  [set('approval_limits', "kind = 'refund', currency = 'GHS'", "kind = 'payout'"), rules],
  [remove('approval_limits', "kind = 'refund'"), rules],
  [set('refund_policies', 'returns_payment_fee = true'), rules],
  [remove('refund_policies'), rules],
  // Identifiers sent to rails
  [set('instructions', "provider_reference = 'of another'", isOpen), called],
  [set('instructions', "connection = 'other'", isOpen), called],
  [set('instructions', "bill_reference = '000000000000'", isOpen), called],
  [set('instructions', "return_url = 'https://thief.example'", isOpen), called],
  [set('instructions', "order_number = '000000000000'", isOpen), called],
  [set('instructions', "description = 'Other'", isOpen), called],
  [set('instructions', 'seal = null', isOpen), called],
  [set('instructions', "provider_reference = 'of another', seal = null", isOpen), called],
  [
    `update instructions one set provider_reference = 'x', seal = other.seal from instructions other
     where one.state = 'submitted' and other.state = 'submitted' and one.id <> other.id`,
    called,
  ],
  // URLs that payers are sent to
  [
    set('payments', "redirect_url = 'https://thief.example'", "status = 'processing'"),
    'every payment matches its sealed terms',
  ],
  [
    set('payments', `guidance = '{"dialString": "*1#"}'`, "status = 'processing'"),
    'every payment matches its sealed terms',
  ],
  [
    set('payments', 'financial_account_id = gen_random_uuid()', "status = 'processing'"),
    'every payment matches its sealed terms',
  ],
  [
    set('checkout_sessions', 'payment_id = gen_random_uuid()', completed),
    'a checkout session is completed if and only if',
  ],
  [
    set('payments', 'supersedes = gen_random_uuid()', "status = 'processing'"),
    'every payment matches its sealed terms',
  ],
  [
    set('checkout_sessions', 'financial_account_id = gen_random_uuid()', "status = 'pending'"),
    'every checkout session matches its sealed terms',
  ],
  // Manual payments
  [set('bill_payments', 'amount = amount + 1', nobodys), bills],
  [set('bill_payments', "payer_mask = '+25470***000'", nobodys), bills],
  [set('bill_payments', "account_reference = 'mine'", nobodys), bills],
  [
    set(
      'bill_payments',
      "status = 'closed', reason = null, closed_by = 'x', closed_at = now(), closing_reason = 'x'",
      nobodys,
    ),
    bills,
  ],
  [
    set(
      'bill_payments',
      "status = 'unallocated', reason = 'reference', closed_by = null, closed_at = null, closing_reason = null",
      "status = 'closed'",
    ),
    bills,
  ],
  [set('bill_payments', "closed_by = 'somebody'", "status = 'closed'"), bills],
  [remove('bill_payments', nobodys), gone],
  [remove('bill_payments', "status = 'closed'"), gone],
  [invent('bill_payments', `${anId}, 'transaction', 'RKL99'`, nobodys), bills],
  // Rows signed by finance
  [remove('closed_days', 'reopened_at is null'), rows],
  [remove('closed_days', 'reopened_at is not null'), rows],
  [invent('closed_days', `'id', 4711, 'day', '2020-01-01'`, 'reopened_at is null'), dayEntry],
  [
    set(
      'closed_days',
      "reopened_at = now(), reopened_by = 'x', reopening_reason = 'x'",
      'reopened_at is null',
    ),
    dayEntry,
  ],
  [set('closed_days', "closed_by = 'somebody'"), dayEntry],
  [set('closed_days', "reason = 'none'"), dayEntry],
  [set('closed_days', "closed_at = closed_at - interval '1 day'"), dayEntry],
  [set('closed_days', "reopened_by = 'somebody'", 'reopened_at is not null'), dayEntry],
  [set('closed_days', "reopening_reason = 'none'", 'reopened_at is not null'), dayEntry],
  [set('closed_days', `differences = '[]'`), dayEntry],
  [
    `${remove('closed_days', 'reopened_at is null')};
     delete from audit_entries where action = 'reconciliation.close_day'
       and not exists (select 1 from closed_days where counted_id(id) = object_id)`,
    inLink,
  ],
  [
    `delete from closed_days where reopened_at is null;
     update closed_days set reopened_at = null, reopened_by = null, reopening_reason = null`,
    rows,
  ],
  [remove('item_closings', 'line_id is not null'), rows],
  [remove('item_closings', 'seq is not null'), rows],
  [
    invent(
      'item_closings',
      `'id', 4711, 'line_id', '4711', 'seq', null, 'space_id', null, 'account_id', null`,
    ),
    itemEntry,
  ],
  [set('item_closings', "closed_by = 'somebody'"), itemEntry],
  [set('item_closings', "reason = 'none'", 'line_id is not null'), itemEntry],
  [set('item_closings', "state = 'amount_differs'"), itemEntry],
  [set('item_closings', "closed_at = closed_at - interval '1 day'"), itemEntry],
  [remove('statements'), rows],
  [invent('statements', `'id', 4711`), statementEntry],
  [set('statements', "imported_by = 'somebody'"), statementEntry],
  [set('statements', "from_at = from_at - interval '1 day'"), statementEntry],
  [set('statements', 'lines = lines + 1'), statementEntry],
  [set('statements', "file_name = 'other.csv'"), statementEntry],
  [set('statement_lines', "reference = 'other'"), statementEntry],
  [set('statement_lines', "rail_transaction = 'other'"), statementEntry],
  [remove('statement_lines'), statementEntry],
  [invent('statement_lines', `'id', '4711', 'line', 99`), statementEntry],
  [set('statement_lines', 'statement_id = 4711'), stated],
  [invent('statement_lines', `'id', '4711', 'moved_at', '2020-01-01T00:00:00Z'`), stated],
  [
    `update statement_lines set (space_id, account_id, seq) = (
       select space_id, account_id, seq from ledger_lines where is_financial limit 1)`,
    stated,
  ],
  [set('open_clearing_lines', 'amount = amount + 1'), waiting],
  [set('open_clearing_lines', "provider_id = 'm18'"), waiting],
  [set('open_clearing_lines', "booked_at = booked_at - interval '1 day'"), waiting],
  [invent('open_clearing_lines', `'seq', 4711`), waiting],
  [
    `update statement_lines set (space_id, account_id, seq) = (
       select space_id, account_id, seq from open_clearing_lines limit 1)`,
    waiting,
  ],
  // Audit entries, and the chain itself
  [set('audit_entries', "actor = 'somebody'", ofInstallation), inLink],
  [remove('audit_entries', ofInstallation), inLink],
  [
    `with entry as (
       insert into audit_entries
       select space_id, environment, gen_random_uuid(), at, actor, action, object_type, counted_id(4711), reason, details
       from audit_entries where action = 'reconciliation.close_day' limit 1
       returning space_id, environment, id
     )
     insert into unchained (space_id, environment, audit_id) select space_id, environment, id from entry;
     ${chained("audit_entries where action = 'reconciliation.close_day'")}`,
    rows,
  ],
  [remove('book_seals', "object_type = 'payment_link'"), inLink],
  [set('book_seals', 'terms = sha256(terms)'), inLink],
  [set('book_seals', 'number = 0'), gone],
  [invent('book_seals', `'object_id', gen_random_uuid()`), gone],
  [set('book_links', 'seals_digest = null', 'seals_digest is not null'), 'every link of the chain'],
  // The newest link may be missing, as if it had not been made yet; only the logged heads reveal it.
  [
    remove(
      'book_links',
      `exists (
        select 1 from book_links later
        where later.space_id = book_links.space_id and later.environment = book_links.environment
          and later.number > book_links.number)`,
    ),
    'every link of the chain',
  ],
  [remove('book_audits'), 'every audit entry is chained'],
  [set('book_ranges', 'digest = sha256(digest)'), 'every ledger line is unchanged since it was chained'],
  // Rows that move money
  [invent('ledger_lines', `${anId}, 'seq', 4711`), 'the lines of every reference sum to zero'],
  [
    set('ledger_accounts', 'posted = posted + 1', "purpose = 'main'"),
    'every balance equals the sum of its account’s lines',
  ],
  [
    invent(
      'ledger_cases',
      `${anId}, 'object_id', gen_random_uuid(), 'reference', 'x', 'closing_reference', 'y'`,
      'closing_reference is not null',
    ),
    'every case',
  ],
  [invent('ledger_holds', anId, 'captured + released < amount'), 'the held amount of every account'],
  [
    invent(
      'settlements',
      `${anId}, 'bank_reference', 'x', 'ledger_reference', 'x', 'reversal_reference', 'y'`,
    ),
    'every settlement',
  ],
  [invent('internal_transfers', anId, "status = 'pending'"), 'every scheduled or failed internal transfer'],
  [invent('recalls', anId, "status = 'open'"), 'the recalled amount of every payout'],
  [invent('orders', `${anId}, 'number', '000000000000'`), 'every order matches its sealed terms'],
  [invent('receipts', `'order_id', gen_random_uuid()`), 'every'],
  [invent('redemptions', `'order_id', gen_random_uuid()`), 'every redemption belongs to a receipt'],
  // The same key in two months
  [invent('ledger_lines', earlierId), 'no two lines of an account have the same number'],
  [invent('orders', earlierId), 'no two orders of a Space have the same number'],
  [invent('payments', earlierId), 'no two payments have the same rail reference'],
  [
    invent('payments', `${earlierId}, 'rail_reference', gen_random_uuid()`, completed),
    'every completed payment has one posting',
  ],
  [
    invent(
      'payments',
      `${earlierId}, 'rail_reference', gen_random_uuid()`,
      "status = 'processing' and origin_type = 'checkout_session'",
    ),
    'a session has at most one payment in progress',
  ],
  [set('redemptions', 'units[1] = units[1] + 1'), 'every completed payment has a receipt'],
  [set('financial_accounts', "currency = 'GHS'"), 'every ledger line is unchanged since it was chained'],
  [set('ussd_otps', "phone_number = '+23276999999'"), 'every USSD OTP matches its sealed terms'],
  [set('clearing_days', 'count = count + 1'), 'the daily totals of every clearing account'],
  [remove('clearing_tallies'), 'every daily total belongs'],
  [set('sequenced_facts', 'object_id = gen_random_uuid()'), 'every event is unchanged since it was chained'],
  [
    set('event_facts', "callback_state = 'x'", "types <> '{}'"),
    'every event is unchanged since it was chained',
  ],
  [set('event_counters', 'sequence = sequence + 1'), 'every Space counts its events correctly'],
  [
    set('idempotency_keys', "answer = answer || ' '", 'seal is not null'),
    'every stored response that refers to no event is unaltered',
  ],
]

/**
 * Changes that no check finds, by table. They are made together, because even their combination must not be
 * found.
 */
export const unseen: [change: string, table: string][] = [
  ['update api_requests set status = 500', 'api_requests'],
  ['delete from asked_phones where true', 'asked_phones'],
  ["update data_keys set created_at = now() - interval '1 day'", 'data_keys'],
  ['update encryption set rows_done = 7', 'encryption'],
  ["update wrapping_keys set source = 'file'", 'wrapping_keys'],
  [
    make(
      'backups',
      `'id', 1, 'started_at', now(), 'finished_at', now(), 'location', 'x', 'bytes', 1, 'verified_at', now()`,
    ),
    'backups',
  ],
  [
    "update bill_payments set account_reference = 'x' where status = 'allocated' and space_id is not null and id not in (select object_id from book_seals)",
    'bill_payments',
  ],
  [make('bill_pulls', `'environment', 'live', 'connection', 'x', 'pulled_until', now()`), 'bill_pulls'],
  [make('book_heads', `'space_id', gen_random_uuid(), 'environment', 'live', 'number', 1`), 'book_heads'],
  [make('brands', `'space_id', gen_random_uuid(), 'environment', 'live', 'name', 'x'`), 'brands'],
  ['update checkout_sessions set updated_at = now()', 'checkout_sessions'],
  ['update clearing_days set date = date - 1', 'clearing_days'],
  [
    make(
      'connection_floats',
      `'connection', 'x', 'side', 'rail', 'account', 'x', 'currency', 'SLE', 'amount', 1, 'read_at', now()`,
    ),
    'connection_floats',
  ],
  [
    make(
      'connection_pauses',
      `${anId}, 'environment', 'live', 'connection', 'x', 'direction', 'collect', 'words', 'x',
      'paused_by', 'x', 'paused_at', now()`,
    ),
    'connection_pauses',
  ],
  [
    make(
      'approval_limit_proposals',
      `'space_id', gen_random_uuid(), 'environment', 'live', 'kind', 'payout', 'currency', 'SLE', 'amount', 1,
      'proposed_by', gen_random_uuid(), 'proposed_at', now()`,
    ),
    'approval_limit_proposals',
  ],
  [
    make(
      'payment_link_places',
      `'space_id', gen_random_uuid(), 'environment', 'live', 'session_id', gen_random_uuid(),
      'payment_link_id', gen_random_uuid(), 'caller', 'x'`,
    ),
    'payment_link_places',
  ],
  [
    make(
      'open_breakers',
      `'environment', 'live', 'connection', 'x', 'provider_id', 'x', 'kind', 'collect', 'until', now()`,
    ),
    'open_breakers',
  ],
  [
    make(
      'connection_stats',
      `'environment', 'live', 'connection', 'x', 'provider_id', 'x', 'direction', 'collect',
      'begun_at', now(), 'succeeded', 1, 'failed', 1, 'calls', '[1]'::jsonb`,
    ),
    'connection_stats',
  ],
  ["update event_facts set xid = '1'", 'event_facts'],
  ['update event_partitions set began_at = began_at', 'event_partitions'],
  ["update financial_accounts set name = 'x'", 'financial_accounts'],
  ['delete from idempotency_keys where true', 'idempotency_keys'],
  ["update instructions set provider_reference = 'x' where state = 'succeeded'", 'instructions'],
  ['update instructions set created_at = now(), delayed_at = now() where true', 'instructions'],
  ["update instructions set asked_at = now(), answered_at = now(), answer = 'pending'", 'instructions'],
  ["update internal_transfers set description = 'x'", 'internal_transfers'],
  [
    make(
      'invitations',
      `${anId}, 'space_id', (select id from spaces limit 1), 'email', 'x', 'role', 'owner',
      'created_at', now(), 'expires_at', now(), 'mail_count', 1`,
    ),
    'invitations',
  ],
  ["delete from jobs where job = 'mail.send'", 'jobs'],
  ['update ledger_holds set updated_at = now()', 'ledger_holds'],
  [
    make(
      'legal_holds',
      `'space_id', gen_random_uuid(), 'environment', 'live', ${anId}, 'reason', 'x', 'placed_by', 'x', 'created_at', now()`,
    ),
    'legal_holds',
  ],
  [
    make(
      'personal_data_exports',
      `'space_id', gen_random_uuid(), 'environment', 'live', ${anId}, 'person_hash', 'x', 'person_mask', 'x', 'reason', 'x',
      'found', '[]'::jsonb, 'created_by', 'x', 'created_at', now(), 'expires_at', now()`,
    ),
    'personal_data_exports',
  ],
  [
    make(
      'personal_data_erasures',
      `'space_id', gen_random_uuid(), 'environment', 'live', ${anId}, 'status', 'cancelled', 'person_hash', 'x',
      'person_mask', 'x', 'reason', 'x', 'erasable', '[]'::jsonb, 'erased', '[]'::jsonb, 'kept', '[]'::jsonb,
      'created_by', 'x', 'created_at', now(), 'updated_at', now()`,
    ),
    'personal_data_erasures',
  ],
  [
    make(
      'retention_periods',
      `'space_id', gen_random_uuid(), 'environment', 'live', 'class', 'x', 'days', 1`,
    ),
    'retention_periods',
  ],
  [
    make(
      'retention_progress',
      `'space_id', gen_random_uuid(), 'environment', 'live', 'type', 'x', 'erased_to', 'x'`,
    ),
    'retention_progress',
  ],
  [
    make(
      'retention_exceptions',
      `'space_id', gen_random_uuid(), 'environment', 'live', 'type', 'x', 'key', 'x'`,
    ),
    'retention_exceptions',
  ],
  [make('logos', `'space_id', gen_random_uuid(), 'environment', 'live', ${anId}, 'image', ''`), 'logos'],
  ["update members set role = 'viewer'", 'members'],
  ['delete from nodes where true', 'nodes'],
  [
    make(
      'oidc_identities',
      `'issuer', 'x', 'subject', 'x', 'user_id', gen_random_uuid(), 'created_at', now(), 'used_at', now()`,
    ),
    'oidc_identities',
  ],
  [make('oidc_tries', `'hash', 'x', 'began_at', now()`), 'oidc_tries'],
  ["update open_clearing_lines set order_number = 'x'", 'open_clearing_lines'],
  [
    make(
      'passkeys',
      `${anId}, 'user_id', gen_random_uuid(), 'credential_id', 'x', 'public_key', '', 'counter', 1,
      'transports', '[]'::jsonb, 'name', 'x', 'is_synced', true, 'created_at', now()`,
    ),
    'passkeys',
  ],
  ['update payment_codes set failed_count = 9', 'payment_codes'],
  ['update payment_links set updated_at = now()', 'payment_links'],
  ["update payments set name = 'x', codes_submitted = 1", 'payments'],
  ['update payout_batches set updated_at = now()', 'payout_batches'],
  [`update payouts set metadata = '{"x": "x"}'`, 'payouts'],
  [
    make(
      'proofs',
      `'id', 4711, 'started_at', now(), 'ended_at', now(), 'is_ok', true, 'lines', 1, 'differences', 0,
      'checks', '[]'::jsonb`,
    ),
    'proofs',
  ],
  [
    make('receipt_settings', `'space_id', gen_random_uuid(), 'environment', 'live', 'is_sent_by_sms', true`),
    'receipt_settings',
  ],
  [`update receipts set metadata = '{"x": "x"}'`, 'receipts'],
  [make('recovery_codes', `'user_id', gen_random_uuid(), 'hash', 'x'`), 'recovery_codes'],
  ['update redemptions set at = now()', 'redemptions'],
  ["update refunds set note = 'x'", 'refunds'],
  [make('roles_by_group', `'user_id', gen_random_uuid(), 'id', 1`), 'roles_by_group'],
  [make('rate_limits', `'key', '\\\\x01', 'used_until', now()`), 'rate_limits'],
  ["update schema_migrations set checksum = 'x'", 'schema_migrations'],
  [
    make(
      'sessions',
      `${anId}, 'user_id', gen_random_uuid(), 'hash', 'x', 'method', 'link', 'address', 'x', 'agent', 'x',
      'created_at', now(), 'seen_at', now(), 'expires_at', now(), 'fresh_until', now()`,
    ),
    'sessions',
  ],
  [
    make(
      'sign_in_attempts',
      `${anId}, 'user_id', gen_random_uuid(), 'method', 'link', 'is_step_up', false,
      'result', 'succeeded', 'address', 'x', 'agent', 'x', 'at', now()`,
    ),
    'sign_in_attempts',
  ],
  [
    make(
      'mailed_codes',
      `${anId}, 'user_id', gen_random_uuid(), 'session_id', gen_random_uuid(), 'created_at', now(),
      'expires_at', now(), 'failure_count', 0`,
    ),
    'mailed_codes',
  ],
  [
    make(
      'sign_in_challenges',
      `'bound_to', 'x', 'purpose', 'sign_in', 'challenge', 'x', 'expires_at', now()`,
    ),
    'sign_in_challenges',
  ],
  [
    make(
      'sign_in_links',
      `${anId}, 'user_id', gen_random_uuid(), 'created_at', now(), 'expires_at', now(),
      'by_known_browser', false`,
    ),
    'sign_in_links',
  ],
  [
    make('sign_in_second_steps', `'hash', 'x', 'user_id', gen_random_uuid(), 'expires_at', now()`),
    'sign_in_second_steps',
  ],
  [
    make('simulator_bill_addresses', `'provider_id', 'x', 'validation_url', 'x', 'confirmation_url', 'x'`),
    'simulator_bill_addresses',
  ],
  [
    make('simulator_callbacks', `'id', 4711, 'url', 'x', 'body', 'x', 'method', 'POST', 'protocol', 'x'`),
    'simulator_callbacks',
  ],
  ['update simulator_collections set amount_minor = 1', 'simulator_collections'],
  ["update simulator_disbursements set payee = 'x'", 'simulator_disbursements'],
  [make('simulator_handsets', `'msisdn', 'x', 'mode', 'ask', 'set_at', now()`), 'simulator_handsets'],
  [
    make(
      'simulator_outcomes',
      `'id', 4711, 'provider_id', 'x', 'reference', gen_random_uuid(), 'due_at', now(),
      'status', 'SUCCESSFUL', 'callbacks', 1, 'kind', 'collection'`,
    ),
    'simulator_outcomes',
  ],
  ["update spaces set name = 'x'", 'spaces'],
  ['update statement_lines set space_id = null, account_id = null, seq = null', 'statement_lines'],
  [
    make('test_clocks', `'space_id', gen_random_uuid(), 'environment', 'test', 'offset_ms', 0`),
    'test_clocks',
  ],
  ["update tokens set scopes = '{*}'", 'tokens'],
  [
    make(
      'totp_secrets',
      `'user_id', gen_random_uuid(), 'secret', 'x', 'created_at', now(), 'failure_count', 0,
      'known_failure_count', 0`,
    ),
    'totp_secrets',
  ],
  ['update users set is_operator = true', 'users'],
  ['update ussd_otp_numbers set is_open = false', 'ussd_otp_numbers'],
  ["update ussd_phones set language = 'fr'", 'ussd_phones'],
  ['delete from ussd_sessions where true', 'ussd_sessions'],
  ["update webhook_deliveries set attempts = '[]'", 'webhook_deliveries'],
  [
    make(
      'webhook_hours',
      `'space_id', gen_random_uuid(), 'environment', 'test', 'webhook_id', gen_random_uuid(), 'hour_of_day', 7, 'hour', now(), 'delivered', 1, 'failed', 0`,
    ),
    'webhook_hours',
  ],
  ["update webhooks set url = 'https://thief.example'", 'webhooks'],
  // Positions of background work, which that work updates itself.
  ['update event_sequencer set position = position', 'event_sequencer'],
  ['delete from event_backlog where true', 'event_backlog'],
  ['delete from unchained where true', 'unchained'],
]
