import assert from 'node:assert/strict'
import type { IncomingMessage, Server } from 'node:http'

/**
 * Makes a server listen on loopback.
 *
 * @returns the server's URL without a trailing slash
 */
export async function listenOnLoopback(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen(port, '127.0.0.1', resolve),
  )
  const address = server.address()
  assert(address !== null && typeof address === 'object', 'the listening server has no address')
  return `http://127.0.0.1:${address.port}`
}

const maxBodyBytes = 64 * 1024 // maximum size of the body of a message that goes through the test bench

export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
