import type { Server } from 'node:http'
import { callerAt, isWithin } from './caller.ts'

/** How long a connection may keep the server waiting. */
export type Patience = {
  /** Until the headers of a request are there; a connection that says nothing is gone by then. */
  headersTimeoutMs: number
  /** Until the whole request is there. */
  requestTimeoutMs: number
  /** Nothing moved in either direction, while a request or its answer is under way. */
  stuckTimeoutMs: number
  /** How long after its last answer a connection may still be read from, before it is cut. */
  lingerMs: number
  /** How often requests are looked at that do not arrive. */
  lookEveryMs: number
}

export const usualPatience: Patience = {
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 30_000,
  stuckTimeoutMs: 45_000,
  lingerMs: 1_000,
  lookEveryMs: 1_000,
}

export type ConnectionCap = {
  maxPerAddress: number
  /** Networks of proxies: behind one stand many callers. */
  trustedProxies: string[]
  onRefused(): void
}

/** No address holds more connections than its share; what is too much is closed before it says anything. */
export function capConnections(
  server: Server,
  { maxPerAddress, trustedProxies, onRefused }: ConnectionCap,
): void {
  const openOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isWithin(trustedProxies, remoteAddress)) return
    const caller = callerAt(remoteAddress)
    const open = openOf.get(caller) ?? 0
    if (open >= maxPerAddress) {
      onRefused()
      socket.destroy()
      return
    }
    openOf.set(caller, open + 1)
    socket.once('close', () => {
      const left = (openOf.get(caller) ?? 0) - 1
      if (left <= 0) openOf.delete(caller)
      else openOf.set(caller, left)
    })
  })
}
