import type { Calls } from './calls.ts'
import { parseJson } from './json.ts'
import { recordReachability } from './reachability.ts'

export type CallName = keyof Calls
type PartsOf<Name extends CallName> = Omit<Calls[Name], 'result' | 'isList' | 'needsSpace'>
type Nothing = Record<never, never>
/** The parts of a call that the caller may omit, because all of their members are optional. */
type OptionalParts<Parts> = {
  [Part in keyof Parts as Nothing extends Parts[Part] ? Part : never]?: Parts[Part]
}
type RequiredParts<Parts> = {
  [Part in keyof Parts as Nothing extends Parts[Part] ? never : Part]: Parts[Part]
}

/** The `path`, `query` and `body` arguments of a call. Arguments that the call does not take are absent. */
export type ArgumentsOf<Name extends CallName> = OptionalParts<PartsOf<Name>> & RequiredParts<PartsOf<Name>>
export type ResultOf<Name extends CallName> = Calls[Name]['result']

export type Environment = 'test' | 'live'
/** The Space and environment whose data is read or changed. */
export type Scope = { spaceId: string; environment: Environment }

export type Page<Name extends CallName> = { result: ResultOf<Name>; next: string | null }

/**
 * The API refused the call, or the call could not be made. `status` is 0 if the service is unreachable or no
 * passkey was used.
 */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly details: { param: string; errors: string[] }[]
  readonly requestId: string | null
  /** Paths of the fields that display their own error. */
  readonly #shown = new Set<string>()

  constructor(
    status: number,
    { reason, message, details = [] }: { reason: string; message: string; details?: ApiError['details'] },
    requestId: string | null = null,
  ) {
    super(message)
    this.status = status
    this.reason = reason
    this.details = details
    this.requestId = requestId
  }

  /** Returns the error for the field with this path, if there is one, and records that the field displays it. */
  issueOf(param: string): string | undefined {
    const issues = this.#issues()
    const issue =
      issues.find((each) => each.param === param) ?? issues.find((each) => isNestedIn(each.param, param))
    if (issue) this.#shown.add(issue.param)
    return issue?.errors[0]
  }

  /** Returns the errors that are not displayed next to a field. */
  unshownIssues(): ApiError['details'] {
    return this.#issues().filter(({ param }) => !this.#shown.has(param))
  }

  /** Returns whether every error is displayed next to a field. */
  isFullyShown(): boolean {
    return this.#shown.size > 0 && this.unshownIssues().length === 0
  }

  /**
   * Returns the errors by field. If the API lists none but its reason concerns a single field, returns the
   * message as that field's error.
   */
  #issues(): ApiError['details'] {
    const param = fieldByReason[this.reason]
    return this.details.length === 0 && param ? [{ param, errors: [this.message] }] : this.details
  }
}

/**
 * Returns whether a path is inside a list or object that has a single form field. For example, the field
 * `alertEmails` displays an error at `alertEmails[0]`.
 */
const isNestedIn = (inner: string, outer: string) =>
  inner.startsWith(`${outer}[`) || inner.startsWith(`${outer}.`)

const fieldByReason: Record<string, string> = {
  fund_insufficient: 'amount.value',
  refund_exceeds_payment: 'amount.value',
  recall_exceeds_payout: 'amount.value',
  reference_in_use: 'reference',
}

type AnyArguments = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
/**
 * Options of a call. `scope` has no Space if the call depends only on the environment, and is `undefined` if
 * the call depends on neither.
 */
type Options = {
  scope: Scope | Pick<Scope, 'environment'> | undefined
  signal?: AbortSignal | undefined
  idempotencyKey?: string
}

type AskForStepUp = () => Promise<boolean>
let askForStepUp: AskForStepUp | undefined

/**
 * Registers the step-up dialog, and returns a function that unregisters it. `ask` resolves to true if the user
 * confirmed their identity.
 */
export function registerStepUp(ask: AskForStepUp): () => void {
  askForStepUp = ask
  return () => {
    askForStepUp = undefined
  }
}

/**
 * Calls the API with the user's session. If a step-up is required, asks the user to confirm their identity and
 * then sends the same call again.
 */
export async function call<Name extends CallName>(
  name: Name,
  args: ArgumentsOf<Name>,
  options: Options,
): Promise<Page<Name>> {
  const withIdempotencyKey = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
  const send = () => request(name, args as AnyArguments, 'application/json', withIdempotencyKey)
  const response = await send().catch(async (error: ApiError) => {
    if (error.reason === 'step_up_required' && (await askForStepUp?.())) return send()
    throw error
  })
  // Safe: the result types are generated from the routes' schemas.
  const { result, pagination } = parseJson(await response.text()) as {
    result: ResultOf<Name>
    pagination?: { next: string | null }
  }
  return { result, next: pagination?.next ?? null }
}

/** Downloads a list or report in a media type other than JSON, such as `text/csv`. */
export async function download<Name extends CallName>(
  name: Name,
  args: ArgumentsOf<Name>,
  type: string,
  options: Options,
): Promise<Blob> {
  return (await request(name, args as AnyArguments, type, options)).blob()
}

/** Opens the stream of a Space's events, which the API sends as server-sent events. */
export const openStream = (scope: Scope, lastEventId: string | undefined, signal: AbortSignal) =>
  reach('/v1/events/stream', {
    headers: {
      accept: 'text/event-stream',
      ...scopeHeaders(scope),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal,
  })

/** Sends a request and records whether the service was reachable. */
async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init)
    recordReachability(true)
    return response
  } catch (error) {
    if (!init.signal?.aborted) recordReachability(false)
    throw error
  }
}

const scopeHeaders = (scope: Scope | Pick<Scope, 'environment'>) => ({
  ...('spaceId' in scope && { 'service-space-id': scope.spaceId }),
  'service-environment': scope.environment,
})

async function request(
  name: CallName,
  { path = {}, query = {}, body }: AnyArguments,
  accept: string,
  { scope, signal, idempotencyKey }: Options,
): Promise<Response> {
  const [method = 'GET', pattern = ''] = name.split(' ')
  const address = pattern.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(path[part] ?? ''))
  const hasBody = method === 'POST' || method === 'PATCH'
  const response = await reach(address + searchOf(query), {
    method,
    headers: {
      accept,
      ...(scope && scopeHeaders(scope)),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey ?? crypto.randomUUID() }),
    },
    ...(hasBody && { body: JSON.stringify(body ?? {}) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError(0, { reason: 'unreachable', message: '' })
  })
  if (!response.ok) throw await errorOf(response)
  return response
}

function searchOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, String(value))
  return search.size > 0 ? `?${search}` : ''
}

async function errorOf(response: Response): Promise<ApiError> {
  const requestId = response.headers.get('service-request-id')
  const body = await response.json().catch(() => undefined)
  const error = body?.error ?? { reason: 'unreadable', message: response.statusText }
  return new ApiError(response.status, error, requestId)
}
