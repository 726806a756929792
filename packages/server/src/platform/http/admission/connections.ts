import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { callerKey, isWithin } from './caller.ts'

/** Timeouts of connections, in milliseconds. */
export type ConnectionTimeouts = {
  /**
   * Time within which the request headers must arrive. A connection on which nothing is sent is closed after
   * this time as well.
   */
  headersTimeoutMs: number
  /** Time within which the whole request must arrive. */
  requestTimeoutMs: number
  /**
   * During a request or its response, the connection is closed if there is no traffic in either direction for
   * this time.
   */
  stuckTimeoutMs: number
  /** Time after which an export is closed if its client has stopped reading. */
  stalledExportMs: number
  /** Time for which a connection is still read after its last response, before it is closed. */
  lingerMs: number
  /** Interval between checks for overdue requests. */
  checkEveryMs: number
}

export const defaultTimeouts: ConnectionTimeouts = {
  headersTimeoutMs: 15_000, // limit: time for the headers of a request to arrive
  requestTimeoutMs: 30_000, // limit: time for a whole request to arrive
  stuckTimeoutMs: 45_000, // time after which a connection without traffic is closed during a request
  stalledExportMs: 40_000, // time after which an export is closed if its client has stopped reading
  lingerMs: 1_000,
  checkEveryMs: 1_000,
}

export type ConnectionCap = {
  maxPerAddress: number
  /** Networks of proxies. A connection from a proxy serves many callers. */
  trustedProxies: string[]
  onRefused(): void
}

/**
 * Limits the number of open connections per client IP address. Further connections are closed before the client
 * can send anything.
 */
export function capConnections(
  server: Server,
  { maxPerAddress, trustedProxies, onRefused }: ConnectionCap,
): void {
  const openOf = new Map<string, number>()
  server.on('connection', (socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isWithin(trustedProxies, remoteAddress)) return
    const caller = callerKey(remoteAddress)
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
 * Makes shutdown wait for requests but not for idle connections. Otherwise, a client could delay the shutdown
 * indefinitely with a keep-alive or preconnected connection.
 */
export function closeIdleConnections(server: FastifyInstance): void {
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
