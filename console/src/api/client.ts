import type { Calls } from './calls.ts'
import { parseJson } from './json.ts'
import { noteReach } from './reach.ts'

export type CallName = keyof Calls
type PartsOf<Name extends CallName> = Omit<Calls[Name], 'result' | 'isList' | 'needsSpace'>
type Nothing = Record<never, never>
/** A query without required members may be left out, and so may an empty body. */
type OptionalParts<Parts> = {
  [Part in keyof Parts as Nothing extends Parts[Part] ? Part : never]?: Parts[Part]
}
type RequiredParts<Parts> = {
  [Part in keyof Parts as Nothing extends Parts[Part] ? never : Part]: Parts[Part]
}

/** What goes with a call: `path`, `query` and `body`, as far as it has them. */
export type ArgumentsOf<Name extends CallName> = OptionalParts<PartsOf<Name>> & RequiredParts<PartsOf<Name>>
export type ResultOf<Name extends CallName> = Calls[Name]['result']

export type Environment = 'test' | 'live'
/** Whose data it is about. */
export type Scope = { spaceId: string; environment: Environment }

export type Page<Name extends CallName> = { result: ResultOf<Name>; next: string | null }

/** A refusal; of `status` 0 that nobody could be reached, or that no passkey was used. */
export class ApiError extends Error {
  readonly status: number
  readonly reason: string
  readonly details: { param: string; errors: string[] }[]
  readonly requestId: string | null
  /** The fields that show what is wrong with them. */
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

  /** What is wrong with a field, by its path, for the field to show. */
  faultOf(param: string): string | undefined {
    const faults = this.#faults()
    const fault =
      faults.find((each) => each.param === param) ?? faults.find((each) => isInside(each.param, param))
    if (fault) this.#shown.add(fault.param)
    return fault?.errors[0]
  }

  /** What no field of the form shows. */
  unshown(): ApiError['details'] {
    return this.#faults().filter(({ param }) => !this.#shown.has(param))
  }

  /** Whether all of it stands beside the fields that it is about. */
  isShown(): boolean {
    return this.#shown.size > 0 && this.unshown().length === 0
  }

  /** Also a refusal as a whole may be about one field. */
  #faults(): ApiError['details'] {
    const param = fieldsOfReasons[this.reason]
    return this.details.length === 0 && param ? [{ param, errors: [this.message] }] : this.details
  }
}

/** A list or an object that one field of a form is for: `alertEmails[0]` is a fault of `alertEmails`. */
const isInside = (inner: string, outer: string) =>
  inner.startsWith(`${outer}[`) || inner.startsWith(`${outer}.`)

const fieldsOfReasons: Record<string, string> = {
  fund_insufficient: 'amount.value',
  refund_exceeds_payment: 'amount.value',
  recall_exceeds_payout: 'amount.value',
  reference_in_use: 'reference',
}

type Loose = { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }
/** Of no Space: where only the environment counts, or not even that. */
type Options = {
  scope: Scope | Pick<Scope, 'environment'> | undefined
  signal?: AbortSignal | undefined
  idempotencyKey?: string
}

type AskAgain = () => Promise<boolean>
let askAgain: AskAgain | undefined

/** What asks people to show again who they are, where a call needs that; it returns whether they did. */
export function onStepUp(ask: AskAgain): () => void {
  askAgain = ask
  return () => {
    askAgain = undefined
  }
}

/** Calls the API as whoever is signed in. Where that is too long ago, they are asked, and the same call is sent again. */
export async function call<Name extends CallName>(
  name: Name,
  args: ArgumentsOf<Name>,
  options: Options,
): Promise<Page<Name>> {
  const keyed = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() }
  const send = () => request(name, args as Loose, 'application/json', keyed)
  const response = await send().catch(async (error: ApiError) => {
    if (error.reason === 'step_up_required' && (await askAgain?.())) return send()
    throw error
  })
  // The routes' own shapes are what the types of calls are written from.
  const { result, pagination } = parseJson(await response.text()) as {
    result: ResultOf<Name>
    pagination?: { next: string | null }
  }
  return { result, next: pagination?.next ?? null }
}

/** A list or report by another of its media types, as a file. */
export async function download<Name extends CallName>(
  name: Name,
  args: ArgumentsOf<Name>,
  type: string,
  options: Options,
): Promise<Blob> {
  return (await request(name, args as Loose, type, options)).blob()
}

/** The events of a Space as they happen, as text in the form of server-sent events. */
export const openStream = (scope: Scope, lastEventId: string | undefined, signal: AbortSignal) =>
  reach('/v1/events/stream', {
    headers: {
      accept: 'text/event-stream',
      ...scopeHeaders(scope),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal,
  })

/** Fetches, and notes whether anybody was there. */
async function reach(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(address, init)
    noteReach(true)
    return response
  } catch (error) {
    if (!init.signal?.aborted) noteReach(false)
    throw error
  }
}

const scopeHeaders = (scope: Scope | Pick<Scope, 'environment'>) => ({
  ...('spaceId' in scope && { 'service-space-id': scope.spaceId }),
  'service-environment': scope.environment,
})

async function request(
  name: CallName,
  { path = {}, query = {}, body }: Loose,
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
