import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { callerAt, isWithin } from './caller.ts'

/** How long a connection may keep the server waiting. */
export type Patience = {
  /** Until the headers of a request are there; a connection that says nothing is gone by then. */
  headersTimeoutMs: number
  /** Until the whole request is there. */
  requestTimeoutMs: number
  /** Nothing moved in either direction, while a request or its response is under way. */
  stuckTimeoutMs: number
  /** The client of an export has taken nothing of it. */
  stalledExportMs: number
  /** How long after its last response a connection may still be read from, before it is cut. */
  lingerMs: number
  /** How often is checked for requests that do not arrive. */
  checkEveryMs: number
}

export const usualPatience: Patience = {
  headersTimeoutMs: 15_000, // limit: time for the headers of a request to arrive
  requestTimeoutMs: 30_000, // limit: time for a whole request to arrive
  stuckTimeoutMs: 45_000, // limit: time until a connection is cut on which nothing moves
  stalledExportMs: 40_000, // limit: time until an export is cut whose client takes nothing more of it
  lingerMs: 1_000,
  checkEveryMs: 1_000,
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

/**
 * Closing waits for requests, never for connections: one that is kept alive, or that a browser opened ahead, would
 * hold the process for as long as the other side likes.
 */
export function endQuietConnections(server: FastifyInstance): void {
  const requestsOf = new Map<Socket, number>()
  let isClosing = false
  server.server.on('connection', (socket) => {
    if (isClosing) return socket.destroy()
    requestsOf.set(socket, 0)
    socket.once('close', () => requestsOf.delete(socket))
  })
  server.server.on('request', ({ socket }, response) => {
    requestsOf.set(socket, (requestsOf.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (requestsOf.get(socket) ?? 1) - 1
      requestsOf.set(socket, left)
      if (isClosing && left === 0) socket.destroySoon()
    })
  })
  server.addHook('preClose', async () => {
    isClosing = true
    for (const [socket, requests] of requestsOf) if (requests === 0) socket.destroy()
  })
}
