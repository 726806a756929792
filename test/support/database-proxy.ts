import { createConnection, createServer, type Socket } from 'node:net'
import type pg from 'pg'
import { urlOf } from './program.ts'

export type DatabaseProxy = {
  /** A value for `DATABASE_URL`. */
  url: string
  /**
   * Holds back the response to each transaction in which a text matching this pattern is sent, until `release`
   * is called. The server still commits such transactions. `count` returns how many have been held back.
   */
  holdCommits(text: RegExp): { count(): number; release(): void }
  /** Closes all connections and refuses new ones until `mend` is called. */
  cut(): void
  mend(): void
  close(): void
}

/** A transaction may begin with its own timeouts. */
const beginning = /begin(?:; set local [^\0]*)?\0/g

/** Starts a proxy between a node and its database. */
export async function startDatabaseProxy(connection: pg.ClientConfig): Promise<DatabaseProxy> {
  const { host = '', port } = connection
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: port! }
  const sockets = new Set<Socket>()
  let heldText: RegExp | undefined
  let held: Socket[] = []
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return client.destroy()
    const upstream = createConnection(target)
    let transaction = ''
    client.on('data', (chunk) => {
      const begun = transaction + chunk.toString('latin1')
      transaction = begun.slice([...begun.matchAll(beginning)].at(-1)?.index ?? 0)
      if (transaction.includes('commit\0')) {
        if (heldText?.test(transaction)) {
          held.push(upstream)
          upstream.pause()
        }
        // Whatever is sent next on this connection belongs to another transaction, or to none.
        transaction = ''
      }
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => client.write(chunk))
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: urlOf({ ...connection, host: '127.0.0.1', port: (server.address() as { port: number }).port }),
    holdCommits(text) {
      heldText = text
      return {
        count: () => held.length,
        release() {
          heldText = undefined
          for (const upstream of held) upstream.resume()
          held = []
        },
      }
    },
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
