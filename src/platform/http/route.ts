import type { FastifyReply, FastifyRequest } from 'fastify'
import Type, { type Static, type TSchema } from 'typebox'
import type { Outcome } from '../batches.ts'
import type { Stretch } from '../db/bounded-walk.ts'
import type { Bounds, Reader, Tx } from '../db/database.ts'
import type { IdKind } from '../ids.ts'
import type { Faults } from '../refusals.ts'
import type { Scope } from '../scope.ts'
import type { Keyed } from './idempotency.ts'

/** A checked request of the API, as a handler sees it. */
export type Call<Query = unknown, Body = unknown> = {
  scope: Scope
  /** The inner id of the object that the path names. */
  id: string
  params: Record<string, string>
  query: Query
  body: Body
  /** The time by the Space's clock. */
  now: Date
  may(permission: string): boolean
  userId: string
  tokenId: string
  /** Of a command; empty for everything else. */
  idempotencyKey: string
}

/** A body of which some parts are missing because their shape was wrong: a field is left out, an entry is `undefined`. */
export type Sound<T> = T extends readonly (infer Entry)[]
  ? (Sound<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: Sound<T[Field]> | undefined }
    : T

export type Page = {
  /** How many rows to answer at most. */
  take: number
  /** Where the last page ended: the id (or code, or sequence) of its last row. */
  after: string | undefined
}

/** What a body must be beyond its schema: a sentence, and the fields that are blamed when it is not so. */
export type Rule = { about: string[]; says: string }
/** What a list answers: as many rows as there are, or a stretch that ended before the page was full. */
export type Listed<Row> = Row[] | Stretch<Row>

/** What every route of the API says of itself: what it takes, what it answers, and who may. */
type Described = {
  /** `/v1/payments/:id` */
  url: string
  summary: string
  /** What the token and the role must allow; `null`: any valid token, and no Space header. */
  permission: string | null
  /** Whoever has only this one may call, too, and is shown names masked: the route asks `call.may`. */
  maskedFor?: string
  /** The kind of object that `:id` names. */
  idKind?: IdKind
  query?: TSchema
  body?: TSchema
  /** The shape of `result`, or of each entry of a list. */
  result: TSchema
  /** An example body, for the reference. */
  example?: object
  rules?: Rule[]
  /**
   * Adds what is wrong with the meaning of a body that has faults of shape elsewhere, so that all is told at once. A body
   * without faults of shape is judged by the same rules where the work is done.
   */
  judge?(db: Reader, call: Call<unknown, unknown>, faults: Faults): Promise<void> | void
}

/** A part of a route's description whose schemas are known: its handlers take and answer what these say. */
type Reading<Q extends TSchema, R extends TSchema> = Omit<
  Described,
  'body' | 'example' | 'rules' | 'judge'
> & {
  query?: Q
  result: R
}
type Writing<B extends TSchema, R extends TSchema> = Omit<Described, 'query' | 'judge'> & {
  body: B
  result: R
  judge?(db: Reader, call: Call<unknown, Sound<Static<B>>>, faults: Faults): Promise<void> | void
}

type Empty = Type.TObject<Record<never, never>>

type ReadRoute = Described & {
  kind: 'read'
  method: 'GET'
  read(call: Call): Promise<unknown>
}

/** GET of one object. */
export const read = <R extends TSchema, Q extends TSchema = Empty>(
  route: Reading<Q, R> & { read(call: Call<Static<Q>>): Promise<Static<R>> },
): ReadRoute => ({ kind: 'read', method: 'GET', ...route })

export type ListRoute = Described & {
  kind: 'list'
  method: 'GET'
  list(call: Call, page: Page): Promise<Listed<unknown>>
  present(row: unknown, call: Call): unknown
  position(row: unknown): string
}

/** GET of a page of objects, newest first unless the slice says otherwise. */
export const list = <Row, R extends TSchema, Q extends TSchema = Empty>(
  route: Reading<Q, R> & {
    list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>>
    present(row: Row, call: Call<Static<Q>>): Static<R>
    position(row: Row): string
  },
): ListRoute => ({ kind: 'list', method: 'GET', ...route })

/** Server-sent events, as text, until `signal`. */
export type Source = (signal: AbortSignal) => AsyncIterable<string>

