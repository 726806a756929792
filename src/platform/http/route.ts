import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Outcome } from '../batches.ts'
import type { Stretch } from '../db/bounded-walk.ts'
import type { Bounds, Reader, Tx } from '../db/database.ts'
import type { IdKind } from '../ids.ts'
import type { Faults, RefusalReason } from '../refusals.ts'
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
  /** Of a caller who is signed in at the console, and calls with no token: `tokenId` is the session. */
  session: { freshUntil: Date } | undefined
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
  /** How many rows to return at most. */
  take: number
  /** Where the last page ended: the id (or code, or sequence) of its last row. */
  after: string | undefined
  /** The times of its rows, where they have one: of `from` or later, before `to`. */
  from?: Date | undefined
  to?: Date | undefined
}

/** What a body must be beyond its schema: a sentence, and the fields that are blamed when it is not so. */
export type Rule = { about: string[]; says: string }
/** What a list returns: as many rows as there are, or a stretch that ended before the page was full. */
export type Listed<Row> = Row[] | Stretch<Row>

type Endpoint<R extends TSchema> = {
  /** `/v1/payments/:id` */
  url: string
  /**
   * What the token and the role must allow; `null`: any valid token, and no Space header. `installation:…`: what operators
   * may, and no Space header.
   */
  permission: string | null
  /** Who calls from the console must have shown a moment ago who they are. */
  needsStepUp?: boolean
  /** The kind of object that `:id` names. */
  idKind?: IdKind
  /** What stands in the address beside `:id`. */
  params?: Record<string, TSchema>
  /** The shape of the result, or of each entry of a list. */
  result: R
}

/** What the reference says of a route. */
export type Documentation = {
  summary: string
  /** Why it may be refused, beside what refuses every call of its kind. */
  reasons?: RefusalReason[]
  /** What the example of its response has beside what the shape and the example of the request say. */
  shows?: object
}

export type Reading<Q extends TSchema> = Documentation & {
  /** Whoever has only this permission may call, too, and is shown names masked: the route asks `call.may`. */
  maskedFor?: string
  query?: Q
}

export type Writing<B extends TSchema> = Documentation & {
  body: B
  /** A caller with only this permission may call, too; another member then has to approve. The route asks `call.may`. */
  proposedWith?: string
  /** Where it may be larger than others. */
  maxBodyBytes?: number
  /** An example body, for the reference; its ids are those of `idOf`. */
  example?: object
  rules?: Rule[]
  /**
   * Adds what is wrong with the meaning of a body that has faults of shape elsewhere, so that all are reported at once.
   * A body without faults of shape is judged by the same rules where the work is done.
   */
  judge?(db: Reader, call: Call<unknown, Sound<Static<B>>>, faults: Faults): Promise<void> | void
  /** Where only some bodies need that whoever calls from the console has shown a moment ago who they are: whether this one does. */
  needsStepUpFor?(db: Reader, call: Call<unknown, Static<B>>): Promise<boolean>
}

/** What every route of the API says of itself. Its handlers take and return what the schemas say. */
type Described = Endpoint<TSchema> & Reading<TSchema> & Partial<Writing<TSchema>>

export type Empty = TObject<Record<never, never>>

/** A response that is written as fast as the client reads. What is wrong is refused before its first chunk. */
export type FileResponse = { type: string; name: string; chunks: AsyncIterator<string | Buffer, unknown> }

/** By its media type. `acceptLanguage`: the header of the request. */
type Files<Query> = Record<
  string,
  { open(call: Call<Query>, acceptLanguage: string | undefined): Promise<Omit<FileResponse, 'type'>> }
>

export type ReadRoute = Described & {
  kind: 'read'
  method: 'GET'
  read(call: Call): Promise<unknown>
  /** What else it is written as, by `Accept`. */
  files?: Files<unknown>
}

/** GET of one object; `undefined`: there is none. */
export const read = <R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      read(call: Call<Static<Q>>): Promise<Static<R> | undefined>
      files?: Files<Static<Q>>
    },
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
  route: Endpoint<R> &
    Reading<Q> & {
      list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>>
      present(row: Row, call: Call<Static<Q>>): Static<R>
      position(row: Row): string
    },
): ListRoute => ({ kind: 'list', method: 'GET', ...route })

