import { type Connector, createPeer, nameIn, type Provider, simulatedTimeoutMs } from '@pesewa/connector-kit'
import { findCountry } from '@pesewa/values'
import { callingCode, numberingPlans } from '@pesewa/values/phones'
import type { Seals } from '../../packages/server/src/platform/seals.ts'
import type { Catalogue } from '../../packages/server/src/rails/connections/catalogue.ts'
import { withinFeatures } from '../../packages/server/src/rails/connections/connectors.ts'
import { protocolOf } from '../../packages/server/src/rails/connections/protocols.ts'
import { code, page, plain, table, writtenByCode } from './markdown.ts'
import { hasGuide } from './rails.ts'

/**
 * Writes `docs/reference/providers.md`: the catalogue's providers and their capabilities by protocol, read from
 * each protocol's connector.
 */
export async function writeProviders(catalogue: Catalogue, seals: Seals): Promise<string> {
  const all = catalogue.all()
  const accounts = all.filter(({ type }) => type !== 'card')
  const cards = all.filter(({ type }) => type === 'card')
  const inOrder = [...accounts.toSorted(byPlace), ...cards]
  const rows = await Promise.all(inOrder.flatMap((provider) => rowsOf(provider, seals)))
  return page(
    writtenByCode(
      'packages/rails/*/providers.json, packages/values/src/numbering-plans.ts and the connectors',
    ),
    '# Supported countries and providers',
    `The ${all.length} providers of the included catalogue, in ${new Set(accounts.map(({ country }) => country)).size} countries, and their capabilities, with one line per supported protocol. [The guide](../guides/providers.md) explains how to connect one. Protocols link to their guides.`,
    `**Pay**: payers can pay with it. **Pay out**: money can be sent to it. **Refund**: \`itself\` means that its rail refunds the payer directly, \`payout\` that a refund is sent as a payout to the paying account. **Names**: it can look up the name of an account holder. **Numbers**: it can look up the provider of a phone number. Each capability needs its own credentials: a connection without those for payouts cannot pay out.`,
    table(['Country', 'Provider', 'Id', 'Type', 'Currencies', 'Protocol', 'Local name', ...abilities], rows),
    '## Numbers',
    'The provider indicated by the first digits of a mobile number, by country ([decision 21](../decisions/0021-phone-numbers.md)). It is certain only in countries without number portability; elsewhere it is a hint.',
    table(['Country', 'Certain', 'Network', 'Codes', 'Number prefixes', 'Providers'], numberRows(all)),
  )
}

const abilities = ['Pay', 'Pay out', 'Refund', 'Names', 'Numbers']

const countryName = (country: string) => plain(findCountry(country)?.name ?? country)

const byPlace = (a: Provider, b: Provider) =>
  countryName(a.country).localeCompare(countryName(b.country), 'en') ||
  types.indexOf(a.type) - types.indexOf(b.type)
const types = ['momo', 'bank', 'wallet', 'card']

function rowsOf(provider: Provider, seals: Seals): Promise<string[]>[] {
  const { providerId, name, country, type, currencies, protocol, reachedBy = [] } = provider
  const spoken = new Set([protocol, ...reachedBy.map((each) => each.protocol)])
  return [...spoken].map(async (each) => {
    const as = nameIn(each, provider)
    return [
      type === 'card' ? 'anywhere' : countryName(country),
      plain(name),
      code(providerId),
      type,
      currencies.join(' '),
      hasGuide(each) ? `[${code(each)}](../../packages/rails/${each}/guide.md)` : code(each),
      as === undefined ? '' : code(as),
      ...(await abilitiesOf(provider, each, seals)),
    ]
  })
}

/** Reads the capabilities of the protocol's connector to the simulator, which has all credentials. */
async function abilitiesOf(provider: Provider, name: string, seals: Seals): Promise<string[]> {
  const protocol = protocolOf({ protocol: name })
  const place = { simulatorUrl: 'http://127.0.0.1/simulator', baseUrl: 'http://127.0.0.1', seals }
  const connection = { timeoutMs: simulatedTimeoutMs, ...protocol.testConnection(provider, place) }
  const connector = withinFeatures(provider, protocol.connect(connection, provider, createPeer(1)))
  await connector.close()
  const { payment } = provider.featureSet
  return [
    yes(payment.canPayFrom),
    yes(connector.disburse),
    refundOf(provider, connector),
    yes(connector.verifyAccount),
    yes(connector.predictProvider),
  ]
}

const yes = (can: unknown) => (can ? '✓' : '')

function refundOf({ type }: Provider, { refund, queryRefund, disburse }: Connector): string {
  if (refund && queryRefund) return 'itself'
  return disburse && type !== 'card' ? 'payout' : ''
}

const numberRows = (providers: Provider[]): string[][] =>
  numberingPlans
    .toSorted((one, other) => countryName(one.country).localeCompare(countryName(other.country), 'en'))
    .flatMap(({ country, portability, networks }) => {
      const dialCode = `+${callingCode(country)}`
      return networks.map(({ name, codes, prefixes }) => [
        countryName(country),
        yes(portability === 'none'),
        name,
        codes.map(code).join(' '),
        `${dialCode} ${prefixes.map((prefix) => prefix.slice(dialCode.length)).join(', ')}`,
        providers
          .filter(({ network }) => network?.codes.some((each) => codes.includes(each)))
          .map(({ providerId }) => code(providerId))
          .join(' '),
      ])
    })
