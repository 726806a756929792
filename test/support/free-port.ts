import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const givenPorts = new Set<number>()

/**
 * Returns a free port below the range from which the kernel assigns ports to outgoing connections, because one
 * of those could be taken before the program starts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(12_000, 32_000)
    const probe = createServer()
    const listens = await new Promise<boolean>((resolve) =>
      probe
        .once('error', () => resolve(false))
        .once('listening', () => resolve(true))
        .listen(port),
    )
    if (!listens) continue
    await new Promise((resolve) => probe.close(resolve))
    if (givenPorts.has(port)) continue
    givenPorts.add(port)
    return port
  }
}
