import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { RailBefore } from './rail.ts'

/** A message to a simulated rail. */
export type RailMessage = {
  method: string
  /** `/mtn/m17/collection/v1_0/…` */
  path: string
  response: ServerResponse
  /** The rail carries it out, and says this; nothing where it drops the connection, as the door does then. */
  forward(): Promise<{ status: number; body: string } | undefined>
}

/** Whether it asks the rail to move money: not for a token or a key, for a payee, or what became of something. */
export const isSubmit = ({ method, path }: RailMessage) =>
  method !== 'GET' && !/token|encryption-keys|transferrecipient|query|submit_otp/.test(path)

export type Door = Pick<RailBefore, 'url' | 'simulatorUrl'> & {
  /** What becomes of a message; as a rule it is passed on. */
  onMessage: (message: RailMessage) => void
  close(): void
}

export const pass = async ({ forward, response }: RailMessage) => {
  const said = await forward()
  if (said) response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body)
}

/** Stands before all simulated rails, in the way that one node takes to them. */
export async function startDoor(): Promise<Door> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.on('error', () => {})
    const { method = 'GET', url: path = '' } = request
    door.onMessage({ method, path, response, forward: () => forward(door, request, Buffer.concat(chunks)) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const door: Door = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    simulatorUrl: '',
    onMessage: (message) => void pass(message),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return door
}

async function forward({ simulatorUrl }: Door, request: IncomingMessage, body: Buffer) {
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  try {
    const response = await fetch(simulatorUrl + request.url, {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    })
    return { status: response.status, body: await response.text() }
  } catch {
    request.socket.destroy()
    return undefined
  }
}
