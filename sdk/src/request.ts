import { ApiError, ConnectionError, errorOf, type Fault, OutcomeUnknownError } from './errors.ts'
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

/** As `undefined`, too: no value in place of that of the client. */
type Sending = { [K in keyof CallOptions]: CallOptions[K] | undefined }

/**
 * Sends a call, and again where that is safe and may help; a POST has one key for all its tries. `doubt`: it may have been carried out
 * before.
 */
export async function request<T>(
  client: PesewaOptions,
  operation: Operation,
  options: Sending = {},
  doubt?: Unknown,
): Promise<Answer<T>> {
  const isCommand = operation.method !== 'GET'
  const key = operation.method === 'POST' ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined
  const sending = { ...options, ...(key !== undefined && { idempotencyKey: key }) }
  try {
    return await attempts<T>(client, operation, sending, doubt)
  } catch (error) {
    if (!(error instanceof Unknown)) throw error
    if (!isCommand) throw error.cause
    throw new OutcomeUnknownError<T>(error.cause, key, async ({ timeoutMs = settleMs, signal } = {}) => {
      const settling = { ...sending, timeoutMs, maxRetries: Infinity, signal }
      return (await request<T>(client, operation, settling, error)).data
    })
  }
}

/** No response says whether it was carried out. */
class Unknown extends Error {}

async function attempts<T>(
  client: PesewaOptions,
  operation: Operation,
  options: Sending,
  doubt: Unknown | undefined,
): Promise<Answer<T>> {
  const given = defined(options)
  const { timeoutMs = 30_000, tryTimeoutMs = 10_000, maxRetries = 2 } = { ...client, ...given }
  const until = Date.now() + timeoutMs
  let unknown = doubt
  for (let attempt = 1; ; attempt++) {
    const left = Math.min(tryTimeoutMs, until - Date.now())
    const outcome = await tryOnce<T>(client, operation, given, attempt, left)
    if ('answer' in outcome) return outcome.answer
    const { error, retryAfterMs, isUnknown } = outcome
    if (isUnknown || (unknown && !endsDoubt(error))) unknown = new Unknown('', { cause: error })
    const waitMs = Math.max(retryAfterMs ?? 0, backOff(attempt))
    const mayTry = retryAfterMs !== undefined && attempt <= maxRetries && Date.now() + waitMs < until
    if (!mayTry) throw isUnknown || !endsDoubt(error) ? (unknown ?? error) : error
    await wait(waitMs, given.signal).catch((reason) => {
      throw unknown ? new Unknown('', { cause: reason }) : reason
    })
  }
}

/**
 * Whether a refusal says that an earlier try was not carried out either: the service looks for the key first. It does not where it refuses
 * before that: who calls, and how often.
 */
const endsDoubt = (error: unknown) =>
  error instanceof ApiError && ![401, 403, 408, 429].includes(error.status)

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
  const { signal } = options
  const path = operation.path + searchOf(operation.query)
  const about: RequestInfo = { method, path, attempt, idempotencyKey: options.idempotencyKey }
  // What is wrong with these is the caller's to mend: nothing was sent.
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
  if (response) return judge<T>(response, received.text, requestId, options.idempotencyKey)
  // Whoever called gave up after it was sent: that says nothing of what became of it.
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
    const url = client.baseUrl.replace(/\/+$/, '') + path
    const response = await (client.fetch ?? fetch)(url, { ...init, redirect: 'error', signal: timer.signal })
    return { response, text: await response.text() }
  } catch (cause) {
    const message = timer.signal.aborted
      ? 'The service did not respond in time.'
      : 'The service was not reached.'
    return { error: new ConnectionError(message, { cause }) }
  } finally {
    clearTimeout(timeout)
    signal?.removeEventListener('abort', stop)
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
  success: boolean
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
  if (ok && content?.success && 'result' in content)
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
const defined = (options: Sending): CallOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
