import { createServer, type ServerResponse } from 'node:http'

/** A message that asks a rail to pay out, to give back, or to collect. */
export type Transfer = {
  providerId: string
  /** Ours. */
  reference: string
  /** The rail does it: answers what it said, or nothing when it dropped the connection. */
  forward(): Promise<RailAnswer | undefined>
  /** Tells the service; without an answer its connection is dropped. */
  answer(given: RailAnswer | undefined): void
}

type RailAnswer = { status: number; body: string }

export type RailBefore = {
  /** For `SIMULATOR_URL`. */
  url: string
  /** Where the simulator is: `http://127.0.0.1:…/simulator`. */
  simulatorUrl: string
  /** Lets a provider's questions hang: what became of a transfer is never answered. Until the answer is called. */
  mute(providerId: string): () => void
  /** What becomes of a transfer; as a rule it is passed on. */
  onTransfer: (transfer: Transfer) => void
  /** Hears of each question, which is passed on. */
  onQuestion: (reference: string, providerId: string) => void
  /** Whether MTN's rails learn where to report: they report to the address of one node only. */
  reports: boolean
  close(): void
}

export const passOn = async ({ forward, answer }: Transfer) => answer(await forward())

/** Stands before the simulated rails, so that a test can decide what becomes of what the service asks of them. */
export async function startRailBefore(): Promise<RailBefore> {
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
      /^\/(?:mtn|rest)\/([^/]+)\/(disbursement\/.*\/(?:transfer|refund)|transfers|refunds|collection\/.*\/requesttopay|collections)\/?(.*)$/.exec(
        request.url!,
      ) ?? []
    if (providerId && reference && request.method === 'GET') rail.onQuestion(reference, providerId)
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
  const rail: RailBefore = {
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
    onQuestion: () => {},
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
