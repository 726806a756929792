import { chmodSync, mkdirSync, unlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { codeOf, messageOf, sameText } from '@pesewa/values'
import type { OperatorApi } from '../operator-api.ts'
import type { Database } from '../platform/db/database.ts'
import type { Log } from '../platform/log.ts'
import type { Settings } from '../slices.ts'
import { controlPath, nodeHeader, nodeIdentity, operatorHeader } from './control-path.ts'

const maxBodyBytes = 4_194_304 // size of a request body of an operator command, as for the API
const maxPathBytes = 103 // of a socket, on every system that Node supports
const maxNameLength = 1_000 // characters of an operator’s encoded name
const ownerOnly = 0o600

type ControlParts = { settings: Settings; db: Database; log: Log }

/**
 * Answers the commands of the operator of this machine, on a socket in DATA_DIR that only the node's own user can
 * open. That user can also read the secret key and the database. Commands start faster than if they opened the
 * database themselves, and use the node's actual settings.
 *
 * A node without a writable DATA_DIR, or whose DATA_DIR another node uses, has no socket; commands then work
 * without it. Returns a function that closes the socket.
 */
export async function openControl(parts: ControlParts): Promise<() => Promise<void>> {
  const file = controlPath(parts.settings.dataDir)
  const isFree = Buffer.byteLength(file) <= maxPathBytes && (await removeStale(file))
  if (!isFree) return async () => {}
  const server = createServer((request, response) => void answer(parts, request, response))
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    await listen(server, file)
  } catch (error) {
    parts.log.debug({ cause: messageOf(error) }, 'no control socket: commands open the database themselves')
    return async () => {}
  }
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}

/** Removes the socket that a node left behind when it was killed. Returns false if a node answers at it. */
function removeStale(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(file)
    probe.once('connect', () => {
      probe.destroy()
      resolve(false)
    })
    probe.once('error', (error) => {
      if (codeOf(error) === 'ECONNREFUSED') unlinkSync(file)
      resolve(true)
    })
  })
}

async function listen(server: Server, file: string): Promise<void> {
  const before = process.umask(0o177)
  try {
    // Creates the file before it returns, so nobody else can ever open it.
    // `exclusive`: it belongs to this process, although processes of a node share their ports.
    server.listen({ path: file, exclusive: true })
  } finally {
    process.umask(before)
  }
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve)
    server.once('error', reject)
  })
  chmodSync(file, ownerOnly)
  server.unref()
}

async function answer(
  parts: ControlParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const reply = (status: number, body: string) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  try {
    if (!sameText(String(request.headers[nodeHeader]), nodeIdentity(parts.settings)))
      return reply(421, '{"error":"another version or database"}')
    const { method = 'GET', url = '/' } = request
    const body = await readBody(request)
    if (body === undefined) return reply(413, '{"error":"too large"}')
    if (url === '/doctor' || url === '/doctor?offline') {
      const { checkUpNode } = await import('./doctor/all-checks.ts')
      return reply(200, JSON.stringify(await checkUpNode(parts.settings, url.endsWith('offline'))))
    }
    if (!url.startsWith('/v1/installation/')) return reply(404, '{"error":"not found"}')
    if (operatorIn(request.headers) === undefined) return reply(400, '{"error":"malformed name"}')
    const api = await apiOf(parts, request)
    const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
      forwarded.includes(name) ? [[name, String(value)]] : [],
    )
    const answered = await api.fetch(`http://installation${url}`, { method, headers, ...(body && { body }) })
    reply(answered.status, await answered.text())
  } catch (error) {
    parts.log.error({ err: error }, 'an operator command failed')
    reply(500, JSON.stringify({ error: messageOf(error) }))
  }
}

/** Headers of the client that routes read. */
const forwarded = ['authorization', 'content-type', 'idempotency-key', 'accept', 'service-version']

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Returns the name of the operator, or `undefined` if it is malformed or too long. */
function operatorIn(headers: IncomingMessage['headers']): string | undefined {
  const text = String(headers[operatorHeader] ?? '')
  try {
    return text.length <= maxNameLength ? decodeURIComponent(text) : undefined
  } catch {
    return undefined
  }
}

/** The routes opened for each connection. A command has one connection and one operator. */
const apis = new WeakMap<Socket, Promise<OperatorApi>>()

function apiOf({ settings, db }: ControlParts, { socket, headers }: IncomingMessage): Promise<OperatorApi> {
  const open = async () => {
    const { openOperatorApi } = await import('../operator-api.ts')
    const api = openOperatorApi(settings, db, operatorIn(headers) || 'operator')
    socket.once('close', () => void api.close())
    return api
  }
  const api = apis.get(socket) ?? open()
  apis.set(socket, api)
  return api
}
