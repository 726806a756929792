import { causeMessage, fieldsOf, messageOf } from '@pesewa/values'
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  type PesewaOptions,
} from '../../../../sdk/src/index.ts'
import { readDemo } from '../../demo-file.ts'
import { readDataDir } from '../../platform/config.ts'
import { readId } from '../../platform/ids.ts'
import { spaceIds } from '../../tenants/spaces/resources.ts'
import { isToken } from '../../tenants/spaces/tokens.ts'
import { CommandError } from '../command.ts'

/** The service URL, the access token and the Space used for API calls. */
type Connection = Pick<Required<PesewaOptions>, 'baseUrl' | 'token' | 'space'>

/**
 * Options of a developer command. Missing options are read from environment variables, then from the demo file
 * that `npm start` writes.
 */
export type ConnectionOptions = { url?: string; token?: string; space?: string }

const standardUrl = 'http://localhost:8080'

export function readConnection(options: ConnectionOptions): Connection {
  const isWhole = options.url && options.token && options.space
  const demo = isWhole ? undefined : readDemo(readDataDir(process.env))
  const token = options.token || demo?.testToken
  const spaceId = options.space || demo?.spaceId
  if (!token) throw missing('token')
  if (!spaceId) throw missing('space')
  // Reports a typo without making a call, and without printing the token.
  if (!isToken(token))
    throw new CommandError(
      'The access token is malformed: it must be psw_test_ or psw_live_ followed by 38 characters.',
    )
  if (!readId(spaceIds, spaceId))
    throw new CommandError(`"${spaceId}" is not a valid Space id; it must start with spc-.`)
  return { baseUrl: options.url || demo?.baseUrl || standardUrl, token, space: spaceId }
}

const missing = (name: 'token' | 'space') =>
  new CommandError(
    `No ${name}: add --${name}, set PESEWA_${name.toUpperCase()}, or run npm start here first (DATA_DIR has no demo.json).`,
  )

/** Throws an error of the SDK again, with the URL of the service and the reason why there was no response. */
export function throwWithUrl(url: string, error: unknown): never {
  if (error instanceof OutcomeUnknownError) throwWithUrl(url, error.cause)
  if (error instanceof ConnectionError)
    throw new CommandError(`${url} is not responding: ${shortReason(error)}.`)
  if (error instanceof ApiError) throw new CommandError(`${url} returned ${error.status}: ${error.message}`)
  throw error
}

/** Returns a short reason why there was no response. */
export function shortReason(error: unknown): string {
  const { name, cause } = fieldsOf(error)
  // The SDK aborts a request that takes too long.
  if (name === 'AbortError') return 'timed out'
  return causeMessage(error) ?? (cause === undefined ? messageOf(error) : shortReason(cause))
}
