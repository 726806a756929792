/** Details of a request that are passed to hooks. They include neither the token nor the body. */
export type RequestInfo = {
  method: string
  /** Path with the query string. */
  path: string
  /** Number of the attempt, starting at 1. */
  attempt: number
  idempotencyKey: string | undefined
}
export type ResponseInfo = RequestInfo & {
  /** HTTP status; 0 if there was no response. */
  status: number
  requestId: string | undefined
  durationMs: number
}

export type PesewaOptions = {
  /** Access token. */
  token: string
  /** ID of the Space to use for calls, `spc-…`. Optional if you make only calls that do not require a Space. */
  space?: string
  /** URL of the service, such as `https://pay.example.com`. */
  baseUrl: string
  /** Timeout of a call with all its retries, in milliseconds. Default: 30,000. */
  timeoutMs?: number
  /** Timeout of a single attempt, in milliseconds. Default: 10,000. */
  tryTimeoutMs?: number
  /** Maximum number of retries if there is no response, or if the failure is temporary. Default: 2. */
  maxRetries?: number
  /** Replaces the global `fetch`, for tests, proxies or tracing. */
  fetch?: typeof fetch
  /** Called before each attempt. */
  onRequest?: (request: RequestInfo) => void
  /** Called after each attempt, whether or not it succeeded. */
  onResponse?: (response: ResponseInfo) => void
}

/** The options of a client whose credentials may be a cookie, such as the console's. */
export type ClientOptions = Omit<PesewaOptions, 'token'> & { token?: string }

/** Options of a single call, which override those of the client. */
export type CallOptions = {
  /** Idempotency key: calls with the same key are executed only once. Generated for each call if not set. */
  idempotencyKey?: string
  /** ID of the Space to use for this call. */
  space?: string
  /** Timeout of the call with all its retries, in milliseconds. */
  timeoutMs?: number
  /** Timeout of a single attempt, in milliseconds. */
  tryTimeoutMs?: number
  /** Maximum number of retries; 0 for none. */
  maxRetries?: number
  /**
   * Aborts the call. If the call changes data and may already have been executed, it throws
   * `OutcomeUnknownError`.
   */
  signal?: AbortSignal
  /** Additional request headers. */
  headers?: Record<string, string>
}
