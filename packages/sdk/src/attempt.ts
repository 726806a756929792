import { parseRetryAfter } from './delays.ts'
import { ConnectionError, createApiError, type Fault } from './errors.ts'
import { parseJson, writeJson } from './json.ts'
import type { CallOptions, ClientOptions, RequestInfo } from './options.ts'

const json = 'application/json'

export type Operation = { method: string; path: string; query?: object | undefined; body?: unknown }

/** A parsed response, in which `data` is the `result` from the envelope, or a `Blob` if it is a file. */
export type Answer<T> = {
  data: T
  /** For lists, the cursor for the next page; `null` on the last page. */
  next: string | null
  status: number
  requestId: string | undefined
  headers: Headers
}

/**
 * A failed attempt. `retryAfterMs` is the minimum wait before a retry, in milliseconds; `undefined` if a retry
 * cannot help. `isUnknown` is true if the call may have been executed.
 */
export type Failed = { error: unknown; retryAfterMs?: number; isUnknown: boolean }

export async function tryOnce<T>(
  client: ClientOptions,
  operation: Operation,
  options: CallOptions,
  attempt: number,
  timeoutMs: number,
): Promise<{ answer: Answer<T> } | Failed> {
  const { method } = operation
  const { signal } = options
  const path = operation.path + searchOf(operation.query)
  const about: RequestInfo = { method, path, attempt, idempotencyKey: options.idempotencyKey }
  // Invalid input from the caller throws here, before anything is sent.
  const headers = new Headers(headersOf(client, options, operation.body !== undefined))
  const body = operation.body === undefined ? undefined : writeJson(operation.body)
  signal?.throwIfAborted()
  client.onRequest?.(about)
  const begun = Date.now()
  const received = await receive(client, path, { method, headers, ...(body && { body }) }, timeoutMs, signal)
  const { response } = received
  const requestId = response?.headers.get('service-request-id') ?? undefined
  const durationMs = Date.now() - begun
  client.onResponse?.({ ...about, status: response?.status ?? 0, requestId, durationMs })
  if (response) return parseResponse<T>(response, received.content, requestId, options.idempotencyKey)
  // The caller aborted after the request was sent, so its outcome is unknown.
  if (signal?.aborted) return { error: signal.reason, isUnknown: true }
  return { error: received.error, retryAfterMs: 0, isUnknown: true }
}

type Received =
  | { response: Response; content: string | Blob }
  | { response?: undefined; error: ConnectionError }

async function receive(
  client: ClientOptions,
  path: string,
  init: RequestInit & { headers: Headers },
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const timer = new AbortController()
  const stop = () => timer.abort()
  const timeout = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const response = await send(client, path, { ...init, signal: timer.signal })
    const content = await (isFile(response, init.headers) ? response.blob() : response.text())
    return { response, content }
  } catch (cause) {
    const message = timer.signal.aborted
      ? 'The service did not respond in time.'
      : 'Could not connect to the service.'
    return { error: new ConnectionError(message, { cause }) }
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', stop)
  }
}

/** Returns whether the response has the type other than JSON that the call accepts, such as `text/csv`. */
function isFile({ ok, headers }: Response, sent: Headers): boolean {
  const accepted = sent.get('accept') ?? json
  return ok && accepted !== json && (headers.get('content-type') ?? '').startsWith(accepted)
}

/** Sends a request without following redirects, so that the token is never sent to another server. */
export function send({ fetch: own = fetch, baseUrl }: ClientOptions, path: string, init: RequestInit) {
  // Cloudflare Workers do not support redirect: 'error'.
  return own(baseUrl.replace(/\/+$/, '') + path, { ...init, redirect: 'manual' })
}

export function headersOf(
  { token, space: usual }: ClientOptions,
  { space = usual, idempotencyKey, headers }: CallOptions,
  hasBody: boolean,
): Record<string, string> {
  return {
    accept: json,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(space !== undefined && { 'service-space-id': space }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(hasBody && { 'content-type': json }),
    ...headers,
  }
}

type Envelope<T> = {
  success: boolean
  result: T
  pagination?: { next: string | null }
  error?: { reason?: string; message?: string; details?: Fault[] }
}

export function parseResponse<T>(
  { ok, status, headers }: Response,
  content: string | Blob,
  requestId: string | undefined,
  idempotencyKey: string | undefined,
): { answer: Answer<T> } | Failed {
  const envelope = typeof content === 'string' ? readEnvelope<T>(content) : fileEnvelope<T>(content)
  if (ok && envelope?.success && 'result' in envelope)
    return {
      answer: { data: envelope.result, next: envelope.pagination?.next ?? null, status, requestId, headers },
    }
  const {
    reason = 'unreadable',
    message = unreadableMessage(status, headers),
    details = [],
  } = envelope?.error ?? {}
  const error = createApiError({ status, reason, message, details, requestId, idempotencyKey })
  const mayHelp = [408, 429, 500, 502, 503, 504].includes(status) || reason === 'idempotency_key_in_progress'
  return {
    error,
    // A response without an envelope may come from a proxy, so the service may have executed the call.
    isUnknown:
      status >= 500 || status < 400 || reason === 'unreadable' || reason === 'idempotency_key_in_progress',
    ...(mayHelp && { retryAfterMs: parseRetryAfter(headers.get('retry-after')) }),
  }
}

const unreadableMessage = (status: number, headers: Headers) =>
  status >= 300 && status < 400
    ? `baseUrl is not the URL of the service: it redirects to ${headers.get('location') ?? 'another URL'}.`
    : 'The response is not from a Pesewa service. Check baseUrl and any proxy in between.'

// Safe: only callers that ask for a file receive one.
const fileEnvelope = <T>(file: Blob) => ({ success: true, result: file }) as Envelope<T>

function readEnvelope<T>(text: string): Envelope<T> | undefined {
  try {
    const content = parseJson(text)
    // A response without the envelope did not come from the service.
    return typeof content === 'object' && content !== null && 'success' in content
      ? (content as unknown as Envelope<T>)
      : undefined
  } catch {
    return undefined
  }
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      search.set(name, value instanceof Date ? value.toISOString() : String(value))
  const text = search.toString()
  return text && `?${text}`
}
