import { get } from 'node:https'
import ipaddr from 'ipaddr.js'
import { isInProduction, settings as platformSettings } from '../../platform/config.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import type { Settings } from '../../slices.ts'
import { CannotCheck, type HealthCheck, type HealthFinding, ok, problem, warning } from './checkup.ts'

/** Returns checks for settings that expose the service more than the operator probably intends. */
export const exposureChecks = (settings: Settings): HealthCheck[] => [
  { name: 'secret key', run: async () => checkSecretKey(settings) },
  { name: 'master key', run: async () => checkMasterKey(settings) },
  { name: 'networks', run: async () => checkNetworks(settings) },
  { name: 'simulator', run: async () => checkSimulator(settings) },
]

function checkSecretKey(settings: Settings): HealthFinding {
  if (!hasSecretKey(settings)) return ok('generated on the first start')
  return isTrivialSecret(readSecretKey(settings))
    ? problem(
        'SECRET_KEY is easy to guess: anyone who guesses it can sign links and callbacks and decrypt stored secrets',
        'Generate a new one with openssl rand -hex 32. See docs/guides/what-happens-when.md for the effects of changing it.',
      )
    : ok('hard to guess')
}

function checkMasterKey(settings: Settings): HealthFinding {
  const { masterKeyFile, masterKeyCommand } = settings
  if (masterKeyCommand !== undefined) return ok('in MASTER_KEY_COMMAND')
  if (masterKeyFile !== undefined) return ok('in MASTER_KEY_FILE')
  return isInProduction(settings)
    ? warning(
        'derived from SECRET_KEY: anyone with it and a copy of the database can decrypt personal data',
        'Set MASTER_KEY_FILE or MASTER_KEY_COMMAND, and run pesewa keys rewrap. See docs/guides/personal-data.md.',
      )
    : ok('derived from SECRET_KEY')
}

const fewestCharacters = 8 // minimum number of distinct characters in SECRET_KEY
const placeholders =
  /change[\s_-]?(this|me)|replace[\s_-]?(this|me)|password|example|default|your[\s_-]?secret|12345/gi

/**
 * Returns whether a secret is obviously not random: it has too few distinct characters, or it is a repeated
 * piece, a keyboard or alphabet sequence, or a placeholder.
 */
export function isTrivialSecret(secret: string): boolean {
  if (secret === platformSettings.secretKey.example) return true
  const rest = secret.replaceAll(placeholders, '')
  return [secret, rest].some(
    (text) => new Set(text.toLowerCase()).size < fewestCharacters || isRepeated(text) || isSequence(text),
  )
}

/** Returns whether the text consists of a shorter piece that is repeated, such as `abcabcab`. */
const isRepeated = (text: string) =>
  Array.from({ length: Math.floor(text.length / 2) }, (_, i) => i + 1).some((period) =>
    text.startsWith(text.slice(period)),
  )

const rows = ['abcdefghijklmnopqrstuvwxyz', '0123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/**
 * Returns whether more than two thirds of the pairs of consecutive letters are also adjacent in the alphabet or
 * on a keyboard, in either direction.
 */
function isSequence(text: string): boolean {
  const letters = text.toLowerCase()
  const pairs = Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2))
  const isNeighbours = ([a = '', b = '']: string) =>
    a === b || rows.some((row) => row.includes(a + b) || row.includes(b + a))
  return pairs.filter((pair) => isNeighbours(pair)).length > (pairs.length * 2) / 3
}

/** Shortest plausible prefix length of a trusted network, by address family. */
const fewestBits = { ipv4: 8, ipv6: 7 }

function checkNetworks(settings: Settings): HealthFinding {
  const { trustedProxies, ussdNetworks, webhookAllowedNetworks } = settings
  const issues = [
    { name: 'TRUSTED_PROXIES', networks: trustedProxies, means: 'clients can spoof their IP address' },
    { name: 'USSD_NETWORKS', networks: ussdNetworks, means: 'anyone can send USSD requests as any phone' },
    {
      name: 'WEBHOOK_ALLOWED_NETWORKS',
      networks: webhookAllowedNetworks,
      means: 'webhooks can reach your internal network',
    },
  ].flatMap(({ name, networks, means }) => {
    const [wide] = networks.filter(isTooWide)
    return wide === undefined ? [] : [`${name} contains ${wide}: ${means}`]
  })
  return issues.length > 0
    ? problem(issues.join('; '), 'List only the networks that you intend to allow.')
    : ok('no trusted network is too broad')
}

const isTooWide = (network: string) => {
  const [address, bits] = ipaddr.parseCIDR(network)
  return bits < fewestBits[address.kind()]
}

function checkSimulator(settings: Settings): HealthFinding {
  if (settings.simulator !== 'on') return ok('off on this node')
  return isInProduction(settings)
    ? problem(
        'SIMULATOR is on: anyone who reaches this node can use the simulated handsets and providers of every test environment',
        'Turn it off here, run it on a node in your private network, and set SIMULATOR_URL to that node.',
      )
    : ok('on, for this machine only')
}

const askMs = 5_000 // time allowed for the service’s own address to respond to `pesewa doctor`

/** Returns the check of whether browsers receive the HSTS header, which a proxy might remove. */
export const transportCheck = ({ baseUrl }: Settings, isOffline: boolean): HealthCheck[] =>
  !baseUrl?.startsWith('https:')
    ? []
    : [
        {
          name: 'transport',
          async run() {
            if (isOffline) return { status: 'skipped', says: 'would contact another machine' }
            const header = await strictTransportOf(baseUrl)
            const seconds = Number(/(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(header)?.[1] ?? 0)
            return seconds > 0
              ? ok(`browsers enforce TLS for ${Math.round(seconds / 86_400)} days`)
              : problem(
                  'Strict-Transport-Security is missing: an attacker on the network can downgrade browsers to plain HTTP',
                  'Pesewa sends the header when BASE_URL starts with https://; make sure the proxy forwards it.',
                )
          },
        },
      ]

/**
 * Returns the Strict-Transport-Security header that clients receive, or an empty text if it is missing. Does
 * not verify the certificate, because another check does.
 */
const strictTransportOf = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = get(`${url}/healthz`, {
      rejectUnauthorized: false,
      agent: false,
      signal: AbortSignal.timeout(askMs),
    })
    request.once('response', (response) => {
      response.destroy()
      resolve(response.headers['strict-transport-security'] ?? '')
    })
    request.once('error', () => reject(new CannotCheck('needs a response from BASE_URL')))
  })
