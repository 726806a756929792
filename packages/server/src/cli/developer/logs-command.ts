import { setTimeout as pause } from 'node:timers/promises'
import { ConnectionError, type ListedRequest, Pesewa } from '../../../../sdk/src/index.ts'
import { styled } from '../output/colour.ts'
import { toJson } from '../output/describe.ts'
import { type ConnectionOptions, readConnection, throwWithUrl } from './connection.ts'
import { endAtOnce } from './end-at-once.ts'

export type TailOptions = ConnectionOptions & {
  status?: '2xx' | '4xx' | '5xx'
  path?: string
  lines: number
  json?: boolean
}

const pageSize = 50
const everyMs = 1_000 // how often `pesewa logs tail` reads the request log, which is written once a second
/** Pages read at a time. If more requests arrive within a second, some are not printed. */
const maxPagesAgain = 10
const maxRemembered = 2_000

/**
 * `pesewa logs tail`: prints one line per API request to standard output and everything else to standard error,
 * until it receives a signal. Its own requests are not printed.
 */
export async function tailLogs(options: TailOptions): Promise<void> {
  endAtOnce()
  const connection = readConnection(options)
  const api = new Pesewa(connection)
  const print = (request: ListedRequest) =>
    void process.stdout.write(`${options.json ? toJson(request) : inWords(request)}\n`)
  const seen = new Set<string>()
  try {
    const earlier = await readNew(api, options, seen, 1)
    for (const request of options.lines > 0 ? earlier.slice(-options.lines) : []) print(request)
    process.stderr.write(
      `Following the API requests of Space ${connection.space} at ${connection.baseUrl}. Press Ctrl-C to stop.\n`,
    )
    for (;;) {
      await pause(everyMs)
      for (const request of await readAgain(api, options, seen)) print(request)
    }
  } catch (error) {
    throwWithUrl(connection.baseUrl, error)
  }
}

/** Reads new requests, and waits for a service that does not respond, which may be restarting. */
async function readAgain(api: Pesewa, options: TailOptions, seen: Set<string>): Promise<ListedRequest[]> {
  for (let isReported = false; ; isReported = true) {
    try {
      const requests = await readNew(api, options, seen, maxPagesAgain)
      if (isReported) process.stderr.write('Reconnected.\n')
      return requests
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error
      if (!isReported) process.stderr.write('The service is not responding. Reconnecting.\n')
      await pause(everyMs)
    }
  }
}

/**
 * Returns the requests that have not been seen yet, oldest first. Requests are logged in batches by several
 * nodes, not in the order of their ids, so the newest pages are compared with what was seen.
 */
async function readNew(
  api: Pesewa,
  { status, path }: TailOptions,
  seen: Set<string>,
  maxPages: number,
): Promise<ListedRequest[]> {
  const list = api.requests.list({
    limit: pageSize,
    ...(status && { statusClass: status }),
    ...(path && { pathPrefix: path }),
  })
  const found: ListedRequest[] = []
  for (let page = await list.page(), pages = 1; ; page = await list.page(page.next), pages++) {
    const fresh = page.items.filter(({ id }) => !seen.has(id))
    found.push(...fresh)
    if (!page.next || pages === maxPages || fresh.length < page.items.length) break
  }
  for (const { id } of found.toReversed()) seen.add(id)
  for (const id of [...seen].slice(0, Math.max(seen.size - maxRemembered, 0))) seen.delete(id)
  return found.filter(({ route }) => route !== '/v1/requests').toReversed()
}

function inWords({ timestamp, method, path, status, reason, durationMs }: ListedRequest): string {
  const colour = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red'
  const result = styled(colour, String(status), process.stdout)
  return [timestamp, result, method.padEnd(6), path, `${durationMs} ms`, ...(reason ? [reason] : [])].join(
    '  ',
  )
}
