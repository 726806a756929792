import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: JSON from the wire
export type Received = { id: string; headers: IncomingHttpHeaders; text: string; event: any; atMs: number }

export type Hook = {
  url: string
  received: Received[]
  /**
   * The response to deliveries from now on: a status, a status with headers and body, no response at all, or a
   * function that returns the status for an event.
   */
  answer:
    | number
    | { status: number; headers?: Record<string, string>; body?: string }
    | 'never'
    // biome-ignore lint/suspicious/noExplicitAny: what came over the wire
    | ((event: any) => number)
  /** Waits until this many deliveries have arrived in total, and returns them. */
  take(count: number): Promise<Received[]>
  /** Closes all connections, including those still waiting for a response. */
  hangUp(): void
  close(): Promise<void>
}

/** Starts a merchant's webhook endpoint. */
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
      const answered = typeof hook.answer === 'function' ? hook.answer(event) : hook.answer
      const answer = typeof answered === 'number' ? { status: answered } : answered
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
