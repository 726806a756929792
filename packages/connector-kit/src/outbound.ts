import { causeMessage } from '@pesewa/values'
import { Agent, type Dispatcher, request } from 'undici'

export type OutboundAnswer = {
  status: number
  body: string
  /** The unparsed `Retry-After` header, which should be a number of seconds or a date. */
  retryAfter: string | undefined
  /** The headers by lower-case name, if the request asked for them. */
  headers?: Record<string, string>
}
export type OutboundRequest = {
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers?: Record<string, string>
  body?: string
  timeoutMs: number
  /**
   * Called once a connection is open, right before the request is written. If it returns false, the request
   * fails with `NotSent`.
   */
  mayLeave?: () => boolean
  /**
   * If set, only this many bytes at the beginning of the body are returned, as readable text. The response is
   * then accepted as soon as its headers have arrived, even if the body is endless, slow or cut off.
   */
  answerBytes?: number
  /** True if the headers of the response are wanted, too. */
  wantsHeaders?: boolean
  /** Replaces the default size limit, for large responses such as lists. */
  maxAnswerBytes?: number
}

/**
 * Thrown if no usable response has arrived. It is then unknown what the recipient did. The message may be shown
 * to anyone.
 */
export class NoAnswer extends Error {}

/** Thrown if the request was not sent because `mayLeave` returned false. */
export class NotSent extends Error {}

export class AnswerTooLarge extends Error {
  code = 'ANSWER_TOO_LARGE'
}

const maxAnswerBytes = 64 * 1024 // size of the body of an outbound response

/**
 * Sends a request; all outbound requests use this function. It follows no redirects, decompresses nothing,
 * reads little more than 64 KiB, and takes at most `timeoutMs` in total. The peer determines which destinations
 * are allowed. A response with any status is returned as an answer. In all other cases, it throws `NoAnswer`,
 * or `NotSent` if `mayLeave` returned false.
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
      ...(message.wantsHeaders && { headers: readableHeaders(answer.headers) }),
    }
  } catch (error) {
    if (error instanceof NotSent) throw error
    throw new NoAnswer(causeMessage(error) ?? 'no response', { cause: error })
  }
}

const readableHeaders = (headers: Dispatcher.ResponseData['headers']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, readable([value].flat().join(', '))]),
  )

/** Replaces bytes outside of ASCII, because PostgreSQL and JSON cannot store all of them. */
const readable = (text: string) => text.replace(/[^\x20-\x7e]/g, '\ufffd')

export const connectTimeoutMs = 5_000 // time to open an outbound connection, including the name look-up

const keepAliveMs = 10_000 // time for which an idle outbound connection is kept

/** Limits of every peer. */
export const peerLimits = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024, // size of the headers of an outbound response
  connectTimeout: connectTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  // This limit applies even if the server requests a longer time.
  keepAliveMaxTimeout: keepAliveMs,
} satisfies Agent.Options

/**
 * Creates a peer for one destination, so that a slow destination only occupies connections of its own peer. The
 * URL must come from the operator's settings; user-supplied URLs need a guarded peer.
 */
export function createPeer(maxConnections: number): Agent {
  return new Agent({ ...peerLimits, connections: maxConnections })
}

/**
 * Wraps a peer so that it calls `mayLeave` right before writing a request, once it has a new or reused
 * connection.
 */
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

/**
 * Rejects when the signal aborts. undici ignores the signal until a request has a connection, but waiting
 * requests must time out as well.
 */
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

/**
 * Returns the beginning of the body. Unless the body is too large, the rest is read as well, so that the
 * connection can be reused.
 */
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
    // The status is known, so the part of the body that has arrived is returned.
  }
  // In streaming mode, the decoder drops a character that was cut in two. NUL is removed, because PostgreSQL
  // cannot store it in text.
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '')
}