export type StreamRoute = Described & {
  kind: 'stream'
  method: 'GET'
  permission: string
  open(call: Call, lastEventId: string | undefined): Promise<Source>
}

/** GET that goes on. What `open` refuses is refused as everywhere; once it has begun, all it can do is end. */
export const stream = <R extends TSchema, Q extends TSchema = Empty>(
  route: Reading<Q, R> & {
    permission: string
    open(call: Call<Static<Q>>, lastEventId: string | undefined): Promise<Source>
  },
): StreamRoute => ({ kind: 'stream', method: 'GET', ...route })

/** A POST that is carried out alone, or together with others. */
export type CommandRoute = SingleCommand | GroupCommand

type SingleCommand = Described & {
  kind: 'command'
  method: 'POST'
  /** Its answer shows a secret, and is kept locked. */
  isSecret?: boolean
  write(tx: Tx, call: Call): Promise<unknown>
  /** What the node that answers has to do first; also when it repeats an answer that another node gave. */
  afterCommit?(): Promise<void>
}

/** POST: one transaction, carried out once per Idempotency-Key. */
export const command = <R extends TSchema, B extends TSchema>(
  route: Writing<B, R> &
    Pick<SingleCommand, 'isSecret' | 'afterCommit'> & {
      write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>>
    },
): CommandRoute => ({ kind: 'command', method: 'POST', ...route })

export type GroupCommand = Described & {
  kind: 'command'
  method: 'POST'
  writeEach(tx: Tx, calls: Call[]): Promise<Outcome<unknown>[]>
  writeNew?(calls: Call[], keyed: Keyed[], bounds: Bounds): Promise<string[] | NotSimple>
}

/** Nothing was done: of each call whether it, at least, is not as simple as the fast way needs. */
export type NotSimple = { notSimple: boolean[] }

/**
 * A POST that many make at once: concurrent calls, of whatever Spaces, are carried out together, in one transaction, each
 * with its own answer.
 */
export const groupCommand = <R extends TSchema, B extends TSchema>(
  route: Writing<B, R> & {
    /** Carries out calls, each of its own Space. A refused one must not hurt the others. */
    writeEach(tx: Tx, calls: Call<unknown, Static<B>>[]): Promise<Outcome<Static<R>>[]>
    /**
     * The fast way, in one statement with the rows of the keys (see `insertAnswered`): answers the results as JSON.
     * Or, having done nothing, which of these calls are not as simple as that.
     */
    writeNew?(
      calls: Call<unknown, Static<B>>[],
      keyed: Keyed[],
      bounds: Bounds,
    ): Promise<string[] | NotSimple>
  },
): CommandRoute => ({ kind: 'command', method: 'POST', ...route })

type ChangeRoute = Described & {
  kind: 'change'
  method: 'PATCH' | 'DELETE'
  write(tx: Tx, call: Call): Promise<unknown>
}

/** PATCH: one transaction; only the named fields change. */
export const change = <R extends TSchema, B extends TSchema>(
  route: Writing<B, R> & { write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>> },
): ChangeRoute => ({ kind: 'change', method: 'PATCH', ...route })

/** DELETE: answers `result: null`, also when repeated. */
export const remove = (
  route: Omit<Reading<Empty, TSchema>, 'result'> & { write(tx: Tx, call: Call): Promise<void> },
): ChangeRoute => ({
  kind: 'change',
  method: 'DELETE',
  ...route,
  result: Type.Null(),
  async write(tx, call) {
    await route.write(tx, call)
    return null
  },
})

/** A route of the API. */
export type ApiRoute = ReadRoute | ListRoute | StreamRoute | CommandRoute | ChangeRoute

/**
 * What is not a call of the API: pages, provider callbacks, the simulator's rails. Such a route authenticates in its
 * own way and answers in its own form.
 */
export type RawRoute = {
  kind: 'raw'
  method: 'GET' | 'POST' | 'PUT' | ('GET' | 'POST' | 'PUT')[]
  url: string
  summary: string
  /** What it answers, without an envelope, where it is in the reference of the API. */
  result?: TSchema
  /** Before a byte of the body is read: throws for whoever is not to be heard. */
  admit?(request: FastifyRequest): unknown
  /** How a refusal or a bug is shown; the API's error envelope when left out. */
  showError?(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  handle(request: FastifyRequest, reply: FastifyReply): unknown
}

export type Route = ApiRoute | RawRoute
