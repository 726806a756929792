import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

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
