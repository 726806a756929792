import { createServer } from 'node:http'
import type { ReceivedReport } from '../connector.ts'
import { parseFields } from '../rail-responses.ts'
import { listenOnLoopback, readBody } from './loopback.ts'

export type CallbackReceiver = {
  url: string
  /** Returns the reports that were sent to a payment's URL or that contain its reference, in order of arrival. */
  of(reference: string): readonly ReceivedReport[]
  /**
   * Runs `work` when the first report about a payment arrives, and does not respond to the rail until `work` is
   * done.
   */
  onFirst<T>(reference: string, work: () => Promise<T>): Promise<T>
  close(): void
}

type Received = { path: string; report: ReceivedReport }

const maxReports = 10_000 // maximum number of reports that a run of `pesewa rail-test` accepts

/** Starts a server that receives the rail's reports. Each payment has its own URL. */
export async function startReceiver(port = 0): Promise<CallbackReceiver> {
  const received: Received[] = []
  const reactions = new Map<string, () => Promise<void>>()
  const server = createServer(async (request, response) => {
    const rawBody = await readBody(request)
    const { method = '', headers, url: path = '' } = request
    const fields = parseFields(rawBody.toString())
    const report = { method, path, headers, address: '127.0.0.1', rawBody, fields }
    if (received.length < maxReports) received.push({ path, report })
    for (const [reference, react] of reactions)
      if (isAbout(reference, { path, report })) {
        reactions.delete(reference)
        await react()
      }
    response.end()
  })
  return {
    url: await listenOnLoopback(server, port),
    of: (reference) => received.filter((each) => isAbout(reference, each)).map(({ report }) => report),
    onFirst: (reference, work) =>
      new Promise((resolve, reject) => reactions.set(reference, () => work().then(resolve, reject))),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const isAbout = (reference: string, { path, report }: Received) =>
  path.includes(reference) || report.rawBody.includes(reference)
