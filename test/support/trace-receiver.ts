import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { until } from './harness.ts'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  status: { code?: number }
  attributes: Record<string, string | number>
  links: { traceId: string; spanId: string }[]
}

export type TraceReceiver = {
  url: string
  spans: ReceivedSpan[]
  /** Everything that arrived, headers included, as text. */
  texts: string[]
  /** How messages are answered from now on: with a status, or not at all. */
  answer: number | 'never'
  /** Waits until this condition holds for the spans that have arrived. */
  take<T>(find: (spans: ReceivedSpan[]) => T | undefined | false): Promise<T>
  hangUp(): void
  close(): Promise<void>
}

/** Starts an OTLP/HTTP receiver for JSON, as a collector has. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
      receiver.texts.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n\n${text}`)
      if (receiver.answer === 'never') return
      if (receiver.answer === 200 && request.url === '/v1/traces')
        receiver.spans.push(...spansOf(JSON.parse(text)))
      response.writeHead(receiver.answer, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: TraceReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    texts: [],
    answer: 200,
    take: (find) => until(async () => find(receiver.spans)),
    hangUp: () => server.closeAllConnections(),
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return receiver
}

type SentValue = { stringValue?: string; intValue?: number; doubleValue?: number }
type SentSpan = Omit<ReceivedSpan, 'attributes' | 'links'> & {
  attributes: { key: string; value: SentValue }[]
  links?: ReceivedSpan['links']
}
type SentTraces = { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }

const spansOf = ({ resourceSpans }: SentTraces): ReceivedSpan[] =>
  resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ attributes, links = [], ...span }) => ({
      ...span,
      links,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, shownValue(value)])),
    }))

const shownValue = ({ stringValue, intValue, doubleValue }: SentValue) =>
  stringValue ?? Number(intValue ?? doubleValue)
