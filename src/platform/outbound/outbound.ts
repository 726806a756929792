import { Agent, type Dispatcher, request } from 'undici'
import { codeOf } from '../errors.ts'

export type OutboundAnswer = {
  status: number
  body: string
  /** The header of this name as it came: seconds, a date, or anything else. */
  retryAfter: string | undefined
}
export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /**
   * Asked when there is a connection and nothing is left to do but to write the request. A no ends it as `NotSent`.
   */
  mayLeave?: () => boolean
  /**
   * Asks for the beginning of the answer only, as text for people to read. Its status then counts as soon as the
   * headers are in, also when the body is endless, slow or broken off.
   */
  answerBytes?: number
  /** More than an answer of the usual kind may have: a list. */
  maxAnswerBytes?: number
}

/** No answer that can be understood came back; what the peer did is unknown. Its message may be shown to anyone. */
export class NoAnswer extends Error {}

/** Nothing of the request left: it was no longer allowed to when it could have. */
export class NotSent extends Error {}

export class AnswerTooLarge extends Error {
  code = 'ANSWER_TOO_LARGE'
}

const maxAnswerBytes = 64 * 1024 // limit: the body of a response from outside

/**
 * The one way out. Follows no redirect, unpacks nothing, reads hardly more than 64 KiB, and ends after `timeoutMs` in
 * all. Whom it may reach is up to the peer. An answer of any status is an answer; everything else is `NoAnswer`, or
 * `NotSent` where it may no longer leave.
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
    throw new NoAnswer(causeOf(error) ?? 'no answer', { cause: error })
  }
}

export const connectTimeoutMs = 5_000 // limit: time to connect to whomever we call, with the look-up of its name

const keepAliveMs = 10_000 // limit: time that an idle connection to the outside is kept

/** What holds for every peer. */
export const peerLimits = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024, // limit: headers of an outbound response
  connectTimeout: connectTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  // Whatever the peer wishes.
  keepAliveMaxTimeout: keepAliveMs,
} satisfies Agent.Options

/**
 * A peer of its own per destination, so that a slow one holds only its own connections. For addresses of the operator's
 * settings; those that strangers choose need a guarded peer.
 */
export function createPeer(maxConnections: number): Agent {
  return new Agent({ ...peerLimits, connections: maxConnections })
}

/** The same peer, that asks `mayLeave` once it has a connection, new or used before, right before it writes. */
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

/** undici heeds a signal only from when a request has a connection; one that still waits must end as well. */
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

/** Reads on past what is returned, so that the connection can be used again, unless there is too much of it. */
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
  // As a stream, so that a character that the end cuts in two is left out. PostgreSQL's texts hold no NUL.
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '')
}

/** By code, name or words of the error. Merchants see these sentences: they hold nothing of ours. */
const causes: [RegExp, string][] = [
  [/^(TimeoutError|ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/, 'timed out'],
  [/^ADDRESS_REFUSED$/, 'address not allowed'],
  [/^(ENOTFOUND|EAI_\w+)$/, 'name not found'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'headers too large'],
  [/^ANSWER_TOO_LARGE$/, 'answer too large'],
  [
    /^(?!ERR_SSL)[A-Z_]*(CERT|ISSUER|INVALID_CA|INVALID_PURPOSE|UNABLE_TO_VERIFY|PATH_LENGTH|HOSTNAME|UNSPECIFIED)/,
    'certificate not valid',
  ],
  [/^bad (response|upgrade)$/, 'answer is not HTTP'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$|\(Invalid EOF state\)$/, 'connection reset'],
  [/^(HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, 'answer is not HTTP'],
]

export function causeOf(error: unknown): string | undefined {
  // Where several addresses of a name failed, they come together.
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
  const marks = errors.flatMap(marksOf)
  return causes.find(([pattern]) => marks.some((mark) => pattern.test(mark)))?.[1]
}

function marksOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  return [codeOf(error), error.name, error.message]
}
