import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * The destinations to which requests may be sent on behalf of users: public addresses on web ports, and
 * networks that the operator allows.
 */
export type Destinations = {
  /**
   * Returns whether a connection to an IP address, such as `93.184.215.14` or `2606:4700::1111`, is allowed.
   * Names, and any other texts that are not IP addresses, are refused.
   */
  mayDial(address: string, port: number): boolean
  /** Returns whether one of the networks that the operator allows contains the address. */
  isInside(address: string): boolean
}

export function destinationsWithin(allowedNetworks: string[]): Destinations {
  const allowed = allowedNetworks.map((network) => ipaddr.parseCIDR(network))
  const isInside = (text: string) => {
    const address = parseAddress(text)
    return address !== undefined && liesIn(address, allowed)
  }
  return {
    isInside,
    mayDial: (address, port) => isInside(address) || (isPublic(address) && isWebPort(port)),
  }
}

type Options = {
  allowedNetworks: string[]
  /** If true, plain http is allowed only for literal addresses in the allowed networks. */
  httpsOnly: boolean
}

/**
 * Returns what is wrong with a URL, as the end of a sentence, or `undefined` if no problem can be found before
 * connecting. Names other than `localhost` are checked when the connection is opened, because they may resolve
 * differently by then.
 */
export function destinationError(text: string, { allowedNetworks, httpsOnly }: Options): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || isMisleading(text))
    return 'must be a URL that begins with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not contain credentials'

  const { mayDial, isInside } = destinationsWithin(allowedNetworks)
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : [host].filter(isAddress)
  const isLiteralInside = addresses.length === 1 && isInside(host)
  if (httpsOnly && url.protocol !== 'https:' && !isLiteralInside) return 'must use https'
  if (addresses.length > 0 && !addresses.some((address) => mayDial(address, 443)))
    return 'must be a public address'
  const mayBeInside = addresses.length > 0 ? addresses.some(isInside) : allowedNetworks.length > 0
  return isWebPort(portOf(url)) || mayBeInside ? undefined : 'must use port 80, 443 or 1024 to 65535'
}

/** Returns the port of a URL, or the default port of its protocol if the URL contains none. */
export function portOf({ protocol, port }: { protocol: string; port: string }): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/**
 * Public IPv6 addresses are allocated only from 2000::/3. All others are special or unused, such as
 * ::127.0.0.1.
 */
const givenOut: Network[] = [ipaddr.parseCIDR('0.0.0.0/0'), ipaddr.parseCIDR('2000::/3')]

/** Addresses that look public, but serve internal data to virtual machines in a cloud (Azure). */
const insideClouds: Network[] = [ipaddr.parseCIDR('168.63.129.16/32')]

function isPublic(text: string): boolean {
  const address = parseAddress(text)
  return (
    address !== undefined &&
    address.range() === 'unicast' &&
    liesIn(address, givenOut) &&
    !liesIn(address, insideClouds)
  )
}

/**
 * Most ports below 1024 belong to mail servers, shells and other services that could be attacked with a crafted
 * HTTP message.
 */
const isWebPort = (port: number) => port === 80 || port === 443 || (port >= 1024 && port <= 65_535) // ports allowed in user-supplied addresses

const isAddress = (text: string) => isIPv4(text) || isIPv6(text)

/**
 * Parses an IP address. IPv6 addresses are normalized by the URL parser first, because ipaddr.js parses
 * `::8.8.8.8` as 8.8.8.8, but the connection would be made to a different address. The URL parser also rejects
 * zones (`fe80::1%eth0`). IPv4-mapped addresses are treated as IPv4.
 */
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text)
  const url = isIPv6(text) ? URL.parse(`http://[${text}]`) : null
  return url ? ipaddr.process(url.hostname.slice(1, -1)) : undefined
}

const liesIn = (address: Address, networks: Network[]) =>
  ipaddr.subnetMatch(address, { in: networks }, 'out') === 'in'

/**
 * Returns whether a URL contains characters that the URL parser silently drops or converts, so that other
 * parsers might find a different host in it.
 */
function isMisleading(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it detects control characters
  return /[\u0000-\u0020\u007f\\]/.test(text)
}
