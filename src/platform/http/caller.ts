import ipaddr from 'ipaddr.js'

/** Returns whether one of the networks contains the address. IPv4-mapped IPv6 counts as IPv4. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const range = ipaddr.parseCIDR(network)
    // Both are of the same kind, which the library's types do not express.
    return caller.kind() === range[0].kind() && caller.match(range as never)
  })
}

const networkBytesIpv6 = 8

/**
 * Returns what a per-address limit counts: an IPv4 address, or an IPv6 /64, whose addresses all belong to one
 * caller.
 */
export function callerKey(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const ipv6 = ipaddr.IPv6.parse(address)
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString()
  return `${Buffer.from(ipv6.toByteArray().slice(0, networkBytesIpv6)).toString('hex')}::/64`
}
