import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Which destinations may be dialled for somebody who is not the operator: public addresses on the ports of the web, and
 * whatever lies in a network that the operator allows.
 */
export type Destinations = {
  /** Judges an address, not a name: `93.184.215.14`, `2606:4700::1111`. Anything else is refused. */
  mayDial(address: string, port: number): boolean
  /** Whether the operator's networks hold it. */
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
  /** Only a literal address in an allowed network may then do without TLS. */
  httpsOnly: boolean
}

/**
 * What is wrong with a URL, as far as can be said before it is dialled, as the end of a sentence; `undefined` when nothing is.
 * Names but `localhost` are judged when they are dialled: what they point at may have changed by then.
 */
export function faultOfAddress(text: string, { allowedNetworks, httpsOnly }: Options): string | undefined {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || isMisleading(text))
    return 'must be an address that begins with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not have credentials'

  const { mayDial, isInside } = destinationsWithin(allowedNetworks)
  const host = url.hostname.replace(/^\[|\]$|\.$/g, '')
  const addresses = /(^|\.)localhost$/.test(host) ? ['127.0.0.1', '::1'] : [host].filter(isAddress)
  const isLiteralInside = addresses.length === 1 && isInside(host)
  if (httpsOnly && url.protocol !== 'https:' && !isLiteralInside) return 'must use https'
  if (addresses.length > 0 && !addresses.some((address) => mayDial(address, 443)))
    return 'must be a public address'
  const mayBeInside = addresses.length > 0 ? addresses.some(isInside) : allowedNetworks.length > 0
  return isWebPort(portOf(url)) || mayBeInside ? undefined : 'must not use this port'
}

/** The port that is dialled, also where the URL names none. */
export function portOf({ protocol, port }: { protocol: string; port: string }): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

type Address = ReturnType<typeof ipaddr.parse>
type Network = ReturnType<typeof ipaddr.parseCIDR>

/** IPv6 is given out from 2000::/3 only; all other of it means something else, or nothing, as has ::127.0.0.1. */
const givenOut: Network[] = [ipaddr.parseCIDR('0.0.0.0/0'), ipaddr.parseCIDR('2000::/3')]

/** Looks public, and serves the virtual machines of a cloud what is theirs only (Azure). */
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

/** The ports below 1024 belong to mail, shells and the like, which a message in HTTP can be made to speak to. */
const isWebPort = (port: number) => port === 80 || port === 443 || (port >= 1024 && port <= 65_535) // limit: ports that an address a stranger chose may have

const isAddress = (text: string) => isIPv4(text) || isIPv6(text)

/**
 * IPv6 is spelled anew by the URL parser first, since ipaddr.js takes `::8.8.8.8` for 8.8.8.8, which is not what would
 * be dialled. That parser knows no zones either: `fe80::1%eth0` is no address here. An IPv4-mapped one is IPv4.
 */
function parseAddress(text: string): Address | undefined {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text)
  const url = isIPv6(text) ? URL.parse(`http://[${text}]`) : null
  return url ? ipaddr.process(url.hostname.slice(1, -1)) : undefined
}

const liesIn = (address: Address, networks: Network[]) =>
  ipaddr.subnetMatch(address, { in: networks }, 'out') === 'in'

/** What the URL parser drops or turns in silence, so that other readers may see another host. */
function isMisleading(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return /[\u0000-\u0020\u007f\\]/.test(text)
}
