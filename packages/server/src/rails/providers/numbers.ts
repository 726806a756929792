import { nameIn, type Provider } from '@pesewa/connector-kit'
import { messageOf } from '@pesewa/values'
import { countryOfPhone, type NetworkOfNumber, networkOf } from '@pesewa/values/phones'
import { createCache } from '../../platform/cache.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusals.ts'
import type { Environment } from '../../platform/scope.ts'
import { openKyc, withTimeLimit } from './kyc.ts'
import type { Providers } from './providers.ts'

/** Describes why a phone number may not have an account with the chosen provider. */
export type NumberDoubt = {
  /** The network or provider to which the number seems to belong. */
  looksLike: string
  /** The providers that hold accounts for such numbers. */
  providers: Provider[]
  /**
   * True if the country has no number portability. If false, the number may have been ported, so the payer may
   * be right.
   */
  isCertain: boolean
}

export type Numbers = {
  /**
   * Returns a `NumberDoubt` if a number (in E.164 format) seems to belong to a provider other than the chosen
   * one. Takes at most a second.
   */
  doubt(environment: Environment, chosen: Provider, phoneNumber: string): Promise<NumberDoubt | undefined>
  /**
   * Returns the network to which a number was assigned, and the providers that probably hold its account,
   * active or not.
   */
  describe(
    environment: Environment,
    phoneNumber: string,
  ): Promise<{ network: NetworkOfNumber | undefined; providers: Provider[] }>
}

const cachedMs = 300_000 // how long a rail's prediction of a number's provider is cached
const maxCached = 10_000 // number of predictions of a number's provider that a node caches
const timeLimitMs = 1_000 // how long a rail may take to predict a number's provider
const maxAtOnce = 8 // maximum number of concurrent predictions of a number's provider, per node

/** `provider` is `undefined` if the rail makes no prediction. */
type Prediction = { provider: Provider | undefined }

/**
 * Returns the network to which a number was assigned if it is not the provider's own network; otherwise
 * `undefined`. The number may have been ported since.
 */
export function findOtherNetwork(
  { network: own }: Provider,
  phoneNumber: string,
): NetworkOfNumber | undefined {
  const network = networkOf(phoneNumber)
  return own && network && !own.codes.some((code) => network.codes.includes(code)) ? network : undefined
}

/**
 * Returns the number's network if it is certain that numbers on that network cannot have an account with the
 * provider; otherwise `undefined`. Providers without a network accept all numbers.
 */
export function findWrongNetwork(provider: Provider, phoneNumber: string): NetworkOfNumber | undefined {
  const network = findOtherNetwork(provider, phoneNumber)
  return network?.isCertain ? network : undefined
}

/** Returns the mobile money providers on a network. */
export const providersOn = (
  { catalogue }: Pick<Providers, 'catalogue'>,
  { codes }: { codes: readonly string[] },
) => catalogue.list('momo').filter(({ network }) => network?.codes.some((code) => codes.includes(code)))

/**
 * Finds the provider of a phone number: by prefix if the prefix is conclusive, otherwise by the rail's
 * prediction or by looking up the account with the chosen provider. Takes at most a second. If the rail does
 * not answer, the payer's choice is accepted.
 */
export function openNumbers(
  parts: Pick<Providers, 'catalogue' | 'connectors'> & Pick<Platform, 'metrics' | 'log'>,
  limitMs = timeLimitMs,
): Numbers {
  const { catalogue, connectors, log } = parts
  const kyc = openKyc(parts, limitMs)
  let inFlight = 0

  const predictions = createCache<string, Prediction, () => Promise<Prediction>>({
    max: maxCached,
    ttl: cachedMs,
    fetchMethod: (_key, _stale, { context: work }) => work(),
  })

  async function predict(environment: Environment, phoneNumber: string): Promise<Provider | undefined> {
    const context = () => askRail(environment, phoneNumber)
    const prediction = await withTimeLimit(
      limitMs,
      predictions.fetch(`${environment} ${phoneNumber}`, { context }),
    )
    return prediction?.provider
  }

  async function askRail(environment: Environment, phoneNumber: string): Promise<Prediction> {
    const inCountry = catalogue.list('momo', countryOfPhone(phoneNumber) ?? '')
    for (const through of inCountry) {
      const route = connectors
        .findRoutes(through.providerId, environment)
        .find(({ connector }) => connector.predictProvider)
      if (!route?.connector.predictProvider || inFlight >= maxAtOnce) continue
      inFlight += 1
      // If the prediction fails, the payer's choice is accepted.
      const name = await route.connector
        .predictProvider(phoneNumber)
        .catch((error) =>
          log.warn(
            { provider: through.providerId, why: messageOf(error) },
            'failed to predict the provider of a phone number',
          ),
        )
        .finally(() => {
          inFlight -= 1
        })
      const protocol =
        environment === 'test'
          ? through.protocol
          : catalogue.connectionsOf(through.providerId).find(({ name }) => name === route.connection)
              ?.protocol
      const isNamed = (each: Provider) => protocol !== undefined && nameIn(protocol, each) === name
      return { provider: name ? inCountry.find(isNamed) : undefined }
    }
    return { provider: undefined }
  }

  async function hasAccount(environment: Environment, { providerId }: Provider, phoneNumber: string) {
    const verify = connectors.findConnector(providerId, environment)?.verifyAccount
    if (!verify) return false
    try {
      const { holder } = await kyc.find(providerId, environment, verify, phoneNumber)
      return holder.outcome === 'found'
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  }

  return {
    async doubt(environment, chosen, phoneNumber) {
      const other = findOtherNetwork(chosen, phoneNumber)
      const asNetwork = other && {
        looksLike: other.name,
        providers: providersOn(parts, other),
        isCertain: other.isCertain,
      }
      if (asNetwork?.isCertain) return asNetwork
      // Either the chosen provider matches the prefix, or it accepts all numbers.
      if (!chosen.network || (!other && networkOf(phoneNumber))) return undefined
      const predicted = await predict(environment, phoneNumber)
      if (predicted)
        return isSame(predicted, chosen)
          ? undefined
          : { looksLike: predicted.name, providers: [predicted], isCertain: false }
      if (!asNetwork || (await hasAccount(environment, chosen, phoneNumber))) return undefined
      return asNetwork
    },

    async describe(environment, phoneNumber) {
      const network = networkOf(phoneNumber)
      const predicted = network?.isCertain ? undefined : await predict(environment, phoneNumber)
      const byPrefix = network ? providersOn(parts, network) : []
      return { network, providers: predicted ? [predicted] : byPrefix }
    },
  }
}

/** Returns whether two providers are the same or share a network, and therefore its accounts. */
const isSame = (one: Provider, other: Provider) =>
  one.providerId === other.providerId ||
  one.network?.codes.some((code) => other.network?.codes.includes(code)) === true
