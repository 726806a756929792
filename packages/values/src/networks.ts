import { type Network, numberingPlans } from './numbering-plans.ts'

/** The network that issued a number. */
export type NetworkOfNumber = Network & {
  country: string
  /** True if numbers in this country cannot be ported. */
  isCertain: boolean
}

const byPrefix = new Map(
  numberingPlans.flatMap(({ country, portability, networks }) =>
    networks.flatMap((network) =>
      network.prefixes.map((prefix) => [prefix, { ...network, country, isCertain: portability === 'none' }]),
    ),
  ) satisfies [string, NetworkOfNumber][],
)

/** Returns the prefixes of the networks with these codes, in E.164 with `+`. */
export const prefixesOf = (codes: readonly string[]): string[] =>
  numberingPlans.flatMap(({ networks }) =>
    networks
      .filter((network) => network.codes.some((code) => codes.includes(code)))
      .flatMap((network) => network.prefixes),
  )

const lengths = [...new Set([...byPrefix.keys()].map(({ length }) => length))].toSorted((a, b) => b - a)

/**
 * Returns the network of a number (in E.164 with `+`) according to the longest matching prefix, or `undefined`
 * if no prefix matches.
 */
export function networkOf(phoneNumber: string): NetworkOfNumber | undefined {
  for (const length of lengths) {
    const network = byPrefix.get(phoneNumber.slice(0, length))
    if (network) return network
  }
  return undefined
}
