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
  /** Before each try. */
  onRequest?: (request: RequestInfo) => void
  /** After each try, whatever came of it. */
  onResponse?: (response: ResponseInfo) => void
}

/** Of one call, in place of what the client was made with. */
export type CallOptions = {
  /** Your own name for this call: the same key is never carried out twice. Made up for each call where it is left out. */
  idempotencyKey?: string
  /** The Space that it is about. */
  space?: string
  /** For the call with all its tries, in milliseconds. */
  timeoutMs?: number
  /** For one try. */
  tryTimeoutMs?: number
  /** How often it is tried again; 0 for never. */
  maxRetries?: number
  /** To give up. What changes something may have been carried out by then: that is an `OutcomeUnknownError`. */
  signal?: AbortSignal
  /** Sent with it. */
  headers?: Record<string, string>
}
