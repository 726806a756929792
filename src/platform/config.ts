import { parseDuration } from './duration.ts'
import {
  durationAtLeast,
  networks,
  oneOf,
  optional,
  postgresUrl,
  secret,
  sender,
  shortCode,
  smtpServer,
  text,
  url,
  whole,
} from './setting-values.ts'

/** What is wrong with the settings: every fault at once. */
export class ConfigError extends Error {}

type Definition<T> = { name: string; about: string; example: string; parse: (text: string | undefined) => T }

const setting = <T>(name: string, example: string, about: string, parse: (text: string | undefined) => T) =>
  ({ name, example, about, parse }) satisfies Definition<T>

/** Every setting: its name, its default, what it is for. `config.example.env` and the reference come from here. */
export const definitions = {
  host: setting('HOST', '127.0.0.1', 'The address to listen on.', text('127.0.0.1')),
  port: setting(
    'PORT',
    '8080',
    'The port of the API and the pages; 0 takes any free one.',
    whole(8080, 0, 65535),
  ),
  baseUrl: setting(
    'BASE_URL',
    'http://127.0.0.1:8080',
    'Where payers, merchants and providers reach this service. Default: HOST and PORT.',
    url,
  ),
  dataDir: setting(
    'DATA_DIR',
    './data',
    'Where the embedded database and the generated secret stand.',
    text('./data'),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'postgresql://pesewa:secret@localhost/pesewa',
    'A PostgreSQL (15 to 18) of your own. Default: the embedded one in DATA_DIR.',
    postgresUrl,
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '20',
    'Connections to PostgreSQL that one node opens at most.',
    whole(20, 4, 500),
  ),
  secretKey: setting(
    'SECRET_KEY',
    'at least 32 random characters',
    'Signs cursors, page links and provider callbacks. All nodes need the same. Default: generated in DATA_DIR.',
    secret,
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '9464',
    'The port of the Prometheus metrics, on METRICS_HOST; 0 turns them off.',
    whole(9464, 0, 65535),
  ),
  metricsHost: setting(
    'METRICS_HOST',
    '127.0.0.1',
    'The address that the metrics listen on. They tell how much is traded with whom: keep them inside.',
    text('127.0.0.1'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'warn',
    'How much is logged, as JSON lines on standard error: fatal, error, warn, info, debug.',
    oneOf('warn', 'fatal', 'error', 'warn', 'info', 'debug'),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '10.0.0.0/8',
    'Networks whose X-Forwarded-For is believed, separated by commas. Default: none.',
    networks,
  ),
  webhookAllowedNetworks: setting(
    'WEBHOOK_ALLOWED_NETWORKS',
    '10.1.2.0/24',
    'Networks beside the public internet that webhooks may reach, separated by commas. Default: none; in the test environment also the loopback of this machine when the database is the embedded one.',
    networks,
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    'on',
    'on or off. Off is for benchmarks only and warns at start.',
    oneOf('on', 'on', 'off'),
  ),
  spaceLimitTest: setting(
    'SPACE_LIMIT_TEST',
    '100',
    'Requests a second of one Space, test.',
    whole(100, 1, 1e6),
  ),
  spaceLimitLive: setting(
    'SPACE_LIMIT_LIVE',
    '500',
    'Requests a second of one Space, live.',
    whole(500, 1, 1e6),
  ),
  tokenLimitTest: setting(
    'TOKEN_LIMIT_TEST',
    '20',
    'Requests a second of one token, test.',
    whole(20, 1, 1e6),
  ),
  tokenLimitLive: setting(
    'TOKEN_LIMIT_LIVE',
    '80',
    'Requests a second of one token, live.',
    whole(80, 1, 1e6),
  ),
  endpointLimitTest: setting(
    'ENDPOINT_LIMIT_TEST',
    '5',
    'Requests a second of one token to one endpoint, test.',
    whole(5, 1, 1e6),
  ),
  endpointLimitLive: setting(
    'ENDPOINT_LIMIT_LIVE',
    '20',
    'Requests a second of one token to one endpoint, live.',
    whole(20, 1, 1e6),
  ),
  failedAuthenticationLimit: setting(
    'FAILED_AUTHENTICATION_LIMIT',
    '20',
    'Failed authentications a second of one address before tokens that were not good here before get 429.',
    whole(20, 1, 1e6),
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    '1000',
    'Connections that one address may have open to a node at once; TRUSTED_PROXIES may have any number.',
    whole(1000, 1, 1e6),
  ),
  callbackLimit: setting(
    'CALLBACK_LIMIT',
    '500',
    'Callbacks of providers that one address may make in a second.',
    whole(500, 1, 1e6),
  ),
  pageLimit: setting(
    'PAGE_LIMIT',
    '10',
    'Payment attempts a second that one address may make on the payment pages, and receipts as PDF.',
    whole(10, 1, 1e6),
  ),
  promptsAtOnceTest: setting(
    'PROMPTS_AT_ONCE_TEST',
    '24',
    'Payments that one phone is asked for at the same time, over all Spaces, test; one Space may use three quarters.',
    whole(24, 1, 1000),
  ),
  promptsAtOnceLive: setting(
    'PROMPTS_AT_ONCE_LIVE',
    '4',
    'Payments that one phone is asked for at the same time, over all Spaces, live; one Space may use three quarters.',
    whole(4, 1, 1000),
  ),
  promptsTest: setting(
    'PROMPTS_TEST',
    '6000',
    'Payments that one phone is asked for within PROMPTS_WINDOW, over all Spaces, test; one Space may use three quarters.',
    whole(6000, 1, 1e6),
  ),
  promptsLive: setting(
    'PROMPTS_LIVE',
    '12',
    'Payments that one phone is asked for within PROMPTS_WINDOW, over all Spaces, live; one Space may use three quarters.',
    whole(12, 1, 1e6),
  ),
  promptsWindowMs: setting(
    'PROMPTS_WINDOW',
    '10m',
    'The time that PROMPTS_TEST and PROMPTS_LIVE are for.',
    durationAtLeast('10m', '1s'),
  ),
  kycLimit: setting(
    'KYC_LIMIT',
    '600',
    'Look-ups of account holders that one Space may make in an hour, in each environment.',
    whole(600, 1, 1e6),
  ),
  kycTokenLimit: setting(
    'KYC_TOKEN_LIMIT',
    '300',
    'Look-ups of account holders that one token may make in an hour.',
    whole(300, 1, 1e6),
  ),
  kycMissingLimit: setting(
    'KYC_MISSING_LIMIT',
    '20',
    'Accounts that do not exist which one Space may look up within ten minutes before it has to wait.',
    whole(20, 1, 1e6),
  ),
  ussdSecret: setting(
    'USSD_SECRET',
    'at least 32 random characters',
    'The last part of the address at which your USSD aggregator reaches live: /ussd/africastalking/<secret>. Default: no such address.',
    secret,
  ),
  ussdNetworks: setting(
    'USSD_NETWORKS',
    '203.0.113.0/24',
    'Networks from which /ussd/africastalking serves live without a secret, separated by commas. Default: none.',
    networks,
  ),
  ussdWrongOtps: setting(
    'USSD_WRONG_OTPS',
    '5',
    'Wrong one-time passwords that one phone may dial within USSD_WRONG_DIALS_WINDOW before it is locked out.',
    whole(5, 1, 100),
  ),
  ussdWrongCodes: setting(
    'USSD_WRONG_CODES',
    '20',
    'Wrong payment codes that one phone may dial within USSD_WRONG_DIALS_WINDOW before it is locked out.',
    whole(20, 1, 1000),
  ),
  ussdWrongDialsWindowMs: setting(
    'USSD_WRONG_DIALS_WINDOW',
    '10m',
    'For how long a wrong dial counts.',
    durationAtLeast('10m', '1s'),
  ),
  ussdLockOutMs: setting(
    'USSD_LOCK_OUT',
    '10m',
    'How long a phone that dialled too many wrong codes is locked out.',
    durationAtLeast('10m', '1s'),
  ),
  idempotencyRetentionMs: setting(
    'IDEMPOTENCY_RETENTION',
    '7d',
    'How long an Idempotency-Key is remembered; at least 24h.',
    durationAtLeast('7d', '24h'),
  ),
  eventRetentionMs: setting(
    'EVENT_RETENTION',
    '30d',
    'How long events and their deliveries are kept; at least 8d, and a day longer than IDEMPOTENCY_RETENTION.',
    durationAtLeast('30d', '8d'),
  ),
  jobConcurrency: setting(
    'JOB_CONCURRENCY',
    '10',
    'Background jobs that one node runs at once.',
    whole(10, 1, 200),
  ),
  providersFile: setting(
    'PROVIDERS_FILE',
    './providers.json',
    'Your additions to the provider catalogue and your live connections; see docs/guides/providers.md.',
    optional,
  ),
  ussdShortCode: setting(
    'USSD_SHORT_CODE',
    '715',
    'What payers dial before the digits of a payment code: 715, or groups like 384*715.',
    shortCode('715'),
  ),
  smtpUrl: setting(
    'SMTP_URL',
    'smtps://user:password@mail.example',
    'The server that takes mail; with smtp:// TLS is taken up when it offers that. Default: mail is written to the log.',
    smtpServer,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'Pesewa <no-reply@localhost>',
    'Whom mail comes from.',
    sender('Pesewa <no-reply@localhost>'),
  ),
  simulator: setting(
    'SIMULATOR',
    'on',
    'on or off: whether this node plays the providers of the test environment, and their handsets, for everybody who reaches /simulator. Default: on for start, off for serve and work.',
    oneOf<'on' | 'off' | undefined>(undefined, 'on', 'off'),
  ),
  simulatorUrl: setting(
    'SIMULATOR_URL',
    'http://127.0.0.1:8080/simulator',
    'Where the test environment finds the provider simulator. Default: this node, where SIMULATOR is on.',
    url,
  ),
} as const

type Definitions = typeof definitions
export type Settings = { -readonly [K in keyof Definitions]: ReturnType<Definitions[K]['parse']> }

/** Reads the settings once. An empty variable counts as absent. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const entries = Object.entries(definitions).map(([key, definition]) => {
    const given = environment[definition.name]?.trim() || undefined
    try {
      return [key, (definition.parse as (text: string | undefined) => unknown)(given)]
    } catch (error) {
      faults.push(`${definition.name} ${(error as Error).message}`)
      return [key, undefined]
    }
  })
  const settings = Object.fromEntries(entries) as Settings
  if (settings.eventRetentionMs < settings.idempotencyRetentionMs + parseDuration('1d')!)
    faults.push(
      'EVENT_RETENTION must be at least a day longer than IDEMPOTENCY_RETENTION: events hold what was answered',
    )
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return settings
}
