import { type Failed, headersOf, parseResponse, send } from './attempt.ts'
import { List } from './call.ts'
import { backOff, wait } from './delays.ts'
import { ConnectionError } from './errors.ts'
import type { Change, WebhookEvent } from './generated/types.ts'
import { parseJson } from './json.ts'
import type { CallOptions, ClientOptions, RequestInfo } from './options.ts'
import { request } from './request.ts'

export type StreamOptions = Pick<CallOptions, 'space' | 'headers' | 'tryTimeoutMs' | 'maxRetries'> & {
  /**
   * ID of the last event that you have handled, `evt-…`; the stream starts after it. If it is not set, the
   * stream starts with the next event to be published. Store this ID if your program must not miss any events.
   */
  after?: string | undefined
  /** Aborting this signal ends the loop without an error. */
  signal?: AbortSignal | undefined
  /**
   * Time without data after which a connection is considered lost, in milliseconds. The service sends a
   * keep-alive every 15 seconds. Default: 45,000.
   */
  silenceMs?: number | undefined
  /** Called when the connection to the stream opens, and when it ends or is lost. */
  onConnection?: ((isOpen: boolean) => void) | undefined
}

/** Returns a client's `events.stream` method. */
export const streamMethod = (client: ClientOptions) =>
  function stream(options: StreamOptions = {}): AsyncIterable<WebhookEvent> {
    const rows = () => untilAborted(follow<WebhookEvent>(client, options, events), options.signal)
    return { [Symbol.asyncIterator]: rows }
  }

/** Returns the `changes.stream` method of the console's client. */
export const changesMethod = (client: ClientOptions) =>
  function stream(options: StreamOptions = {}): AsyncIterable<Change> {
    const rows = () => untilAborted(follow<Change>(client, options, changes), options.signal)
    return { [Symbol.asyncIterator]: rows }
  }

/** A stream, and the list that contains what happened before it was opened, if there is one. */
type Source<T> = {
  path: string
  list?: (client: ClientOptions, options: StreamOptions, limit: number) => Promise<(T & { id: string })[]>
}

async function* untilAborted<T>(rows: AsyncGenerator<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

/**
 * Streams events. The first connection can fail like any other call; after that, the stream reconnects until it
 * is aborted or the service refuses it.
 */
async function* follow<T>(
  client: ClientOptions,
  options: StreamOptions,
  { path, list }: Source<T>,
): AsyncGenerator<T> {
  const { signal, after, maxRetries = client.maxRetries ?? 2 } = options
  let position = after ?? (await list?.(client, options, 1))?.[0]?.id
  let [failures, wasConnected] = [0, false]
  while (!signal?.aborted) {
    const connection = await connectTo(client, path, options, position, failures + 1)
    if ('error' in connection) {
      const { error, retryAfterMs } = connection
      if (retryAfterMs === undefined || (!wasConnected && failures >= maxRetries)) throw error
      await wait(retryAfterMs + backOff(++failures), signal)
      continue
    }
    wasConnected = true
    options.onConnection?.(true)
    try {
      // Without a position, the stream delivers only events published after the connection opens, so earlier
      // ones are read from the list. If that fails, the connection counts as lost; if the service refuses the
      // caller, reconnecting fails, too, and throws.
      const lose = () => void connection.close()
      const missed = (position === undefined && (await list?.(client, options, Infinity).catch(lose))) || []
      for (const event of missed.reverse()) {
        position = event.id
        // Safe: the event has the type T; the compiler does not know that T is not a promise.
        yield event as T
      }
      if (missed.length > 0) continue
      for await (const { id, data } of messagesIn(connection, options)) {
        failures = 0
        position = id
        // Safe: the data comes from the service, so it has the declared type.
        yield parseJson(data) as T
      }
    } finally {
      connection.close()
      options.onConnection?.(false)
    }
    await wait(connection.retryMs ?? backOff(++failures), signal)
  }
}

/** Reads the latest events from the list, at most `limit`, newest first. */
function newestEvents(client: ClientOptions, options: StreamOptions, limit: number): Promise<WebhookEvent[]> {
  const { space, headers, tryTimeoutMs, maxRetries, signal } = options
  const operation = { method: 'GET', path: '/v1/events' }
  const list = new List(async (page) => {
    const query = { limit: Math.min(limit, 50), ...page }
    const { data, next } = await request<WebhookEvent[]>(
      client,
      { ...operation, query },
      { space, headers, tryTimeoutMs, maxRetries, signal },
    )
    return { items: data, next }
  })
  return list.all({ limit })
}

const events: Source<WebhookEvent> = { path: '/v1/events/stream', list: newestEvents }
const changes: Source<Change> = { path: '/v1/changes/stream' }

type Connection = {
  body: ReadableStream<Uint8Array>
  close: () => void
  /** The delay after which a node that is shutting down wants its clients to reconnect. */
  retryMs?: number
}

async function connectTo(
  client: ClientOptions,
  path: string,
  { signal, tryTimeoutMs = client.tryTimeoutMs ?? 10_000, space, headers: own }: StreamOptions,
  position: string | undefined,
  attempt: number,
): Promise<Connection | Pick<Failed, 'error' | 'retryAfterMs'>> {
  const about: RequestInfo = {
    ...{ method: 'GET', path, attempt },
    idempotencyKey: undefined,
  }
  const options = { ...(space !== undefined && { space }), ...(own && { headers: own }) }
  const headers = new Headers(headersOf(client, options, false))
  headers.set('accept', 'text/event-stream')
  if (position !== undefined) headers.set('last-event-id', position)
  const stop = new AbortController()
  const abort = () => stop.abort()
  const close = () => {
    signal?.removeEventListener('abort', abort)
    abort()
  }
  const timeout = setTimeout(abort, tryTimeoutMs)
  client.onRequest?.(about)
  const begun = Date.now()
  const reportResponse = (status: number, requestId?: string) =>
    client.onResponse?.({ ...about, status, requestId, durationMs: Date.now() - begun })
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const response = await send(client, about.path, { method: 'GET', headers, signal: stop.signal })
    const requestId = response.headers.get('service-request-id') ?? undefined
    reportResponse(response.status, requestId)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (response.ok && isStream && response.body) return { body: response.body, close }
    const judged = parseResponse(response, await response.text(), requestId, undefined)
    close()
    return 'error' in judged ? judged : { error: new ConnectionError('The response is not an event stream.') }
  } catch (cause) {
    reportResponse(0)
    close()
    return { error: new ConnectionError('Could not connect to the service.', { cause }), retryAfterMs: 0 }
  } finally {
    clearTimeout(timeout)
  }
}

/** Yields server-sent messages until the connection is closed or lost. Both end the iteration without an error. */
async function* messagesIn(
  connection: Connection,
  { silenceMs = 45_000 }: StreamOptions,
): AsyncGenerator<{ id: string; data: string }> {
  const { body, close } = connection
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const silence = setTimeout(close, silenceMs)
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    clearTimeout(silence)
    if (!value) return
    text += decoder.decode(value, { stream: true })
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages) {
      const [id, data] = [fieldIn(message, 'id'), fieldIn(message, 'data')]
      // A message without these fields is a keep-alive, or asks the client to reconnect.
      if (id && data) yield { id, data }
      const retry = fieldIn(message, 'retry')
      if (retry) connection.retryMs = +retry
    }
  }
}

// In a regular expression, U+2028 would end a line. JSON can contain it.
const fieldIn = (message: string, name: string) =>
  message
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)
