import { fieldsOf } from './fields.ts'

/** Returns the SQLSTATE or system code of an error, or `''` if it has none. */
export const codeOf = (error: unknown): string => String(fieldsOf(error).code ?? '')

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Known causes, with patterns that match the code, name or message of an error. Merchants see these causes, so
 * they must not reveal internals.
 */
const causes: [RegExp, string][] = [
  [/^(TimeoutError|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed out'],
  [/^ADDRESS_REFUSED$/, 'address not allowed'],
  [/^(ENOTFOUND|EAI_\w+)$/, 'host name not found'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'headers too large'],
  [/^ANSWER_TOO_LARGE$/, 'response too large'],
  [
    /^(?!ERR_SSL)[A-Z_]*(CERT|ISSUER|INVALID_CA|INVALID_PURPOSE|UNABLE_TO_VERIFY|PATH_LENGTH|HOSTNAME|UNSPECIFIED)/,
    'invalid certificate',
  ],
  [/^bad (response|upgrade)$/, 'response is not HTTP'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$|\(Invalid EOF state\)$/, 'connection reset'],
  [/^(HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'response is not HTTP'],
]

/** Returns the known cause of a failed request in words, for example `timed out`, or `undefined` if it is not known. */
export function causeMessage(error: unknown): string | undefined {
  // If a name has several addresses and all connections fail, there is one error that contains the others.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const marks = errors.flatMap(marksOf)
  return causes.find(([pattern]) => marks.some((mark) => pattern.test(mark)))?.[1]
}

function marksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [codeOf(error), error.name, error.message]
}
