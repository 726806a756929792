import type { AddressInfo } from 'node:net'
import { createServer, type Socket } from 'node:net'
import pg from 'pg'

export type Pooler = { url: string; close(): Promise<void> }

/**
 * Starts a mock connection pooler between clients and the run's PostgreSQL. In `transaction` mode, a client has
 * a server connection only while a transaction is open, as in PgBouncer: the most recently used one, or the
 * least recently used one with `isFair`. In `session` mode, a client keeps its connection. Like PgBouncer, the
 * pooler rejects startup parameters unless `takesSettings` is set.
 */
export async function startPooler(
  connection: pg.ClientConfig,
  {
    mode,
    isFair = false,
    takesSettings = true,
  }: { mode: 'transaction' | 'session'; isFair?: boolean; takesSettings?: boolean },
): Promise<Pooler> {
  const servers: pg.Client[] = []
  const clients = new Set<Socket>()
  const free: Socket[] = []
  const open = async () => {
    const server = new pg.Client(connection)
    server.on('error', () => {})
    await server.connect()
    servers.push(server)
    const { stream } = (server as unknown as { connection: { stream: Socket } }).connection
    stream.removeAllListeners('data')
    return stream
  }
  for (let i = 0; i < 4; i++) free.push(await open())

  const listener = createServer((client) => {
    clients.add(client)
    let server: Socket | undefined
    const fromServer = (data: Buffer) => {
      client.write(data)
      // Every response here ends with ReadyForQuery; `I` means that no transaction is open.
      if (mode === 'session' || data.subarray(-6).toString('latin1') !== 'Z\0\0\0\x05I') return
      server!.off('data', fromServer)
      free.push(server!)
      server = undefined
    }
    client.once('data', (startup: Buffer) => {
      if (!takesSettings && startup.includes('statement_timeout')) return void client.end(refusal)
      client.write(greeting)
      client.on('data', (data: Buffer) => {
        // Terminate is not forwarded, because the server connection outlives the client.
        if (data[0] === 0x58) return void client.end()
        if (!server) {
          server = isFair ? free.shift()! : free.pop()!
          server.on('data', fromServer)
        }
        server.write(data)
      })
    })
    client.on('error', () => {})
    client.once('close', () => {
      clients.delete(client)
      if (server) free.push(server)
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  return {
    url: `postgresql://${connection.user}@127.0.0.1:${port}/${connection.database}`,
    async close() {
      for (const client of clients) client.destroy()
      listener.close()
      for (const server of servers)
        (server as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
    },
  }
}

const refusedFields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'
const refusal = Buffer.concat([
  Buffer.from([0x45, 0, 0, 0, refusedFields.length + 4]),
  Buffer.from(refusedFields, 'latin1'),
])

/** AuthenticationOk and ReadyForQuery. */
const greeting = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')