/** An event of a stream; `text` is the JSON of what the route returns. */
export type StreamedEvent = { id: string; type: string; text: string }

/** Server-sent events, or a comment, until `signal`. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<StreamedEvent[] | { comment: string }>

export type StreamRoute = Described & {
  kind: 'stream'
  method: 'GET'
  permission: string
  open(call: Call, lastEventId: string | undefined): Promise<EventSource>
}

/** GET that goes on. What `open` refuses is refused as everywhere; once it has begun, all it can do is end. */
export const stream = <R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      permission: string
      open(call: Call<Static<Q>>, lastEventId: string | undefined): Promise<EventSource>
    },
): StreamRoute => ({ kind: 'stream', method: 'GET', ...route })

/** A POST that is carried out alone, or together with others. */
export type CommandRoute = SingleCommand | GroupCommand

type SingleCommand = Described & SingleWriting<TSchema, unknown> & { kind: 'command'; method: 'POST' }

export type SingleWriting<B extends TSchema, Result> = Writing<B> & {
  /** Its response shows a secret: it is stored encrypted, and repeated to the user who made the request and to nobody else. */
  isSecret?: boolean
  /** It is repeated to the same token alone, not to another of its user. */
  isForCallerOnly?: boolean
  /** Its body is so short that whoever reads the fingerprint of it could guess it: that is made with our secret key. */
  isBodySecret?: boolean
  write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Result>
  /** What the node has to do before it responds; also when it repeats the response of another node. */
  afterCommit?(call: Call<unknown, Static<B>>): Promise<void>
}

/** POST: one transaction, carried out once per Idempotency-Key. */
export const command = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & SingleWriting<B, Static<R>>,
): CommandRoute => ({ kind: 'command', method: 'POST', ...route })

/**
 * A POST that many make at once: concurrent calls, of whatever Spaces, are carried out together, in one transaction, each
 * with its own result.
 */
export type GroupCommand = Described & GroupWriting<TSchema, unknown> & { kind: 'command'; method: 'POST' }

export type GroupWriting<B extends TSchema, Result> = Writing<B> & {
  /** Carries out calls, each of its own Space. A refused one must not hurt the others. */
  writeEach(tx: Tx, calls: Call<unknown, Static<B>>[]): Promise<Outcome<Result>[]>
  /**
   * The fast way, in one statement with the rows of the keys (see `insertKeysOfEvents`): returns the results as JSON.
   * Or, having done nothing, which of these calls are not as simple as that.
   */
  writeNew?(calls: Call<unknown, Static<B>>[], keyed: Keyed[], bounds: Bounds): Promise<string[] | NotSimple>
}

/** Nothing was done: of each call whether it, at least, is not as simple as the fast way needs. */
export type NotSimple = { notSimple: boolean[] }

export type ChangeRoute = Described & {
  kind: 'change'
  method: 'PATCH' | 'DELETE'
  write(tx: Tx, call: Call): Promise<unknown>
}

/** PATCH: only the named fields change. */
export const change = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & Writing<B> & { write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>> },
): ChangeRoute => ({ kind: 'change', method: 'PATCH', ...route })

/** Whether a route is of the Space that its header names; others are of nobody's, or of the installation. */
export const isInSpace = ({ permission }: Pick<ApiRoute, 'permission'>) =>
  permission !== null && !permission.startsWith('installation:')

/** A route of the API. */
export type ApiRoute = ReadRoute | ListRoute | StreamRoute | CommandRoute | ChangeRoute

/**
 * What is not a call of the API: pages, provider callbacks, the simulator's rails. Such a route authenticates in its
 * own way and responds in its own form.
 */
export type RawRoute = Documentation & {
  kind: 'raw'
  method: 'GET' | 'POST' | 'PUT' | ('GET' | 'POST' | 'PUT')[]
  url: string
  /** What it takes and returns, where it is in the reference of the API; in an envelope where it takes a body. */
  body?: TSchema
  result?: TSchema
  example?: object
  /** Before a byte of the body is read: throws to refuse the caller. */
  admit?(request: FastifyRequest): unknown
  /** How a refusal or a bug is shown; the API's error envelope when left out. */
  showError?(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  handle(request: FastifyRequest, reply: FastifyReply): unknown
}

export type Route = ApiRoute | RawRoute
