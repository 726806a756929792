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

/**
 * Adds what is wrong with the meaning of a body that has faults of shape elsewhere, so that all is told at once. A body
 * without faults of shape is judged by the same rules where the work is done.
 */
export type Judge<Body> = (
  db: Reader,
  call: Call<unknown, Sound<Body>>,
  faults: Faults,
) => Promise<void> | void

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

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A route of the API: what it takes, what it answers, who may, and the code that does it. */
export type ApiRoute = {
  kind: 'read' | 'list' | 'stream' | 'command' | 'change'
  method: Method
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
  judge?: Judge<unknown>
  /** Its answer shows a secret, and is kept locked. */
  isSecret?: boolean
  read?(call: Call): Promise<unknown>
  list?(call: Call, page: Page): Promise<Listed<unknown>>
  present?(row: unknown, call: Call): unknown
  position?(row: unknown): string
  open?(call: Call, lastEventId: string | undefined): Promise<Source>
  write?(tx: Tx, call: Call): Promise<unknown>
  afterCommit?(): Promise<void>
  writeEach?(tx: Tx, calls: Call[]): Promise<Outcome<unknown>[]>
  writeNew?(calls: Call[], keyed: Keyed[], bounds: Bounds): Promise<string[] | NotSimple>
}

/** Nothing was done: of each call whether it, at least, is not as simple as the fast way needs. */
export type NotSimple = { notSimple: boolean[] }

type Common<Q extends TSchema, R extends TSchema> = {
  url: string
  summary: string
  permission: string | null
  maskedFor?: string
  idKind?: IdKind
  query?: Q
  result: R
}

type Empty = Type.TObject<Record<never, never>>

/** GET of one object. */
export function read<R extends TSchema, Q extends TSchema = Empty>(
  route: Common<Q, R> & { read(call: Call<Static<Q>>): Promise<Static<R>> },
): ApiRoute {
  return { kind: 'read', method: 'GET', ...route } as ApiRoute
}

/** GET of a page of objects, newest first unless the slice says otherwise. */
export function list<Row, R extends TSchema, Q extends TSchema = Empty>(
  route: Common<Q, R> & {
    list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>>
    present(row: Row, call: Call<Static<Q>>): Static<R>
    position(row: Row): string
  },
): ApiRoute {
  return { kind: 'list', method: 'GET', ...route } as ApiRoute
}

/** Server-sent events, as text, until `signal`. */
export type Source = (signal: AbortSignal) => AsyncIterable<string>

/** GET that goes on. What `open` refuses is refused as everywhere; once it has begun, all it can do is end. */
export function stream<R extends TSchema, Q extends TSchema = Empty>(
  route: Common<Q, R> & { open(call: Call<Static<Q>>, lastEventId: string | undefined): Promise<Source> },
): ApiRoute {
  return { kind: 'stream', method: 'GET', ...route } as ApiRoute
}

/** POST: one transaction, carried out once per Idempotency-Key. */
export function command<R extends TSchema, B extends TSchema>(
  route: Common<Empty, R> & {
    body: B
    example?: object
    rules?: Rule[]
    judge?: Judge<Static<B>>
    isSecret?: boolean
    write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>>
    /** What the node that answers has to do first; also when it repeats an answer that another node gave. */
    afterCommit?(): Promise<void>
  },
): ApiRoute {
  return { kind: 'command', method: 'POST', ...route } as ApiRoute
}

/**
 * A POST that many make at once: concurrent calls, of whatever Spaces, are carried out together, in one transaction, each
 * with its own answer.
 */
export function groupCommand<R extends TSchema, B extends TSchema>(
  route: Common<Empty, R> & {
    body: B
    example?: object
    rules?: Rule[]
    judge?: Judge<Static<B>>
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
): ApiRoute {
  return { kind: 'command', method: 'POST', ...route } as ApiRoute
}

/** PATCH: one transaction; only the named fields change. */
export function change<R extends TSchema, B extends TSchema>(
  route: Common<Empty, R> & {
    body: B
    example?: object
    rules?: Rule[]
    judge?: Judge<Static<B>>
    write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>>
  },
): ApiRoute {
  return { kind: 'change', method: 'PATCH', ...route } as ApiRoute
}

/** DELETE: answers `result: null`, also when repeated. */
export function remove(
  route: Omit<Common<Empty, TSchema>, 'result'> & { write(tx: Tx, call: Call): Promise<void> },
): ApiRoute {
  const write = async (tx: Tx, call: Call) => {
    await route.write(tx, call)
    return null
  }
  return { kind: 'change', method: 'DELETE', ...route, result: Type.Null(), write } as ApiRoute
}

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
