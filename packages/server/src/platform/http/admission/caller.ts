import ipaddr from 'ipaddr.js'

/** Returns whether any of the networks contains the address. An IPv4-mapped IPv6 address is treated as IPv4. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const range = ipaddr.parseCIDR(network)
    // Both addresses are of the same kind, but the library's types do not express this.
    return caller.kind() === range[0].kind() && caller.match(range as never)
  })
}

const networkBytesIpv6 = 8

/**
 * Returns the key that per-address limits count by: the IPv4 address itself, or the /64 network of an IPv6
 * address, because all of its addresses belong to one caller.
 */
export function callerKey(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const ipv6 = ipaddr.IPv6.parse(address)
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString()
  return `${Buffer.from(ipv6.toByteArray().slice(0, networkBytesIpv6)).toString('hex')}::/64`
}
