/** Request details passed to hooks. They include neither token nor body. */
export type RequestInfo = {
  method: string
  /** Includes the query. */
  path: string
  /** Starts at 1. */
  attempt: number
  idempotencyKey: string | undefined
}
export type ResponseInfo = RequestInfo & {
  /** 0 if there was no response. */
  status: number
  requestId: string | undefined
  durationMs: number
}

export type PesewaOptions = {
  /** Access token. */
  token: string
  /** Space to use for calls, `spc-…`. Not needed for calls without a Space. */
  space?: string
  /** Address of the service: `https://pay.example.com`. */
  baseUrl: string
  /** Timeout of a call with all its retries, in milliseconds. Default: 30,000. */
  timeoutMs?: number
  /** Timeout of a single attempt, in milliseconds. Default: 10,000. */
  tryTimeoutMs?: number
  /** Maximum number of retries after a missing or temporary response. Default: 2. */
  maxRetries?: number
  /** Replaces the global `fetch`, for tests, proxies or tracing. */
  fetch?: typeof fetch
  /** Called before each attempt. */
  onRequest?: (request: RequestInfo) => void
  /** Called after each attempt, whether or not it succeeded. */
  onResponse?: (response: ResponseInfo) => void
}

/** Options of a single call, which override those of the client. */
export type CallOptions = {
  /** Idempotency key: calls with the same key are executed only once. Generated for each call if not set. */
  idempotencyKey?: string
  /** Space to use for this call. */
  space?: string
  /** Timeout of the call with all its retries, in milliseconds. */
  timeoutMs?: number
  /** Timeout of a single attempt, in milliseconds. */
  tryTimeoutMs?: number
  /** Maximum number of retries; 0 for none. */
  maxRetries?: number
  /**
   * Aborts the call. If the call changes something, it may already have been executed; in that case, it throws
   * `OutcomeUnknownError`.
   */
  signal?: AbortSignal
  /** Additional request headers. */
  headers?: Record<string, string>
}
