import { messageOf } from '@pesewa/values'
import {
  durationAtLeast,
  headers,
  isThisMachine,
  networks,
  oneOf,
  optional,
  postgresUrl,
  processes,
  ratio,
  redisUrls,
  secret,
  sender,
  smtpServer,
  text,
  url,
  whole,
} from './setting-values.ts'

/** Thrown if settings are invalid. The error lists every issue. */
export class ConfigError extends Error {}

type Definition<T> = { name: string; about: string; example: string; parse: (text: string | undefined) => T }

/** The definitions of settings, by the names used in code. */
export type Definitions = Record<string, Definition<unknown>>
export type SettingsOf<D extends Definitions> = { -readonly [K in keyof D]: ReturnType<D[K]['parse']> }

/**
 * Defines a setting by its environment variable, an example value (its default, if it has one), and its
 * purpose.
 */
export const setting = <T>(
  name: string,
  example: string,
  about: string,
  parse: (text: string | undefined) => T,
) => ({ name, example, about, parse }) satisfies Definition<T>

const perSecond = (name: string, standard: string, of: string) =>
  setting(name, standard, `Requests per second for ${of}.`, whole(Number(standard), 1, 1e6))

export const settings = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', text('127.0.0.1')),
  port: setting(
    'PORT',
    '8080',
    'Port of the API and the pages; 0 uses any free port.',
    whole(8080, 0, 65535),
  ),
  baseUrl: setting(
    'BASE_URL',
    'http://localhost:8080',
    'URL at which payers, merchants and providers reach this service. Default: derived from HOST and PORT.',
    url,
  ),
  dataDir: setting(
    'DATA_DIR',
    './data',
    'Folder of the embedded database and the generated secret.',
    text('./data'),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'postgresql://pesewa:secret@localhost/pesewa',
    'URL of your own PostgreSQL server (15 to 18). Can list several hosts, as in postgresql://pesewa:secret@db1:5432,db2:5432/pesewa: then the primary is used. Default: the embedded server in DATA_DIR.',
    postgresUrl,
  ),
  databaseSessionUrl: setting(
    'DATABASE_SESSION_URL',
    'postgresql://pesewa:secret@localhost/pesewa',
    'Only if DATABASE_URL points to a transaction pooler: URL of the same database without the pooler, for locks and notifications.',
    postgresUrl,
  ),
  databaseReadUrl: setting(
    'DATABASE_READ_URL',
    'postgresql://pesewa:secret@replica/pesewa',
    'URL of standbys of DATABASE_URL, directly. Can list several hosts. They answer lists, exports, reports and `pesewa verify`, as soon as they have everything that was committed before. Default: the primary answers.',
    postgresUrl,
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '20',
    "PostgreSQL connections in a node's pool. Each node opens two more outside the pool.",
    whole(20, 4, 500),
  ),
  processes: setting(
    'PROCESSES',
    'auto',
    'Processes that share the work on one port: 1 to 64, or auto, which depends on the number of cores. Each process is a node. Default: auto for `start`, 1 for `serve` and `work`.',
    processes,
  ),
  secretKey: setting(
    'SECRET_KEY',
    'at least 32 random characters',
    'Signs cursors, page links and provider callbacks. Must be the same on all nodes. Default: generated in DATA_DIR.',
    secret,
  ),
  masterKeyFile: setting(
    'MASTER_KEY_FILE',
    '/run/secrets/pesewa-master-key',
    'File with at least 32 random characters, the master key that protects the keys of personal data; see docs/guides/personal-data.md. Must be the same on all nodes. Default: derived from SECRET_KEY.',
    optional,
  ),
  masterKeyCommand: setting(
    'MASTER_KEY_COMMAND',
    '/usr/local/bin/pesewa-master-key',
    'Program that wraps and unwraps keys with a master key in a KMS or an HSM, instead of MASTER_KEY_FILE.',
    optional,
  ),
  masterKeyOldFile: setting(
    'MASTER_KEY_OLD_FILE',
    '/run/secrets/pesewa-old-master-key',
    'The previous MASTER_KEY_FILE, until `pesewa keys rewrap` has been run.',
    optional,
  ),
  masterKeyOldCommand: setting(
    'MASTER_KEY_OLD_COMMAND',
    '/usr/local/bin/pesewa-old-master-key',
    'The previous MASTER_KEY_COMMAND, until `pesewa keys rewrap` has been run.',
    optional,
  ),
  metricsPort: setting(
    'METRICS_PORT',
    '9464',
    'Port of the Prometheus metrics, on METRICS_HOST; 0 turns them off.',
    whole(9464, 0, 65535),
  ),
  metricsHost: setting(
    'METRICS_HOST',
    '127.0.0.1',
    'Address on which the metrics are served. They reveal business volumes, so keep them internal.',
    text('127.0.0.1'),
  ),
  traceEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'http://localhost:4318',
    'URL of an OpenTelemetry receiver to which traces are sent over OTLP/HTTP; see docs/guides/tracing.md. Default: none, and nothing is traced.',
    url,
  ),
  traceHeaders: setting(
    'OTEL_EXPORTER_OTLP_HEADERS',
    'authorization=Bearer%20secret',
    'Headers of requests to OTEL_EXPORTER_OTLP_ENDPOINT: name=value pairs with percent-encoded values, comma-separated. Default: none.',
    headers,
  ),
  traceRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    '0.01',
    'Share of traces that are exported, from 0 to 1. Requests, jobs, rail calls and deliveries that fail are always exported.',
    ratio(0.01),
  ),
  incomingTraces: setting(
    'INCOMING_TRACES',
    'ignore',
    'What happens to the traceparent header of a request: ignore, link or continue. With `continue`, callers decide what is exported.',
    oneOf('ignore', 'ignore', 'link', 'continue'),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'warn',
    'Log level: fatal, error, warn, info or debug. Logs are JSON lines on standard error.',
    oneOf('warn', 'fatal', 'error', 'warn', 'info', 'debug'),
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    '10.0.0.0/8',
    'Networks of proxies whose X-Forwarded-For header is trusted, comma-separated. Default: none.',
    networks,
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    'on',
    'Whether rate limits apply: on or off. Turn them off only for benchmarks; a warning is then logged at startup.',
    oneOf('on', 'on', 'off'),
  ),
  redisUrl: setting(
    'REDIS_URL',
    'redis://localhost:6379',
    'Redis or Valkey server in which the nodes count rate limits, or several nodes of a cluster, comma-separated. Default: the nodes share them through PostgreSQL.',
    redisUrls,
  ),
  spaceLimitTest: perSecond('SPACE_LIMIT_TEST', '100', 'one Space in the test environment'),
  spaceLimitLive: perSecond('SPACE_LIMIT_LIVE', '500', 'one Space in the live environment'),
  tokenLimitTest: perSecond('TOKEN_LIMIT_TEST', '20', 'one token in the test environment'),
  tokenLimitLive: perSecond('TOKEN_LIMIT_LIVE', '80', 'one token in the live environment'),
  endpointLimitTest: perSecond(
    'ENDPOINT_LIMIT_TEST',
    '5',
    'one token on one endpoint in the test environment',
  ),
  endpointLimitLive: perSecond(
    'ENDPOINT_LIMIT_LIVE',
    '20',
    'one token on one endpoint in the live environment',
  ),
  viewLimit: perSecond(
    'VIEW_LIMIT',
    '200',
    'one address when viewing payment pages, payment links and documents',
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    '1000',
    'Concurrent connections per address to a node; TRUSTED_PROXIES are exempt.',
    whole(1000, 1, 1e6),
  ),
  idempotencyRetentionMs: setting(
    'IDEMPOTENCY_RETENTION',
    '7d',
    'How long idempotency keys are kept; at least 24h.',
    durationAtLeast('7d', '24h'),
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    '0',
    'Seconds for which a node that is shutting down still serves requests while /readyz returns 503, so that load balancers can notice.',
    whole(0, 0, 300),
  ),
  jobConcurrency: setting(
    'JOB_CONCURRENCY',
    '10',
    'Background jobs that a node runs concurrently.',
    whole(10, 1, 200),
  ),
  smtpUrl: setting(
    'SMTP_URL',
    'smtps://user:password@mail.example',
    'Mail server. smtp:// uses TLS if the server offers it. Default: mail is only logged.',
    smtpServer,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'Pesewa <no-reply@localhost>',
    'Sender of emails.',
    sender('Pesewa <no-reply@localhost>'),
  ),
} as const

