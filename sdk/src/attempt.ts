import { parseRetryAfter } from './delays.ts'
import { ConnectionError, createApiError, type Fault } from './errors.ts'
import { parseJson, writeJson } from './json.ts'
import type { CallOptions, PesewaOptions, RequestInfo } from './options.ts'

export type Operation = { method: string; path: string; query?: object | undefined; body?: unknown }

/** A parsed response, in which `data` is the `result` from the envelope. */
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
  client: PesewaOptions,
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
  if (response) return parseResponse<T>(response, received.text, requestId, options.idempotencyKey)
  // The caller aborted after the request was sent, so its outcome is unknown.
  if (signal?.aborted) return { error: signal.reason, isUnknown: true }
  return { error: received.error, retryAfterMs: 0, isUnknown: true }
}

type Received = { response: Response; text: string } | { response?: undefined; error: ConnectionError }

async function receive(
  client: PesewaOptions,
  path: string,
  init: RequestInit,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const timer = new AbortController()
  const stop = () => timer.abort()
  const timeout = setTimeout(stop, timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const response = await send(client, path, { ...init, signal: timer.signal })
    return { response, text: await response.text() }
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

/** Sends a request without following redirects, so that the token is never sent to another server. */
export function send({ fetch: own = fetch, baseUrl }: PesewaOptions, path: string, init: RequestInit) {
  // Cloudflare Workers do not support redirect: 'error'.
  return own(baseUrl.replace(/\/+$/, '') + path, { ...init, redirect: 'manual' })
}

export function headersOf(
  { token, space: usual }: PesewaOptions,
  { space = usual, idempotencyKey, headers }: CallOptions,
  hasBody: boolean,
): Record<string, string> {
  return {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    ...(space !== undefined && { 'service-space-id': space }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    ...(hasBody && { 'content-type': 'application/json' }),
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
  text: string,
  requestId: string | undefined,
  idempotencyKey: string | undefined,
): { answer: Answer<T> } | Failed {
  const content = readEnvelope<T>(text)
  if (ok && content?.success && 'result' in content)
    return {
      answer: { data: content.result, next: content.pagination?.next ?? null, status, requestId, headers },
    }
  const {
    reason = 'unreadable',
    message = unreadableMessage(status, headers),
    details = [],
  } = content?.error ?? {}
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
