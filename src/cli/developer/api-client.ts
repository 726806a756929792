import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { causeMessage } from '@pesewa/connector-kit'
import { messageOf } from '@pesewa/values'
import { Agent, type Dispatcher, request } from 'undici'
import { CommandError } from '../command.ts'
import type { Connection } from './connection.ts'

/** Client for the public API. It needs only HTTP and an access token. */
export type ApiClient = Connection & {
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  delete(path: string): Promise<void>
  /** Returns the entries of all pages, newest first. */
  list<T>(path: string, query?: Record<string, string>): Promise<T[]>
  /** Opens the event stream after the given event and returns its text in chunks. */
  stream(lastEventId?: string): Promise<AsyncIterable<string>>
  close(): Promise<void>
}

/** Thrown if the service is unreachable or overloaded. A retry may succeed. */
export class Unreachable extends CommandError {}

const answerLimitMs = 15_000
/** A stream without any message for this long counts as interrupted. The service sends one at least every 15 s. */
const silenceLimitMs = 45_000
const maxAttempts = 5 // attempts that a developer command makes to call the API

type Ask = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}
type Answer = Dispatcher.ResponseData

export function openApi(connection: Connection): ApiClient {
  const { url, token, spaceId } = connection
  const agent = new Agent()

  async function send({ method, path, headers = {}, body = '' }: Ask): Promise<Answer> {
    try {
      return await request(url + path, {
        dispatcher: agent,
        method,
        headers: { authorization: `Bearer ${token}`, 'service-space-id': spaceId, ...headers },
        body: method === 'POST' ? body : null,
        headersTimeout: answerLimitMs,
        bodyTimeout: silenceLimitMs,
      })
    } catch (error) {
      throw new Unreachable(`${url} is not responding: ${shortReason(error)}.`)
    }
  }

  /** Sends a request. If it is rate limited, sends it again with the same idempotency key. */
  async function ask<T>(wanted: Ask): Promise<Envelope<T>> {
    for (let attempt = 1; ; attempt++) {
      const answer = await send(wanted)
      const text = await textOf(answer)
      if (answer.statusCode === 200) return readEnvelope<T>(url, text)
      if (answer.statusCode !== 429 || attempt === maxAttempts)
        throw refusalError(url, answer.statusCode, text)
      await pause(1_000 * Number(answer.headers['retry-after'] ?? 1))
    }
  }

  return {
    ...connection,
    get: async <T>(path: string) => (await ask<T>({ method: 'GET', path })).result,
    post: async <T>(path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
      return (await ask<T>({ method: 'POST', path, headers, body: JSON.stringify(body) })).result
    },
    delete: async (path: string) => void (await ask<null>({ method: 'DELETE', path })),
    async list<T>(path: string, query: Record<string, string> = {}) {
      const all: T[] = []
      for (let after: string | null | undefined; after !== null; ) {
        const search = new URLSearchParams({ limit: '50', ...query, ...(after && { after }) })
        const { result, pagination } = await ask<T[]>({ method: 'GET', path: `${path}?${search}` })
        all.push(...result)
        after = pagination?.next ?? null
      }
      return all
    },
    async stream(lastEventId) {
      const headers = lastEventId ? { 'last-event-id': lastEventId } : {}
      const answer = await send({ method: 'GET', path: '/v1/events/stream', headers })
      if (answer.statusCode !== 200) throw refusalError(url, answer.statusCode, await textOf(answer))
      if (!String(answer.headers['content-type']).startsWith('text/event-stream')) throw notPesewa(url, 200)
      return chunksOf(answer)
    },
    close: () => agent.destroy(),
  }

  async function textOf(answer: Answer): Promise<string> {
    try {
      return await answer.body.text()
    } catch (error) {
      throw new Unreachable(`${url} is not responding: ${shortReason(error)}.`)
    }
  }
}

async function* chunksOf({ body }: Answer): AsyncGenerator<string> {
  body.setEncoding('utf8')
  try {
    for await (const chunk of body) yield chunk
  } catch (error) {
    throw new Unreachable(`The event stream was interrupted: ${shortReason(error)}.`)
  }
}

type Envelope<T> = { result: T; pagination?: { next: string | null } }
type Refused = { error: { message: string; details: { param: string; errors: string[] }[] } }

function readEnvelope<T>(url: string, text: string): Envelope<T> {
  const envelope = readJson<Envelope<T>>(text)
  if (envelope?.result === undefined) throw notPesewa(url, 200)
  // If an envelope contains a result, it also has all its other fields. The caller specifies the type of the
  // result.
  return envelope as Envelope<T>
}

function refusalError(url: string, status: number, text: string): CommandError {
  const error = readJson<Refused>(text)?.error
  const isPassing = status === 429 || status >= 500
  if (!error?.message)
    return isPassing ? new Unreachable(`${url} returned ${status}.`) : notPesewa(url, status)
  const details = error.details.map(({ param, errors }) => `${param} ${errors.join('; ')}`).join(', ')
  const why = status === 400 && details ? details : `${error.message}${details && ` (${details})`}`
  return new (isPassing ? Unreachable : CommandError)(`${url} returned ${status}: ${why}`)
}

const notPesewa = (url: string, status: number) =>
  new CommandError(`${url} returned ${status} with a response that is not from Pesewa. Check the address.`)

function readJson<T>(text: string): Partial<T> | undefined {
  try {
    const read: Partial<T> = JSON.parse(text)
    return read
  } catch {
    return undefined
  }
}

/** Returns a short reason why there was no response. */
export const shortReason = (error: unknown): string => causeMessage(error) ?? messageOf(error)
