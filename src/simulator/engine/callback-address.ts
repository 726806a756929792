/**
 * Whether a simulated rail reports to an address: to the host of the service, or to the receiver of `pesewa rail-test`, which
 * runs beside the service. Whoever names an address has the key of the simulated rails, which only the deployment has.
 */
export function isRegistered(address: string, baseUrl: string): boolean {
  const url = URL.parse(address)
  return url?.host === new URL(baseUrl).host || isRailTest(url)
}

const isRailTest = (url: URL | null) =>
  url?.protocol === 'http:' && url.hostname === '127.0.0.1' && url.pathname.startsWith('/rail-test/')
