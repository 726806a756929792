import type { Provider } from '@pesewa/connector-kit'
import { numberingPlans } from '@pesewa/values/phones'
import { getExampleNumber } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'

/**
 * Returns a phone number (E.164) on the provider's network, or else any in its country, that ends in these
 * digits.
 */
export function phoneOf({ country, network }: Pick<Provider, 'country' | 'network'>, digits: string): string {
  const example = getExampleNumber(country as 'GH', examples)!.number
  const own = numberingPlans
    .flatMap(({ networks }) => networks)
    .find(({ codes }) => codes.some((code) => network?.codes.includes(code)))
  const [prefix = example.slice(0, 6)] = own?.prefixes ?? []
  return `${prefix}${example.slice(prefix.length, -digits.length)}${digits}`
}
