import { type Network, numberingPlans } from './numbering-plans.ts'

/** The network that gave out a number. */
export type NetworkOfNumber = Network & {
  country: string
  /** Nobody there can take a number to another network. */
  isCertain: boolean
}

const byPrefix = new Map(
  numberingPlans.flatMap(({ country, portability, networks }) =>
    networks.flatMap((network) =>
      network.prefixes.map((prefix) => [prefix, { ...network, country, isCertain: portability === 'none' }]),
    ),
  ) satisfies [string, NetworkOfNumber][],
)

const lengths = [...new Set([...byPrefix.keys()].map(({ length }) => length))].toSorted((a, b) => b - a)

/** By how a number (E.164, with `+`) begins; the longest prefix wins. `undefined` where no network that we know has it. */
export function networkOf(phoneNumber: string): NetworkOfNumber | undefined {
  for (const length of lengths) {
    const network = byPrefix.get(phoneNumber.slice(0, length))
    if (network) return network
  }
  return undefined
}
