import { isInProduction } from '../../platform/config.ts'
import { messageOf } from '../../platform/errors.ts'
import { greetMailServer } from '../../platform/mail.ts'
import { lookAtCertificate } from '../../platform/outbound/certificate.ts'
import { causeOf } from '../../platform/outbound/outbound.ts'
import type { Catalogue } from '../../providers/catalogue.ts'
import { type ProviderConnection, providersOf } from '../../providers/connections.ts'
import type { Providers } from '../../providers/providers.ts'
import type { Settings } from '../../slices.ts'
import { type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'

const lookMs = 5_000 // limit: time to look at one certificate
const maxHosts = 50 // limit: servers whose certificates `pesewa doctor` looks at
const soonDays = 21 // limit: days that a certificate is valid below which `pesewa doctor` warns
const urgentDays = 7 // limit: days that a certificate is valid below which `pesewa doctor` reports a problem
const dayMs = 86_400_000

/** The certificates of our own address, the rails', the mail server's and the identity provider's. */
export function certificateChecks(settings: Settings, catalogue: Catalogue): HealthCheck[] {
  const { baseUrl, smtpUrl, oidcIssuer } = settings
  const rails = catalogue.connections().map((connection) => connection.baseUrl)
  const servers = [baseUrl, smtpUrl, oidcIssuer, ...rails].flatMap((url) => serverOf(url) ?? [])
  const unique = new Map(servers.map((server) => [`${server.host}:${server.port}`, server]))
  return [...unique].slice(0, maxHosts).map(([name, server]) => ({
    name: `certificate of ${server.port === 443 ? server.host : name}`,
    run: () => checkCertificate(server),
  }))
}

type TlsServer = { host: string; port: number }

/** `undefined` where no TLS is spoken from the beginning. */
function serverOf(url: string | undefined): TlsServer | undefined {
  const { protocol = '', hostname = '', port = '' } = URL.parse(url ?? '') ?? {}
  const usual = { 'https:': 443, 'smtps:': 465 }[protocol]
  if (usual === undefined || hostname === '') return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) }
}

async function checkCertificate(server: TlsServer): Promise<HealthFinding> {
  try {
    const { validUntil, fault } = await lookAtCertificate(server, lookMs)
    return judgeCertificate(validUntil, fault, new Date())
  } catch (error) {
    return problem(
      `no certificate: ${messageOf(error)}`,
      'See whether the server runs and is reached from here.',
    )
  }
}

/** @param fault why clients refuse it, if they do */
export function judgeCertificate(validUntil: Date, fault: string | undefined, now: Date): HealthFinding {
  const until = validUntil.toISOString().slice(0, 10)
  if (fault !== undefined)
    return problem(`clients refuse it: ${fault}`, 'Install one that is valid for this name, with its chain.')
  const days = Math.floor((validUntil.getTime() - now.getTime()) / dayMs)
  const says = `valid for ${days} ${days === 1 ? 'day' : 'days'}, until ${until}`
  const todo = 'Renew it, and see why it was not renewed by itself.'
  if (days < urgentDays) return problem(says, todo)
  return days < soonDays ? warning(says, todo) : ok(says)
}

/** Mail, by a greeting. */
export const mailCheck = (settings: Settings, isOffline: boolean): HealthCheck => ({
  name: 'mail',
  async run() {
    const { smtpUrl } = settings
    if (!smtpUrl)
      return isInProduction(settings)
        ? warning(
            'SMTP_URL is not set: no mail is sent, and nobody signs in by one',
            'Set SMTP_URL and MAIL_FROM.',
          )
        : warning('SMTP_URL is not set: links to sign in go to the log', 'Set SMTP_URL and MAIL_FROM.')
    const { host } = new URL(smtpUrl)
    if (isOffline) return { status: 'skipped', says: 'asks another machine' }
    try {
      await greetMailServer(smtpUrl)
      return ok(`${host} takes mail from here`)
    } catch (error) {
      return problem(`${host}: ${mailFault(error)}`, 'See SMTP_URL.')
    }
  },
})

/** Whether a rail is reached and takes our credentials, by a question that moves nothing. */
export const railCheck = (
  connection: ProviderConnection,
  withRails: (work: (providers: Providers) => Promise<HealthFinding>) => Promise<HealthFinding>,
  isOffline: boolean,
): HealthCheck => ({
  name: `rail ${connection.name}`,
  async run() {
    if (connection.status === 'closed') return ok('closed: takes nothing new')
    if (isOffline) return { status: 'skipped', says: 'asks another machine' }
    return withRails(({ connectors }) => probe(connection, connectors))
  },
})

async function probe(
  connection: ProviderConnection,
  connectors: Providers['connectors'],
): Promise<HealthFinding> {
  const [providerId = ''] = providersOf(connection)
  const connector = connectors.connectorOf(providerId, 'live', connection.name)
  if (!connector?.probe)
    return { status: 'skipped', says: `${connection.protocol} has nothing harmless to ask` }
  const steps = await connector.probe()
  const [failed] = steps.filter(({ outcome }) => outcome !== 'ok')
  const todo = `pesewa connections test ${connection.name}`
  if (!failed) return ok(steps.map(({ step }) => step).join(', '))
  const says = `${failed.step}: ${failed.detail}`
  return failed.outcome === 'failed' ? problem(says, todo) : warning(says, todo)
}

/** The library has a code of its own, and puts the cause into its words. */
function mailFault(error: unknown): string {
  const words = messageOf(error).split('\n', 1)[0] ?? ''
  return causeOf(Object.assign(new Error(), { code: /\bE[A-Z]{4,}\b/.exec(words)?.[0] })) ?? words
}
