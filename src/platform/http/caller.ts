import ipaddr from 'ipaddr.js'

/** Whether an address is in one of the networks. IPv4 written as IPv6 counts as IPv4. */
export function isWithin(networks: readonly string[], address: string): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const caller = ipaddr.process(address)
  return networks.some((network) => {
    const range = ipaddr.parseCIDR(network)
    // Of one kind, which the types of the library do not say.
    return caller.kind() === range[0].kind() && caller.match(range as never)
  })
}

const networkBytesIpv6 = 8

/**
 * Whom a limit per address counts: an IPv4 address, or the 64 bits of an IPv6 network, every address of which belongs
 * to one caller.
 */
export function callerAt(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  const ipv6 = ipaddr.IPv6.parse(address)
  if (ipv6.isIPv4MappedAddress()) return ipv6.toIPv4Address().toString()
  return `${Buffer.from(ipv6.toByteArray().slice(0, networkBytesIpv6)).toString('hex')}::/64`
}
