import { ConnectionError, errorOf, type Fault, OutcomeUnknownError } from './errors.ts'
import { parseJson, writeJson } from './json.ts'
import type { CallOptions, PesewaOptions, RequestInfo } from './options.ts'

export type Operation = { method: string; path: string; query?: object | undefined; body?: unknown }

/** What came back, as far as it is told apart: `data` is the `result` of the envelope. */
export type Answer<T> = {
  data: T
  /** Of a list: where the next page begins; `null` after the last. */
  next: string | null
  status: number
  requestId: string | undefined
  headers: Headers
}

const settleMs = 120_000
const firstWaitMs = 500
const longestWaitMs = 8_000

/** Sends a call, and again where that is safe and may help; a POST has one key for all its tries. */
export async function request<T>(
  client: PesewaOptions,
  operation: Operation,
  options: CallOptions = {},
): Promise<Answer<T>> {
  const isCommand = operation.method !== 'GET'
  const key = operation.method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const sending = { ...options, ...(key !== undefined && { idempotencyKey: key }) }
  try {
    return await attempts<T>(client, operation, sending)
  } catch (error) {
    if (!isCommand || !(error instanceof Unknown)) throw error instanceof Unknown ? error.cause : error
    throw new OutcomeUnknownError<T>(error.cause, key, async ({ timeoutMs = settleMs, signal } = {}) => {
      const settling = { ...sending, timeoutMs, maxRetries: Infinity, ...(signal && { signal }) }
      return (await request<T>(client, operation, settling)).data
    })
  }
}

/** No response says whether it was carried out. */
class Unknown extends Error {}

async function attempts<T>(
  client: PesewaOptions,
  operation: Operation,
  options: CallOptions,
): Promise<Answer<T>> {
  const { timeoutMs = 30_000, tryTimeoutMs = 10_000, maxRetries = 2 } = { ...client, ...defined(options) }
  const until = Date.now() + timeoutMs
  // Once a try may have been carried out, only a response that says so ends the doubt.
  let unknown: Unknown | undefined
  for (let attempt = 1; ; attempt++) {
    const left = Math.min(tryTimeoutMs, until - Date.now())
    const outcome = await tryOnce<T>(client, operation, options, attempt, left)
    if ('answer' in outcome) return outcome.answer
    const { error, retryAfterMs, isUnknown } = outcome
    if (isUnknown) unknown = new Unknown('', { cause: error })
    if (retryAfterMs === undefined) throw isUnknown ? unknown : error
    const waitMs = Math.max(retryAfterMs, backOff(attempt))
    if (attempt > maxRetries || Date.now() + waitMs >= until) throw unknown ?? error
    await wait(waitMs, options.signal)
  }
}

/** With jitter, so that clients that failed together do not come back together. */
const backOff = (attempt: number) =>
  Math.min(longestWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)

/** `retryAfterMs`: how long to wait before it may be tried again; `undefined`: never. */
type Failed = { error: unknown; retryAfterMs?: number; isUnknown: boolean }

async function tryOnce<T>(
  client: PesewaOptions,
  operation: Operation,
  options: CallOptions,
  attempt: number,
  timeoutMs: number,
): Promise<{ answer: Answer<T> } | Failed> {
  const { method } = operation
  const path = operation.path + searchOf(operation.query)
  const about: RequestInfo = { method, path, attempt, idempotencyKey: options.idempotencyKey }
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(), timeoutMs)
  const stop = () => timer.abort()
  options.signal?.addEventListener('abort', stop, { once: true })
  const begun = Date.now()
  const done = (status: number, requestId?: string) =>
    client.onResponse?.({ ...about, status, requestId, durationMs: Date.now() - begun })
  try {
    options.signal?.throwIfAborted()
    client.onRequest?.(about)
    const response = await (client.fetch ?? fetch)(client.baseUrl.replace(/\/+$/, '') + path, {
      method,
      headers: headersOf(client, options, operation.body !== undefined),
      redirect: 'error',
      signal: timer.signal,
      ...(operation.body !== undefined && { body: writeJson(operation.body) }),
    })
    const text = await response.text()
    const requestId = response.headers.get('service-request-id') ?? undefined
    done(response.status, requestId)
    return judge<T>(response, text, requestId, options.idempotencyKey)
  } catch (error) {
    // Whoever called gave up: that is no answer of the service's. A value that cannot be written was never sent.
    if (options.signal?.aborted) throw options.signal.reason
    if (error instanceof RangeError) throw error
    done(0)
    const message = timer.signal.aborted
      ? 'The service did not respond in time.'
      : 'The service was not reached.'
    return { error: new ConnectionError(message, { cause: error }), retryAfterMs: 0, isUnknown: true }
  } finally {
    clearTimeout(timeout)
    options.signal?.removeEventListener('abort', stop)
  }
}

function headersOf(
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
  result: T
  pagination?: { next: string | null }
  error?: { reason?: string; message?: string; details?: Fault[] }
}

function judge<T>(
  { ok, status, headers }: Response,
  text: string,
  requestId: string | undefined,
  idempotencyKey: string | undefined,
): { answer: Answer<T> } | Failed {
  const content = readEnvelope<T>(text)
  if (ok && content)
    return {
      answer: { data: content.result, next: content.pagination?.next ?? null, status, requestId, headers },
    }
  const {
    reason = 'unreadable',
    message = 'The response cannot be read.',
    details = [],
  } = content?.error ?? {}
  const error = errorOf({ status, reason, message, details, requestId, idempotencyKey })
  const mayHelp = [408, 429, 500, 502, 503, 504].includes(status) || reason === 'idempotency_key_in_progress'
  return {
    error,
    // What is no response of the service's may come from anybody on the way to it.
    isUnknown:
      status >= 500 || status < 400 || reason === 'unreadable' || reason === 'idempotency_key_in_progress',
    ...(mayHelp && { retryAfterMs: waitOf(headers.get('retry-after')) }),
  }
}

function readEnvelope<T>(text: string): Envelope<T> | undefined {
  if (text === '') return { result: null as T }
  try {
    const content = parseJson(text)
    // The service's own form; anything else is not from it.
    return typeof content === 'object' && content !== null && 'success' in content
      ? (content as unknown as Envelope<T>)
      : undefined
  } catch {
    return undefined
  }
}

/** Seconds, or a date; 0 for anything else. */
function waitOf(retryAfter: string | null): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now()
  return ms > 0 ? ms : 0
}

function searchOf(query: object = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null)
      search.set(name, value instanceof Date ? value.toISOString() : String(value))
  const text = search.toString()
  return text && `?${text}`
}

const wait = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })

/** Without what was left out by `undefined`, which would take the place of a value. */
const defined = (options: CallOptions): CallOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
