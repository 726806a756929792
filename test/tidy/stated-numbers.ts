import type { StatedNumber } from './numbers.ts'

const retries =
  'test: is tried again after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h, each give or take a fifth'
const lasting = 'test: ten attempts over three days: what the waits between them come to'
const payoutDelay = 'limit: time until `payout.delayed`'
const fresh = 'limit: how long who signed in may do what needs a fresh sign-in'
const threeDigits = `src/simulator/engine/behaviour.ts: const digits = payer.slice(-3)`
const simulator = 'src/simulator/engine/behaviour.ts'

/** Every number with a unit in the guides, and where it comes from. A new one fails the test until it stands here. */
export const statedNumbers: StatedNumber[] = [
  // The client.
  { says: 'The whole client is under 10 KB packed', by: 'test: all of it is under 10 KB packed' },
  // Payments.
  { says: '`orderNumber` (12 digits', by: 'src/payments/orders.ts: /** 12 random digits. */' },
  { says: 'its 12 digits', by: 'src/payments/orders.ts: /** 12 random digits. */' },
  { says: '12 digits, for a statement', by: 'src/payments/orders.ts: /** 12 random digits. */' },
  {
    says: 'its first view is under 12 KB',
    by: 'test: a page with its styles fits one flight of under 12 KB, compressed, on phones and desktops',
  },
  { says: 'try again, 20 times at most', by: 'limit: attempts to pay one session, one at a time' },
  { says: 'try again: 20 times at most', by: 'limit: attempts to pay one session, one at a time' },
  {
    says: 'The first request is still running after 10 s',
    by: 'limit: time that a statement waits for a lock',
  },
  {
    says: 'nothing for 40 s',
    by: 'limit: time until an export is cut whose client takes nothing more of it',
  },
  { says: 'Keys are kept for 7 days', by: 'setting: IDEMPOTENCY_RETENTION' },
  { says: '100 requests a second per Space', by: 'setting: SPACE_LIMIT_TEST' },
  { says: 'so many prompts at once and within ten minutes', by: 'setting: PROMPTS_WINDOW' },
  {
    says: '`name` | 3 to 64 characters; what the payer reads',
    by: 'src/payment-codes/shapes.ts: nameText(3, 64',
  },
  {
    says: 'its ten digits',
    by: 'src/payment-codes/new-code.ts: /** 10 random digits that no code ever had. */',
  },
  {
    says: "the code's ten digits as account number",
    by: 'src/payment-codes/new-code.ts: /** 10 random digits that no code ever had. */',
  },
  {
    says: "a code's own 10 digits",
    by: 'src/payment-codes/new-code.ts: /** 10 random digits that no code ever had. */',
  },
  {
    says: '[payment codes](payment-codes.md), ten digits',
    by: 'src/payment-codes/new-code.ts: /** 10 random digits that no code ever had. */',
  },
  // Payouts and refunds.
  { says: '`accountNumber`, 6 to 20 digits and letters', by: 'limit: a bank account' },
  { says: '6 to 20 digits and letters for a bank account', by: 'limit: a bank account' },
  {
    says: '`walletId`, 3 to 64 characters',
    by: 'src/providers/account.ts: accountText(typed.trim(), /^[\\x21-\\x7e]{3,64}$/)',
  },
  {
    says: '3 to 64 characters for a wallet id',
    by: 'src/providers/account.ts: accountText(typed.trim(), /^[\\x21-\\x7e]{3,64}$/)',
  },
  { says: 'after ten minutes you get one `payout.delayed`', by: payoutDelay },
  { says: 'After ten minutes the merchant gets `payout.delayed`', by: payoutDelay },
  { says: 'after ten minutes one `payout.delayed`', by: payoutDelay },
  { says: 'has not been known for ten minutes', by: 'limit: time until `refund.delayed`' },
  {
    says: 'one or two digits may follow a comma',
    by: "src/payout-batches/csv.test.ts: delimiter === ';' && /\\.\\d{1,2}$/.test(text)",
  },
  {
    says: 'paid to this payee within 7 days',
    by: 'limit: how long ago a payout is a recent one to a batch that repeats it',
  },
  {
    says: 'that one payee can get, in 24 hours',
    by: 'limit: how long payouts of a user, and to a payee, count towards approval',
  },
  {
    says: 'A payment can be refunded up to 20 times',
    by: 'limit: refunds of a payment that have not failed or been cancelled',
  },
  {
    says: '20 refunds of this payment',
    by: 'limit: refunds of a payment that have not failed or been cancelled',
  },
  {
    says: 'as soon as there is money, and fails after 30 days',
    by: 'limit: how long a refund waits for money',
  },
  { says: 'or waits for 30 days where its Space says so', by: 'limit: how long a refund waits for money' },
  { says: 'completed more than 180 days ago', by: 'setting: REFUND_WINDOW' },
  { says: 'at most 366 days ahead', by: 'limit: how far ahead a transfer is planned' },
  // Rails.
  {
    says: 'queried again: after 5 s',
    by: 'limit: time from a submit to its first query; it doubles from one query to the next',
  },
  {
    says: 'asked again after 5 s',
    by: 'limit: time from a submit to its first query; it doubles from one query to the next',
  },
  { says: '10 s, 20 s, … at most an hour apart', by: 'derived: 5 s, doubled each time' },
  {
    says: 'gets no such calls for 10 s',
    by: 'limit: how long a rail that gives no clear responses is left alone, doubling each time',
  },
  {
    says: 'none for twice as long, up to five minutes',
    by: 'limit: how long a rail that gives no clear responses is left alone, doubling each time',
  },
  {
    says: 'as of the last five seconds',
    by: 'limit: time until the operator’s list shows that a node leaves a connection alone',
  },
  {
    says: 'the nodes and up to five seconds late',
    by: 'limit: time until the operator’s list shows what a node counted of a connection',
  },
  { says: 'Words have at most 200 characters', by: 'limit: what payers read of a pause' },
  { says: '`currency`, read every five minutes', by: 'limit: how often a node asks rails for our balances' },
  {
    says: 'signed report is replayed** | After five minutes',
    by: 'limit: how far the time of a signed report may be from ours',
  },
  {
    says: 'at most five minutes from the time by',
    by: 'limit: how far the time of a signed report may be from ours',
  },
  {
    says: '`timeoutMs` (10 s by default)',
    by: 'limit: time for a message to a rail, unless its connection says otherwise',
  },
  { says: 'is at most 64 KiB, and is no redirect', by: 'limit: the body of a response from outside' },
  {
    says: 'and at most 2 000 characters. A rail that sends payers',
    by: 'limit: the address of a rail’s page',
  },
  { says: 'each of at most 500 characters', by: 'limit: a rail’s text for the payer' },
  { says: 'a short code of 2 to 6 digits', by: 'src/providers/guidance.ts: /^\\*([0-9]{2,6})' },
  { says: '`*144*4#`, at most 64 characters', by: 'limit: what a rail’s text has the payer dial' },
  {
    says: 'was never received. Believed 60 s after the request',
    by: 'limit: time until a rail’s "never heard of it" is believed',
  },
  {
    says: 'At most 100 characters of the name are shown',
    by: 'limit: how much is shown of an account holder’s name',
  },
  { says: 'at most 32 KiB and 512 × 512 pixels', by: 'limit: a provider’s logo' },
  { says: 'A body is JSON of at most 16 KiB', by: 'limit: the body of what is no call of the API' },
  {
    says: '`pin` | optional, 4 to 8 digits',
    by: "src/providers/protocols/airtel-money/settings.ts: pattern: '^[0-9]{4,8}$'",
  },
  {
    says: 'is believed after three minutes',
    by: 'src/providers/protocols/airtel-money/connector.ts: const liveMissingAfterMs = 180_000',
  },
  {
    says: 'after 24 hours `pesewa payments resolve`',
    by: 'limit: time until a payment, payout or refund can be resolved by hand',
  },
  {
    says: 'transactions of the last 47 hours',
    by: 'limit: how far back M-Pesa lists transactions: 48 hours, less one for clocks',
  },
  {
    says: 'are read every five minutes, and notices',
    by: 'limit: how often a list of payments by hand is read',
  },
  {
    says: 'A token may take 30 s, whatever',
    by: 'src/providers/protocols/mtn-momo/protocol.ts: const defaultTokenTimeoutMs = 30_000',
  },
  {
    says: 'never received something only after 15 minutes',
    by: 'src/providers/protocols/pawapay/connector.ts: const defaultMissingAfterMs = 15 * 60_000',
  },
  {
    says: 'of the dashboard, at most 2 000 characters',
    by: 'src/providers/protocols/pawapay/settings.ts: ]{1,2000}$',
  },
  {
    says: "of the provider's wallet, of at most 31 days",
    by: 'limit: days of a statement that pawaPay makes',
  },
  { says: 'Its password is good for 90 days', by: "not ours: Safaricom's rule" },
  { says: "The operator's password, every 90 days", by: "not ours: Safaricom's rule" },
  { says: 'of the last 48 hours only', by: 'not ours: what M-Pesa lists' },
  {
    says: 'by queries after 5, 15, 35 s',
    by: "src/instructions/query-times.test.ts: ['unknown', 35, 75], in seconds",
  },
  {
    says: 'A token may take 20 s there',
    by: "src/providers/protocols/mtn-momo/protocol.ts: /** A new token takes MTN's newer platform 10 to 20 s. */",
  },
  {
    says: "a node's first 20 seconds may not leave",
    by: "src/providers/protocols/mtn-momo/protocol.ts: /** A new token takes MTN's newer platform 10 to 20 s. */",
  },
  { says: 'without one it fails after 15 minutes', by: "not ours: pawaPay's rule" },
  { says: 'keep a prompt open for ten minutes', by: 'not ours: what pawaPay says of some networks' },
  {
    says: 'is complete some twenty minutes after its end',
    by: 'not ours: what pawaPay says of its statements',
  },
  { says: 'what is paid for, at most 150 characters', by: 'src/checkout/shapes.ts: nameText(1, 150' },
  // Statements and reports.
  { says: 'at most 4 MiB; matched at once', by: 'limit: the body of a statement over the API' },
  { says: 'at most 5 000 000 lines of', by: 'limit: lines of a statement' },
  { says: 'lines of 64 KiB. Cells are data', by: 'limit: a line of a statement' },
  {
    says: 'with them up to a million lines',
    by: 'limit: lines between the ends of a statement that is read as JSON',
  },
  { says: 'by `Accept-Language`; up to 2 000 lines', by: 'limit: lines of a statement as PDF' },
  { says: 'a range of 366 days at most', by: 'limit: days of a report' },
  {
    says: 'what the payments of 30 days would have cost',
    by: "src/installation/fee-routes.ts: summary: 'Compute what the payments of the last 30 days",
  },
  { says: 'each fee as two lines of its own', by: 'no promise: how double entry books anything' },
  { says: 'On two busy cores a million lines', by: 'measured: by hand, when statements were made' },
  { says: 'with about 300 MB of memory', by: 'measured: by hand, when statements were made' },
  {
    says: 'Ten million lines take about four minutes of one core',
    by: 'measured: the guide to the benchmark',
  },
  { says: 'both are RFC 3339 times', by: 'no promise: the number of a standard' },
  // Webhooks.
  { says: 'webhooks.md), retried for three days', by: lasting },
  { says: 'tried again after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', by: retries },
  { says: 'fails 20 times in a row', by: 'src/events/webhooks/lane.ts: const failuresToPause = 20' },
  { says: 'at least 5 s and', by: 'limit: the shortest pause of a webhook that keeps failing' },
  { says: 'at most 5 m, give or take', by: 'limit: the longest pause of a webhook that keeps failing' },
  { says: 'none of their ten attempts', by: lasting },
  { says: 'Return any 2xx within 15 s', by: 'limit: time for one attempt to deliver' },
  { says: 'so do five days without a success', by: 'limit: how long an endpoint fails until it is disabled' },
  { says: 'After five days without a success', by: 'limit: how long an endpoint fails until it is disabled' },
  {
    says: 'was altered, or is older than five minutes',
    by: 'sdk/src/webhooks.ts: const toleranceSeconds = 300',
  },
  {
    says: 'in constant time, and not older than five minutes',
    by: 'sdk/src/webhooks.ts: const toleranceSeconds = 300',
  },
  {
    says: 'For 24 h both sign',
    by: 'src/events/webhooks/webhooks.ts: const oldSecretSignsMs = 24 * 60 * 60 * 1000',
  },
  { says: '32 bytes in base64 after `whpk_`', by: 'no promise: the size of every ed25519 key' },
  { says: 'does not arrive within 30 s', by: 'limit: `pesewa trigger`: time to wait for an event' },
  // Phones.
  { says: 'it in time (30 s to 1 h', by: 'limit: the life of an OTP' },
  { says: '5 m by default), and `expired`', by: 'limit: the life of an OTP when nothing is said' },
  { says: 'Five wrong dials from one phone within ten minutes', by: 'setting: USSD_WRONG_DIALS_WINDOW' },
  { says: 'lock it out for ten minutes', by: 'setting: USSD_LOCK_OUT' },
  { says: 'fits into 182 characters', by: 'limit: a message to a handset' },
  { says: 'After 1.8 s the phone is shown', by: 'limit: time until a phone gets a response' },
  { says: 'Each step gets a response within 2 s', by: 'derived: 1.8 s, and the way' },
  // People.
  { says: 'it works once, within 24 hours', by: 'limit: a link to sign in that a command printed' },
  {
    says: 'signs them in, once within 7 days',
    by: 'limit: how long an invitation can be accepted, from its last mail',
  },
  {
    says: 'It works once, for 7 days',
    by: 'limit: how long an invitation can be accepted, from its last mail',
  },
  { says: 'A session ends after 7 days', by: 'limit: a session of the console, from signing in' },
  { says: 'after 12 hours without use', by: 'limit: a session of the console that nobody uses' },
  {
    says: 'A session lasts 12 hours at most',
    by: 'limit: a session of who signed in at an identity provider',
  },
  { says: 'in place of 7 days', by: 'limit: a session of the console, from signing in' },
  { says: 'need a sign-in of the last ten minutes', by: fresh },
  { says: 'needs one at the provider of the last ten minutes', by: fresh },
  {
    says: 'today and on the 30 days before',
    by: 'src/overview/routes.ts: call.query.days ?? 30, in days',
  },
  {
    says: 'as it was received in the last seven days',
    by: 'limit: days that a request is in the request log',
  },
  { says: 'says what it did in the last seven days', by: 'limit: days that a request is in the request log' },
  {
    says: 'It works for 90 days unless',
    by: "src/cli/operator/token-commands.ts: const defaultTokenLife = lifeArgument('90d')",
  },
  {
    says: 'gets a mail, 14 and 3 days before',
    by: 'test: who has a token that expires is mailed 14 and 3 days before, once each, with the owners of its Space',
  },
  {
    says: 'was mailed 14 and 3 days before it expired',
    by: 'test: who has a token that expires is mailed 14 and 3 days before, once each, with the owners of its Space',
  },
  // Operating.
  { says: 'has not finished after 25 s', by: 'limit: time for a node to shut down' },
  { says: 'the others wait up to 30 s', by: 'src/platform/db/migrate.ts: const lockTimeoutMs = 30_000' },
  { says: 'the database responds within 2 s', by: 'src/root.ts: const readyTimeoutMs = 2_000' },
  { says: 'were not proved for 25 hours', by: 'no promise: a day, and an hour for the proof: when to alert' },
  { says: 'is older than 26 hours', by: 'no promise: a day, and two hours for the backup: when to alert' },
  {
    says: 'under 250 MB on disk',
    by: 'test: with its own Node and PostgreSQL it takes less than 250 MB on the disk',
  },
  { says: 'takes about 60 MB', by: 'measured: npm run release prints it' },
  { says: 'makes an image under 200 MB', by: 'measured: npm run image, which fails where it has more' },
  {
    says: '`DATA_DIR/postgres.log`, at most 8 MiB',
    by: 'src/platform/db/embedded/log.ts: const limitBytes = 8 * 1024 * 1024',
  },
  {
    says: 'under 250 MB on disk',
    by: 'test: with its own Node and PostgreSQL it takes less than 250 MB on the disk',
  },
  { says: 'takes about 60 MB', by: 'measured: by npm run release' },
  {
    says: 'an image under 200 MB',
    by: 'test: it has less than 200 MB, says what it is, and is of a user that is not root',
  },
  { says: 'at most 32 KiB and 512', by: 'limit: a provider’s logo' },
  // The client.
  // The simulator.
  { says: 'after 300 ms', by: `${simulator}: answerMs: 300,` },
  { says: '`EXPIRED` after 60 s', by: `${simulator}: promptLifeMs: 60_000,` },
  { says: 'after 60 s the prompt is gone', by: `${simulator}: promptLifeMs: 60_000,` },
  { says: 'approves, and reports it after 30 s', by: `${simulator}: slowMs: 30_000,` },
  { says: '`processing` for 30 s', by: `${simulator}: slowMs: 30_000,` },
  { says: 'pays, and reports it after 30 s', by: `${simulator}: slowMs: 30_000,` },
  { says: 'calls back three times', by: `${simulator}: '005': ({ answerMs }) => [success(answerMs, 3)],` },
  { says: 'succeeds 5 s later', by: `${simulator}: secondThoughtsMs: 5_000,` },
  { says: 'after about 5 s, by our query', by: 'test: the first query is due 5 s after the submit' },
  {
    says: '`unknown`, after about 75 s',
    by: "src/instructions/query-times.test.ts: ['unknown', 35, 75], in seconds",
  },
  {
    says: 'on its way, 60 s after its response',
    by: 'limit: time until a rail’s "never heard of it" is believed',
  },
  { says: 'takes up to 27 s of real time', by: 'derived: the fence and the longest call, decision 84' },
  { says: 'it expires after 15 minutes', by: 'limit: how long a simulated rail’s page waits for its payer' },
  { says: 'any six digits but', by: 'test: with 3-D Secure pays after any six digits but 000000' },
  { says: 'last three digits', by: threeDigits },
  {
    says: 'exactly three digits',
    by: 'src/simulator/engine/behaviour.ts: planForPayee(/^[0-9]{3}$/.test(message)',
  },
  { says: 'any 4 or 5 digits', by: 'src/simulator/handsets/page.eta: <small>any 4 or 5 digits</small>' },
  { says: 'may post 10 times a second', by: 'setting: PAGE_LIMIT' },
  { says: 'moved ahead by up to 30 days', by: 'limit: how far a test clock is moved at once' },
  {
    says: 'that ends in 005 is reported three times',
    by: "src/simulator/daraja/bills.ts: { '005': 3, '006': 0 }",
  },
  // More than a guide or two.
  { says: 'tried ten times over three days', by: lasting },
  { says: 'give or take a fifth: for three days', by: lasting },
  { says: 'ten times over three days', by: lasting },
  { says: 'comes three times', by: 'test: …005 completes once despite three callbacks' },
  { says: 'two attempts to pay at once', by: 'no promise: as many as it takes' },
  { says: 'A payment in five minutes', by: 'no promise: how long it takes to read' },
  { says: 'Your own adapter in ten minutes', by: 'no promise: how long it takes to write' },
]
