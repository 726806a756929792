import {
  type Answer,
  ApiError,
  api,
  type Call,
  type ClientOptions,
  type Line,
  type List,
  OutcomeUnknownError,
  operationOf,
  request,
} from '../../../sdk/src/internal.ts'
import type { Exact } from './exact.ts'
import { recordReachability } from './reachability.ts'

export { api } from '../../../sdk/src/internal.ts'

type Method = (...given: never[]) => Call<unknown> | List<unknown>
/** A call of the API, such as `api.payments.retrieve`. */
export type ApiCall = Line<Method>
export type ListCall = Line<(...given: never[]) => List<unknown>>

type MethodOf<Called> = Called extends Line<infer M> ? M : never
/** The arguments of a call: its path parameters, followed by its body or query. */
export type ArgumentsOf<Called> =
  MethodOf<Called> extends (...given: infer G) => unknown ? WithoutOptions<G> : never
/** The last parameter of every method is its options, which this module sets. */
type WithoutOptions<Given extends unknown[]> = Given extends [infer First, ...infer Rest]
  ? readonly [First, ...WithoutOptions<Rest>]
  : Required<Given> extends [infer First, unknown]
    ? readonly [First?]
    : readonly []
/** The body or query of a call. */
export type InputOf<Called> =
  Required<ArgumentsOf<Called>> extends readonly [...unknown[], infer Input] ? Input : never
export type ResultOf<Called> = Exact<Awaited<Returned<MethodOf<Called>>>>
type Returned<M> = M extends (...given: never[]) => List<infer Row>
  ? Row[]
  : M extends Method
    ? ReturnType<M>
    : never

export type Environment = 'test' | 'live'
/** The Space and environment whose data is read or changed. */
export type Scope = { spaceId: string; environment: Environment }

type Options = {
  /** Without a Space if the call depends only on the environment, and omitted if it depends on neither. */
  scope?: Partial<Scope>
  signal?: AbortSignal
  idempotencyKey?: string
  /** Cursor of the page to read; the first page if it is omitted or empty. */
  after?: string
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
 *
 * @throws ApiError if the API refuses the call; ConnectionError if the service is unreachable
 */
export async function call<Called extends ApiCall>(
  called: Called,
  args: ArgumentsOf<Called>,
  options: Options = {},
): Promise<Answer<ResultOf<Called>>> {
  const sending = { idempotencyKey: crypto.randomUUID(), ...options }
  try {
    return await send(called, args, sending)
  } catch (error) {
    const isStale = error instanceof ApiError && error.reason === 'step_up_required'
    if (isStale && (await askForStepUp?.())) return send(called, args, sending)
    throw error
  }
}

/** Downloads a list or report in a media type other than JSON, such as `text/csv`. */
export async function download<Called extends ApiCall>(
  called: Called,
  args: ArgumentsOf<Called>,
  type: string,
  scope: Scope,
): Promise<Blob> {
  return (await send<Blob>(called, args, { scope }, { accept: type })).data
}

/**
 * Streams the types of the objects that change in a Space from now on, if the user may read them. Reports whether
 * the stream is open.
 */
export const streamChanges = (scope: Scope, signal: AbortSignal, onConnection: (isOpen: boolean) => void) =>
  api.changes.stream(clientOf(signal))({ ...placeOf(scope), signal, onConnection })

async function send<T>(
  called: ApiCall,
  args: readonly unknown[],
  { scope = {}, signal, idempotencyKey, after }: Options,
  accept: { accept?: string } = {},
): Promise<Answer<T>> {
  const { operation } = operationOf(called, args)
  const query = { ...operation.query, ...(after && { after }) }
  const { space, headers } = placeOf(scope)
  const options = { space, headers: { ...headers, ...accept }, signal, idempotencyKey }
  try {
    return await request<T>(clientOf(signal), { ...operation, query }, options)
  } catch (error) {
    // The user decides whether to repeat a command whose outcome is unknown.
    throw error instanceof OutcomeUnknownError ? error.cause : error
  }
}

const placeOf = ({ spaceId, environment }: Partial<Scope>) => ({
  ...(spaceId && { space: spaceId }),
  headers: { ...(environment && { 'service-environment': environment }) },
})

/** As in browsers, whose own limit is of this order. Exports of long lists take a while. */
const timeoutMs = 300_000

/**
 * Returns the options of the SDK's client. The session's cookie replaces the token. The query library repeats
 * reads, and users repeat commands.
 */
const clientOf = (signal: AbortSignal | undefined): ClientOptions => ({
  baseUrl: location.origin,
  ...{ maxRetries: 0, timeoutMs, tryTimeoutMs: timeoutMs },
  onResponse: ({ status }) => {
    if (!signal?.aborted) recordReachability(status > 0)
  },
})
