import { ApiError, ConnectionError, OutcomeUnknownError, Pesewa } from '../../../../sdk/src/index.ts'
import { Refusal } from '../../platform/refusals.ts'
import { readSettings } from '../../slices.ts'
import { readDecider } from '../../tenants/spaces/audit.ts'
import { CommandError } from '../command.ts'
import { findNode } from '../node-client.ts'

/** Options of an operator command. `by` and `reason` are the person who makes a decision, and why. */
type OperatorOptions = { url?: string; token?: string; by?: string; reason?: string }

const patience = { timeoutMs: 600_000, tryTimeoutMs: 600_000 } // time limit of an operator's call

/**
 * Runs `work` with a client of a running service, if `url` is set. Otherwise, the client calls the node that runs on
 * this machine or, without one, the routes in this process, on the database of the service.
 *
 * @param names names of options for the fields of the API that are reported under another name
 */
export async function withOperatorApi<T>(
  { url, token, by = standardName, reason }: OperatorOptions,
  work: (api: Pesewa) => Promise<T>,
  names: Record<string, string> = {},
): Promise<T> {
  // Reports an invalid name and an invalid reason together.
  const decider = readDecider({ by: by || standardName, reason: reason ?? standardName })
  try {
    if (url === undefined) return await onThisMachine(decider.by, work).catch(throwCause)
    if (!token) throw new CommandError('No token: add --token or set PESEWA_TOKEN.')
    return await work(new Pesewa({ baseUrl: url, token, ...patience }))
  } catch (error) {
    throw error instanceof ApiError ? refusalOf(error, names) : error
  }
}

const standardName = 'operator'

/**
 * Calls the routes in the running node, which has them loaded and knows its own settings. Without a node, calls them
 * in this process, which takes longer.
 */
async function onThisMachine<T>(operator: string, work: (api: Pesewa) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env)
  const clientOf = (fetch: typeof globalThis.fetch) =>
    new Pesewa({ baseUrl: 'http://installation', token: standardName, fetch, maxRetries: 0, ...patience })
  const node = await findNode(settings, operator)
  if (!node)
    return (await import('./in-process.ts')).inThisProcess(settings, operator, (fetch) =>
      work(clientOf(fetch)),
    )
  try {
    return await work(clientOf(node.fetch))
  } finally {
    node.close()
  }
}

/** Throws the error that a route threw in this process, which the client treats as a lost connection. */
function throwCause(error: unknown): never {
  const isWrapped = error instanceof OutcomeUnknownError || error instanceof ConnectionError
  if (isWrapped && error.cause instanceof Error) throwCause(error.cause)
  throw error
}

/** Returns a refusal with the names of options instead of the names of fields. */
function refusalOf({ message, details }: ApiError, names: Record<string, string>): Refusal {
  const renamed = details.map(({ param, errors }) => ({
    param: names[param.replaceAll(/\d+/g, '')] ?? param,
    errors,
  }))
  return new Refusal('arguments_invalid', { message, details: renamed })
}
