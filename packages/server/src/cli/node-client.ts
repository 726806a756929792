import { Agent, request } from 'node:http'
import { codeOf } from '@pesewa/values'
import type { PlatformSettings } from '../platform/config.ts'
import { CommandError } from './command.ts'
import { controlPath, nodeHeader, nodeIdentity, operatorHeader } from './control-path.ts'

/** A running node with the same data folder, version and database as this command. */
export type RunningNode = {
  /** Calls a route for operators like the global `fetch`. Throws a CommandError if the node failed. */
  fetch: typeof fetch
  close(): void
}

type Answer = { status: number; text: string }
type Sent = { method?: string; headers?: Record<string, string>; body?: string }

/**
 * Connects to the node that runs with this DATA_DIR. Returns `undefined` if there is none, or if it has another
 * version or database.
 */
export async function findNode(settings: PlatformSettings, operator = ''): Promise<RunningNode | undefined> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { status } = (await callNode(settings, '/', { agent })) ?? {}
  // It is the right node, but it does not know this path.
  if (status !== 404) {
    agent.destroy()
    return undefined
  }
  return {
    async fetch(input, { method = 'GET', headers, body } = {}) {
      const { pathname, search } = new URL(String(input))
      const own = {
        ...Object.fromEntries(new Headers(headers)),
        [operatorHeader]: encodeURIComponent(operator),
      }
      const sent = { method, headers: own, agent, ...(body && { body: String(body) }) }
      const { status, text } = (await callNode(settings, pathname + search, sent)) ?? gone()
      if (status >= 500) throw new CommandError(`The running node failed: ${text}. Its log has the details.`)
      return new Response(text, { status })
    },
    close: () => agent.destroy(),
  }
}

const gone = (): never => {
  throw new CommandError(
    'The node stopped before it responded. The command may have taken effect, so check before you repeat it.',
  )
}

/** Sends a request to the node of this DATA_DIR. Returns `undefined` if no node is listening. */
export const callNode = (
  settings: PlatformSettings,
  path: string,
  { method = 'GET', headers = {}, body, agent }: Sent & { agent?: Agent } = {},
): Promise<Answer | undefined> =>
  new Promise((resolve, reject) => {
    const sent = request({
      socketPath: controlPath(settings.dataDir),
      path,
      method,
      headers: { ...headers, [nodeHeader]: nodeIdentity(settings) },
      ...(agent && { agent }),
    })
    sent.once('error', (error) => (isAbsent(error) ? resolve(undefined) : reject(error)))
    sent.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 500, text: Buffer.concat(chunks).toString() }),
      )
    })
    sent.end(body)
  })

/** Without a socket, or without access to it, a command opens the database itself. */
const isAbsent = (error: unknown) =>
  [
    'ENOENT',
    'ENOTDIR',
    'ECONNREFUSED',
    'EACCES',
    'EPERM',
    'ECONNRESET',
    'EPIPE',
    'EINVAL',
    'ENAMETOOLONG',
  ].includes(codeOf(error) ?? '')