/** Settings of the platform; each slice adds its own. */
export type PlatformSettings = SettingsOf<typeof settings>

/**
 * Returns whether the installation is meant to be reached from other machines, which is assumed if its base URL
 * is set and does not point to this machine.
 */
export const isInProduction = ({ baseUrl }: Pick<PlatformSettings, 'baseUrl'>): boolean =>
  baseUrl !== undefined && !isThisMachine(new URL(baseUrl).hostname)

/**
 * Reads and validates the settings. An empty variable is treated as unset.
 * @param faultOf returns the conflict between settings that are individually valid
 * @throws ConfigError listing every issue
 */
export function readSettingsOf<D extends Definitions>(
  definitions: D,
  environment: Record<string, string | undefined>,
  faultOf: (settings: SettingsOf<D>) => string | undefined = () => undefined,
): SettingsOf<D> {
  const issues: string[] = []
  const entries = Object.entries(definitions).map(([key, { name, parse }]) => {
    try {
      return [key, parse(environment[name]?.trim() || undefined)]
    } catch (error) {
      issues.push(`${name} ${messageOf(error)}`)
      return [key, undefined]
    }
  })
  // The object contains the parsed value of every definition.
  const settings = Object.fromEntries(entries) as SettingsOf<D>
  const fault = faultOf(settings)
  if (fault !== undefined) issues.push(fault)
  if (issues.length > 0) throw new ConfigError(issues.join('\n'))
  return settings
}

/** Reads one setting only, because commands that call the API start faster without the definitions of all others. */
export const readDataDir = (environment: Record<string, string | undefined>): string =>
  readSettingsOf({ dataDir: settings.dataDir }, environment).dataDir
