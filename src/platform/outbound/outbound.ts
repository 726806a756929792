import { Agent, type Dispatcher, request } from 'undici'
import { codeOf } from '../errors.ts'

export type OutboundAnswer = {
  status: number
  body: string
  /** The raw `Retry-After` header: seconds, a date, or anything else. */
  retryAfter: string | undefined
}
export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /** Called once there is a connection, right before the request is written. If false, it fails with `NotSent`. */
  mayLeave?: () => boolean
  /**
   * Returns only the beginning of the body, as readable text. The status then counts once the headers are in,
   * even if the body is endless, slow or cut off.
   */
  answerBytes?: number
  /** Raises the size limit, for lists. */
  maxAnswerBytes?: number
}

/** No usable response arrived, and what the peer did is unknown. The message may be shown to anyone. */
export class NoAnswer extends Error {}

/** The request was not sent, because `mayLeave` no longer allowed it. */
export class NotSent extends Error {}

export class AnswerTooLarge extends Error {
  code = 'ANSWER_TOO_LARGE'
}

const maxAnswerBytes = 64 * 1024 // the body of an outbound response

/**
 * Sends all outbound requests. Follows no redirects, decompresses nothing, reads little more than 64 KiB, and
 * ends after `timeoutMs` in total. The peer decides which destinations are allowed. A response with any status
 * is an answer; everything else throws `NoAnswer`, or `NotSent` if it was no longer allowed to leave.
 */
export async function send(peer: Agent, message: OutboundRequest): Promise<OutboundAnswer> {
  const signal = AbortSignal.timeout(message.timeoutMs)
  try {
    const answer = await unlessAborted(
      signal,
      request(message.url, {
        dispatcher: message.mayLeave ? askingFirst(peer, message.mayLeave) : peer,
        method: message.method,
        headers: message.headers ?? {},
        body: message.body ?? null,
        signal,
      }),
    )
    return {
      status: answer.statusCode,
      body: await (message.answerBytes === undefined
        ? readWhole(answer.body, message.maxAnswerBytes)
        : readBeginning(answer.body, message.answerBytes)),
      retryAfter: [answer.headers['retry-after']].flat()[0],
    }
  } catch (error) {
    if (error instanceof NotSent) throw error
    throw new NoAnswer(causeMessage(error) ?? 'no response', { cause: error })
  }
}

export const connectTimeoutMs = 5_000 // time to open an outbound connection, including the name look-up

const keepAliveMs = 10_000 // time that an idle outbound connection is kept

/** Limits of every peer. */
export const peerLimits = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024, // headers of an outbound response
  connectTimeout: connectTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  // Regardless of what the peer requests.
  keepAliveMaxTimeout: keepAliveMs,
} satisfies Agent.Options

/**
 * Creates a peer for one destination, so that a slow destination only holds its own connections. For addresses
 * from the operator's settings; user-supplied ones need a guarded peer.
 */
export function createPeer(maxConnections: number): Agent {
  return new Agent({ ...peerLimits, connections: maxConnections })
}

/** Wraps a peer so that it calls `mayLeave` once it has a connection, new or reused, right before writing. */
function askingFirst(peer: Agent, mayLeave: () => boolean): Dispatcher {
  return peer.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart(controller, context) {
          if (mayLeave()) handler.onRequestStart?.(controller, context)
          else controller.abort(new NotSent('it was too late to send it'))
        },
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  )
}

/** undici ignores the signal until a request has a connection; waiting requests must end as well. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work, aborted])
}

type Body = Dispatcher.ResponseData['body']

async function readWhole(body: Body, maxBytes = maxAnswerBytes): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new AnswerTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Reads beyond what it returns, so that the connection can be reused, unless there is too much. */
async function readBeginning(body: Body, keptBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < keptBytes) chunks.push(chunk.subarray(0, keptBytes - size))
      size += chunk.length
      if (size > maxAnswerBytes) break
    }
  } catch {
    // The status is known. What came of the body is the body.
  }
  // Streaming mode drops a character that the cut splits in two. PostgreSQL text cannot contain NUL.
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '')
}

/** Matches the error's code, name or message. Merchants see these causes, so they must not reveal internals. */
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

export function causeMessage(error: unknown): string | undefined {
  // If several addresses of a name failed, they arrive as one error.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const marks = errors.flatMap(marksOf)
  return causes.find(([pattern]) => marks.some((mark) => pattern.test(mark)))?.[1]
}

function marksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [codeOf(error), error.name, error.message]
}
