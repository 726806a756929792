/** What a hook sees of a try: neither token nor body. */
export type RequestInfo = {
  method: string
  /** With its query. */
  path: string
  /** 1 for the first. */
  attempt: number
  idempotencyKey: string | undefined
}
export type ResponseInfo = RequestInfo & {
  /** 0: none came. */
  status: number
  requestId: string | undefined
  durationMs: number
}

export type PesewaOptions = {
  /** An access token of the service. */
  token: string
  /** The Space, `spc-…`, that calls are about. Not needed for what belongs to none. */
  space?: string
  /** Where the service is: `https://pay.example.com`. */
  baseUrl: string
  /** For a call with all its tries, in milliseconds; 30 000. */
  timeoutMs?: number
  /** For one try; 10 000. */
  tryTimeoutMs?: number
  /** How often a call is tried again that got no response, or one to wait for; 2. */
  maxRetries?: number
  /** In place of the global one: for tests, proxies, tracing. */
  fetch?: typeof fetch
  onRequest?: (request: RequestInfo) => void
  onResponse?: (response: ResponseInfo) => void
}

/** Of one call, in place of what the client was made with. */
export type CallOptions = {
  /** Your own name for this call: the same key is never carried out twice. Made up for each call where it is left out. */
  idempotencyKey?: string
  space?: string
  timeoutMs?: number
  tryTimeoutMs?: number
  maxRetries?: number
  signal?: AbortSignal
  headers?: Record<string, string>
}
