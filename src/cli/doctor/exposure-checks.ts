import { get } from 'node:https'
import ipaddr from 'ipaddr.js'
import { isInProduction, settings as platformSettings } from '../../platform/config.ts'
import { hasSecretKey, readSecretKey } from '../../platform/secret-key.ts'
import type { Settings } from '../../slices.ts'
import { CannotCheck, type HealthCheck, type HealthFinding, ok, problem } from './checkup.ts'

/** What opens the service to whom it is not meant for. */
export const exposureChecks = (settings: Settings): HealthCheck[] => [
  { name: 'secret key', run: async () => checkSecretKey(settings) },
  { name: 'networks', run: async () => checkNetworks(settings) },
  { name: 'simulator', run: async () => checkSimulator(settings) },
]

function checkSecretKey(settings: Settings): HealthFinding {
  if (!hasSecretKey(settings)) return ok('made at the first start')
  return isTrivialSecret(readSecretKey(settings))
    ? problem(
        'SECRET_KEY can be guessed: whoever guesses it signs links and callbacks, and reads what is encrypted',
        'Make another with openssl rand -hex 32; docs/guides/what-happens-when.md says what ends with the old one.',
      )
    : ok('nothing that is easily guessed')
}

const fewestCharacters = 8 // limit: different characters of a SECRET_KEY that is not trivial
const placeholders =
  /change[\s_-]?(this|me)|replace[\s_-]?(this|me)|password|example|default|your[\s_-]?secret|12345/gi

/** What nobody made at random: too few characters, a piece said again and again, a row of neighbours, words that stand for one. */
export function isTrivialSecret(secret: string): boolean {
  if (secret === platformSettings.secretKey.example) return true
  const rest = secret.replaceAll(placeholders, '')
  return [secret, rest].some(
    (text) => new Set(text.toLowerCase()).size < fewestCharacters || isRepeated(text) || isARow(text),
  )
}

/** Begins again within its first half. */
const isRepeated = (text: string) =>
  Array.from({ length: Math.floor(text.length / 2) }, (_, i) => i + 1).some((period) =>
    text.startsWith(text.slice(period)),
  )

const rows = ['abcdefghijklmnopqrstuvwxyz', '0123456789', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** Most of it is letters that follow each other in the alphabet or on a keyboard, forwards or backwards. */
function isARow(text: string): boolean {
  const letters = text.toLowerCase()
  const pairs = Array.from({ length: letters.length - 1 }, (_, i) => letters.slice(i, i + 2))
  const isNeighbours = ([a = '', b = '']: string) =>
    a === b || rows.some((row) => row.includes(a + b) || row.includes(b + a))
  return pairs.filter((pair) => isNeighbours(pair)).length > (pairs.length * 2) / 3
}

/** Bits of the widest network that an operator may mean, by kind of address. */
const fewestBits = { ipv4: 8, ipv6: 7 }

function checkNetworks(settings: Settings): HealthFinding {
  const { trustedProxies, ussdNetworks, webhookAllowedNetworks } = settings
  const faults = [
    { name: 'TRUSTED_PROXIES', networks: trustedProxies, means: 'anybody claims any address' },
    { name: 'USSD_NETWORKS', networks: ussdNetworks, means: 'anybody dials for any phone' },
    {
      name: 'WEBHOOK_ALLOWED_NETWORKS',
      networks: webhookAllowedNetworks,
      means: 'webhooks reach what is inside your network',
    },
  ].flatMap(({ name, networks, means }) => {
    const [wide] = networks.filter(isTooWide)
    return wide === undefined ? [] : [`${name} has ${wide}: ${means}`]
  })
  return faults.length > 0
    ? problem(faults.join('; '), 'Name the networks that are meant.')
    : ok('none that is trusted holds the internet')
}

const isTooWide = (network: string) => {
  const [address, bits] = ipaddr.parseCIDR(network)
  return bits < fewestBits[address.kind()]
}

function checkSimulator(settings: Settings): HealthFinding {
  if (settings.simulator !== 'on') return ok('off on this node')
  return isInProduction(settings)
    ? problem(
        'SIMULATOR is on: everybody who reaches this node uses the handsets and providers of every test environment',
        'Turn it off here, run it on a node that only your network reaches, and set SIMULATOR_URL to that.',
      )
    : ok('on, for this machine')
}

const askMs = 5_000 // limit: time for the service’s own address to respond to `pesewa doctor`

/** Whether browsers are told to come by TLS only. A proxy may take that away. */
export const transportCheck = ({ baseUrl }: Settings, isOffline: boolean): HealthCheck[] =>
  !baseUrl?.startsWith('https:')
    ? []
    : [
        {
          name: 'transport',
          async run() {
            if (isOffline) return { status: 'skipped', says: 'asks another machine' }
            const header = await strictTransportOf(baseUrl)
            const seconds = Number(/(?:^|;)\s*max-age\s*=\s*"?(\d+)/i.exec(header)?.[1] ?? 0)
            return seconds > 0
              ? ok(`browsers insist on TLS for ${Math.round(seconds / 86_400)} days`)
              : problem(
                  'Strict-Transport-Security is missing: somebody on the way can have browsers come without TLS',
                  'Pesewa sends it where BASE_URL begins with https://: let the proxy pass it on.',
                )
          },
        },
      ]

/** The header as whoever comes from outside gets it; empty where there is none. The certificate is for another check. */
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
    request.once('error', () => reject(new CannotCheck('needs an answer at BASE_URL')))
  })
