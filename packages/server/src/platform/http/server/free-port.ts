import { createServer } from 'node:net'

/** Returns a port of this host that no program is using. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'string' || address === null ? 0 : address.port))
    })
  })
}
