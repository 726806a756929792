import { createServer } from 'node:http'
import type { ReceivedReport } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import { listenOnLoopback, readBody } from './loopback.ts'

export type CallbackReceiver = {
  url: string
  /** What came to the address of a payment or names it, in order. */
  of(reference: string): readonly ReceivedReport[]
  close(): void
}

/** Hears what the rail reports; each payment has an address of its own. */
export async function startReceiver(port = 0): Promise<CallbackReceiver> {
  const received: { path: string; report: ReceivedReport }[] = []
  const server = createServer(async (request, response) => {
    const rawBody = await readBody(request)
    const { method = '', headers, url: path = '' } = request
    const fields = parseFields(rawBody.toString())
    received.push({ path, report: { method, path, headers, address: '127.0.0.1', rawBody, fields } })
    response.end()
  })
  return {
    url: await listenOnLoopback(server, port),
    of: (reference) =>
      received.flatMap(({ path, report }) =>
        path.includes(reference) || report.rawBody.includes(reference) ? [report] : [],
      ),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
