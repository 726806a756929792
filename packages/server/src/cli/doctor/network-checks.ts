import { causeMessage, messageOf } from '@pesewa/values'
import { isInProduction } from '../../platform/config.ts'
import { greetMailServer } from '../../platform/mail.ts'
import { readCertificate } from '../../platform/outbound/certificate.ts'
import type { Catalogue } from '../../rails/connections/catalogue.ts'
import { type ProviderConnection, providersOf } from '../../rails/connections/connections.ts'
import type { Providers } from '../../rails/providers/providers.ts'
import type { Settings } from '../../slices.ts'
import { type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'

const lookMs = 5_000 // time allowed to inspect one certificate
const maxHosts = 50 // servers whose certificates `pesewa doctor` inspects
const soonDays = 21 // remaining days of a certificate below which `pesewa doctor` warns
const urgentDays = 7 // remaining days of a certificate below which `pesewa doctor` reports a problem
const dayMs = 86_400_000

/** Returns checks of the certificates of our own server, the rails, the mail server and the identity provider. */
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

/** Returns the server of a URL, or `undefined` if connections to it do not start with TLS. */
function serverOf(url: string | undefined): TlsServer | undefined {
  const { protocol = '', hostname = '', port = '' } = URL.parse(url ?? '') ?? {}
  const usual = { 'https:': 443, 'smtps:': 465 }[protocol]
  if (usual === undefined || hostname === '') return undefined
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || usual) }
}

async function checkCertificate(server: TlsServer): Promise<HealthFinding> {
  try {
    const { validUntil, fault } = await readCertificate(server, lookMs)
    return certificateFinding(validUntil, fault, new Date())
  } catch (error) {
    return problem(
      `no certificate: ${messageOf(error)}`,
      'Check that the server is running and reachable from here.',
    )
  }
}

/**
 * Returns the result of checking a certificate.
 *
 * @param fault reason that clients reject the certificate; `undefined` if they accept it
 */
export function certificateFinding(validUntil: Date, fault: string | undefined, now: Date): HealthFinding {
  const until = validUntil.toISOString().slice(0, 10)
  if (fault !== undefined)
    return problem(
      `clients reject it: ${fault}`,
      'Install a certificate that is valid for this name, with its full chain.',
    )
  const days = Math.floor((validUntil.getTime() - now.getTime()) / dayMs)
  const says = `valid for ${days} ${days === 1 ? 'day' : 'days'}, until ${until}`
  const todo = 'Renew it, and find out why it was not renewed automatically.'
  if (days < urgentDays) return problem(says, todo)
  return days < soonDays ? warning(says, todo) : ok(says)
}

/** Returns the check of whether the mail server accepts a connection and our credentials. */
export const mailCheck = (settings: Settings, isOffline: boolean): HealthCheck => ({
  name: 'mail',
  async run() {
    const { smtpUrl } = settings
    if (!smtpUrl)
      return isInProduction(settings)
        ? warning(
            'SMTP_URL is not set: no mail is sent, and sign-in links do not work',
            'Set SMTP_URL and MAIL_FROM.',
          )
        : warning('SMTP_URL is not set: sign-in links are logged instead', 'Set SMTP_URL and MAIL_FROM.')
    const { host } = new URL(smtpUrl)
    if (isOffline) return { status: 'skipped', says: 'would contact another machine' }
    try {
      await greetMailServer(smtpUrl)
      return ok(`${host} accepts our connection`)
    } catch (error) {
      return problem(`${host}: ${mailProblem(error)}`, 'Check SMTP_URL.')
    }
  },
})

/** Returns the check of whether a rail is reachable and accepts our credentials. It sends a read-only request. */
export const railCheck = (
  connection: ProviderConnection,
  withRails: (work: (providers: Providers) => Promise<HealthFinding>) => Promise<HealthFinding>,
  isOffline: boolean,
): HealthCheck => ({
  name: `rail ${connection.name}`,
  async run() {
    if (connection.status === 'closed') return ok('closed: accepts no new instructions')
    if (isOffline) return { status: 'skipped', says: 'would contact another machine' }
    return withRails(({ connectors }) => probe(connection, connectors))
  },
})

async function probe(
  connection: ProviderConnection,
  connectors: Providers['connectors'],
): Promise<HealthFinding> {
  const [providerId = ''] = providersOf(connection)
  const connector = connectors.findConnector(providerId, 'live', connection.name)
  if (!connector?.probe)
    return { status: 'skipped', says: `${connection.protocol} has no read-only request to test with` }
  const steps = await connector.probe()
  const [failed] = steps.filter(({ outcome }) => outcome !== 'ok')
  const todo = `pesewa connections test ${connection.name}`
  if (!failed) return ok(steps.map(({ step }) => step).join(', '))
  const says = `${failed.step}: ${failed.detail}`
  return failed.outcome === 'failed' ? problem(says, todo) : warning(says, todo)
}

/**
 * Describes a mail error. The code of the underlying cause is read from the message, because the error's own
 * `code` is one of Nodemailer's codes.
 */
function mailProblem(error: unknown): string {
  const words = messageOf(error).split('\n', 1)[0] ?? ''
  return causeMessage(Object.assign(new Error(), { code: /\bE[A-Z]{4,}\b/.exec(words)?.[0] })) ?? words
}
