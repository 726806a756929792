import { messageOf } from './errors.ts'
import {
  durationAtLeast,
  isThisMachine,
  networks,
  oneOf,
  postgresUrl,
  secret,
  sender,
  smtpServer,
  text,
  url,
  whole,
} from './setting-values.ts'

/** What is wrong with the settings: every fault at once. */
export class ConfigError extends Error {}

type Definition<T> = { name: string; about: string; example: string; parse: (text: string | undefined) => T }

/** Settings by the name that code has for them. */
export type Definitions = Record<string, Definition<unknown>>
export type SettingsOf<D extends Definitions> = { -readonly [K in keyof D]: ReturnType<D[K]['parse']> }

/** One setting: its name in the environment, an example (its default, where it has one), what it is for. */
export const setting = <T>(
  name: string,
  example: string,
  about: string,
  parse: (text: string | undefined) => T,
) => ({ name, example, about, parse }) satisfies Definition<T>

const perSecond = (name: string, standard: string, of: string) =>
  setting(name, standard, `Requests per second of ${of}.`, whole(Number(standard), 1, 1e6))

export const settings = {
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
    'The folder of the embedded database and the generated secret.',
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
    'Connections to PostgreSQL in the pool of one node, which opens two more beside it.',
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
    'The address that the metrics listen on. They reveal business volumes: keep them internal.',
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
    'Networks whose X-Forwarded-For is trusted, comma-separated. Default: none.',
    networks,
  ),
  rateLimits: setting(
    'RATE_LIMITS',
    'on',
    'on or off. Off is for benchmarks only and warns at start.',
    oneOf('on', 'on', 'off'),
  ),
  spaceLimitTest: perSecond('SPACE_LIMIT_TEST', '100', 'one Space, test'),
  spaceLimitLive: perSecond('SPACE_LIMIT_LIVE', '500', 'one Space, live'),
  tokenLimitTest: perSecond('TOKEN_LIMIT_TEST', '20', 'one token, test'),
  tokenLimitLive: perSecond('TOKEN_LIMIT_LIVE', '80', 'one token, live'),
  endpointLimitTest: perSecond('ENDPOINT_LIMIT_TEST', '5', 'one token to one endpoint, test'),
  endpointLimitLive: perSecond('ENDPOINT_LIMIT_LIVE', '20', 'one token to one endpoint, live'),
  viewLimit: perSecond(
    'VIEW_LIMIT',
    '200',
    'one address that looks at pages of payments, payment links and documents',
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    '1000',
    'Connections that one address may have open to a node at once; TRUSTED_PROXIES are not limited.',
    whole(1000, 1, 1e6),
  ),
  idempotencyRetentionMs: setting(
    'IDEMPOTENCY_RETENTION',
    '7d',
    'How long an Idempotency-Key is remembered; at least 24h.',
    durationAtLeast('7d', '24h'),
  ),
  jobConcurrency: setting(
    'JOB_CONCURRENCY',
    '10',
    'Background jobs that one node runs at once.',
    whole(10, 1, 200),
  ),
  smtpUrl: setting(
    'SMTP_URL',
    'smtps://user:password@mail.example',
    'The mail server; with smtp:// TLS is used if the server offers it. Default: mail is written to the log.',
    smtpServer,
  ),
  mailFrom: setting(
    'MAIL_FROM',
    'Pesewa <no-reply@localhost>',
    'The sender of mail.',
    sender('Pesewa <no-reply@localhost>'),
  ),
} as const

/** What the platform reads; each slice adds its own. */
export type PlatformSettings = SettingsOf<typeof settings>

/** Whether others than the machine's own users reach this installation: its address is not that of this machine. */
export const isInProduction = ({ baseUrl }: Pick<PlatformSettings, 'baseUrl'>): boolean =>
  baseUrl !== undefined && !isThisMachine(new URL(baseUrl).hostname)

/**
 * Reads the settings once. An empty variable counts as absent.
 *
 * @param faultOf what is wrong with settings that are good one by one
 * @throws ConfigError with every fault at once
 */
export function readSettingsOf<D extends Definitions>(
  definitions: D,
  environment: Record<string, string | undefined>,
  faultOf: (settings: SettingsOf<D>) => string | undefined = () => undefined,
): SettingsOf<D> {
  const faults: string[] = []
  const entries = Object.entries(definitions).map(([key, { name, parse }]) => {
    try {
      return [key, parse(environment[name]?.trim() || undefined)]
    } catch (error) {
      faults.push(`${name} ${messageOf(error)}`)
      return [key, undefined]
    }
  })
  // An entry for each definition, of what that reads.
  const settings = Object.fromEntries(entries) as SettingsOf<D>
  const fault = faultOf(settings)
  if (fault !== undefined) faults.push(fault)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return settings
}
