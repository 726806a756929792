import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TransferProxy } from './transfer-proxy.ts'

/** A request to a simulated rail. */
export type RailMessage = {
  method: string
  /** `/mtn-momo/m17/collection/v1_0/…` */
  path: string
  response: ServerResponse
  /**
   * Sends the request to the rail and returns its response, or `undefined` if the rail closed the connection;
   * the proxy then closes its connection, too.
   */
  forward(): Promise<{ status: number; body: string } | undefined>
}

/**
 * Whether a request asks the rail to move money, rather than for a token, a key, a payee's name or the status
 * of an order.
 */
export const isSubmit = ({ method, path }: RailMessage) =>
  method !== 'GET' && !/token|encryption-keys|transferrecipient|query|submit_otp/.test(path)

export type RailProxy = Pick<TransferProxy, 'url' | 'simulatorUrl'> & {
  /** Handles each request. By default, requests are forwarded to the rail. */
  onMessage: (message: RailMessage) => void
  close(): void
}

export const pass = async ({ forward, response }: RailMessage) => {
  const reply = await forward()
  if (reply) response.writeHead(reply.status, { 'content-type': 'application/json' }).end(reply.body)
}

/** Starts a proxy between one node and all simulated rails. */
export async function startRailProxy(): Promise<RailProxy> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    response.on('error', () => {})
    const { method = 'GET', url: path = '' } = request
    proxy.onMessage({ method, path, response, forward: () => forward(proxy, request, Buffer.concat(chunks)) })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RailProxy = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    simulatorUrl: '',
    onMessage: (message) => void pass(message),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

async function forward({ simulatorUrl }: RailProxy, request: IncomingMessage, body: Buffer) {
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
