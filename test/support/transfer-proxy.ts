import { createServer, type ServerResponse } from 'node:http'

/** A request that asks a rail to pay out, to refund, or to collect. */
export type Transfer = {
  providerId: string
  /** Our reference of the order. */
  reference: string
  /** Sends the request to the rail and returns its response, or `undefined` if the rail closed the connection. */
  forward(): Promise<RailAnswer | undefined>
  /** Sends a response to the service, or closes the connection if there is none. */
  answer(given: RailAnswer | undefined): void
}

type RailAnswer = { status: number; body: string }

export type TransferProxy = {
  /** A value for `SIMULATOR_URL`. */
  url: string
  /** The simulator's URL: `http://127.0.0.1:…/simulator`. */
  simulatorUrl: string
  /** Leaves all status queries to a provider unanswered, until the returned function is called. */
  mute(providerId: string): () => void
  /** Handles each transfer. By default, transfers are passed on to the rail. */
  onTransfer: (transfer: Transfer) => void
  /** Receives each status query before it is passed on. */
  onQuery: (reference: string, providerId: string) => void
  /** Whether MTN's rails learn the callback URL. They report to the URL of one node only. */
  reports: boolean
  close(): void
}

export const passOn = async ({ forward, answer }: Transfer) => answer(await forward())

/**
 * Starts a proxy in front of the simulated rails, with which a test decides what happens to the service's
 * requests to them.
 */
export async function startTransferProxy(): Promise<TransferProxy> {
  const muted = new Map<string, ServerResponse[]>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    if (!rail.reports) delete headers['x-callback-url']
    const forward = async (): Promise<RailAnswer | undefined> => {
      try {
        const answer = await fetch(rail.simulatorUrl + request.url, {
          method: request.method!,
          headers: headers as Record<string, string>,
          ...(body.length > 0 && { body }),
        })
        return { status: answer.status, body: await answer.text() }
      } catch {
        return undefined
      }
    }
    const answer = (given: RailAnswer | undefined) => answerWith(response, given)
    const [, providerId, , reference] =
      /^\/(?:mtn-momo|rest)\/([^/]+)\/(disbursement\/.*\/(?:transfer|refund)|transfers|refunds|collection\/.*\/requesttopay|collections)\/?(.*)$/.exec(
        request.url!,
      ) ?? []
    if (providerId && reference && request.method === 'GET') rail.onQuery(reference, providerId)
    if (providerId && request.method !== 'GET')
      rail.onTransfer({
        providerId,
        reference: reference || String(request.headers['x-reference-id']),
        forward,
        answer,
      })
    else if (providerId && muted.has(providerId)) muted.get(providerId)!.push(response)
    else answer(await forward())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const rail: TransferProxy = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    simulatorUrl: '',
    mute(providerId) {
      muted.set(providerId, [])
      return () => {
        for (const response of muted.get(providerId)!) response.destroy()
        muted.delete(providerId)
      }
    },
    onTransfer: (transfer) => void passOn(transfer),
    onQuery: () => {},
    reports: true,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return rail
}

function answerWith(response: ServerResponse, given: RailAnswer | undefined): void {
  if (given) response.writeHead(given.status, { 'content-type': 'application/json' }).end(given.body)
  else response.destroy()
}
