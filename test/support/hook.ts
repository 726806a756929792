import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire
export type Received = { id: string; headers: IncomingHttpHeaders; text: string; event: any; atMs: number }

export type Hook = {
  url: string
  received: Received[]
  /** What it answers from now on: a status, or whatever is to be done with the response; or what it says of the event. */
  answer:
    | number
    | { status: number; headers?: Record<string, string>; body?: string }
    | 'never'
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
    | ((event: any) => number)
  /** Waits for so many in all. */
  take(count: number): Promise<Received[]>
  /** Breaks off whatever is unanswered. */
  hangUp(): void
  close(): Promise<void>
}

/** A merchant's receiver of webhooks. */
export async function startHook(): Promise<Hook> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const { headers } = request
      const event = JSON.parse(text)
      hook.received.push({
        id: String(headers['webhook-id']),
        headers,
        text,
        event,
        atMs: performance.now(),
      })
      if (hook.answer === 'never') return
      const said = typeof hook.answer === 'function' ? hook.answer(event) : hook.answer
      const answer = typeof said === 'number' ? { status: said } : said
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const hook: Hook = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: 200,
    async take(count) {
      await until(() => hook.received.length >= count)
      return hook.received.slice(0, count)
    },
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return hook
}
