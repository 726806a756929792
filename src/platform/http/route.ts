import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Outcome } from '../batches.ts'
import type { Stretch } from '../db/bounded-walk.ts'
import type { Bounds, Reader, Tx } from '../db/database.ts'
import type { IdKind } from '../ids.ts'
import type { Issues, RefusalReason } from '../refusals.ts'
import type { Scope } from '../scope.ts'
import type { Keyed } from './idempotency.ts'

/** A validated API request, as handlers receive it. */
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
  /** The session of a console user, who calls without a token; `tokenId` is the session's id. */
  session: { freshUntil: Date } | undefined
  /** Set for commands; empty otherwise. */
  idempotencyKey: string
}

/** A body whose malformed parts are missing: fields are left out, list entries are `undefined`. */
export type WellFormed<T> = T extends readonly (infer Entry)[]
  ? (WellFormed<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: WellFormed<T[Field]> | undefined }
    : T

export type Page = {
  /** Maximum number of rows to return. */
  take: number
  /** Where the last page ended: the id (or code, or sequence) of its last row. */
  after: string | undefined
  /** Time range of the rows, if they have a time: `from` inclusive, `to` exclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

/**
 * A rule for a body that its schema cannot express: a sentence, and the fields reported when the rule is
 * broken.
 */
export type Rule = { about: string[]; says: string }
/** Rows of a list: either all that match, or the part that was scanned before the page was full. */
export type Listed<Row> = Row[] | Stretch<Row>

type Endpoint<R extends TSchema> = {
  /** `/v1/payments/:id` */
  url: string
  /**
   * Permission that the token and the role must grant; `null`: any valid token, without a Space header.
   * `installation:…`: operators only, without a Space header.
   */
  permission: string | null
  /** Console users must have signed in recently. */
  needsStepUp?: boolean
  /** The kind of object that `:id` names. */
  idKind?: IdKind
  /** Path parameters other than `:id`. */
  params?: Record<string, TSchema>
  /** Shape of the result, or of each entry of a list. */
  result: R
}

/** Details about a route that the API reference shows. */
export type Documentation = {
  summary: string
  /** Specific refusal reasons, in addition to those shared by all calls of its kind. */
  reasons?: RefusalReason[]
  /** Fields that the response example adds to the shape and the request example. */
  shows?: object
}

export type Reading<Q extends TSchema> = Documentation & {
  /** Callers with only this permission are admitted too, but see masked names; the route checks `call.may`. */
  maskedFor?: string
  query?: Q
}

export type Writing<B extends TSchema> = Documentation & {
  body: B
  /**
   * Callers with only this permission are admitted too, but another member must approve; the route checks
   * `call.may`.
   */
  proposedWith?: string
  /** Set if larger than the default. */
  maxBodyBytes?: number
  /** Example body for the reference; its ids come from `idOf`. */
  example?: object
  rules?: Rule[]
  /**
   * Validates the meaning of the well-formed parts of a malformed body, so that all issues are reported
   * together. A well-formed body is validated by the same rules inside `write`.
   */
  validate?(db: Reader, call: Call<unknown, WellFormed<Static<B>>>, issues: Issues): Promise<void> | void
  /** For routes where only some bodies require a recent sign-in: returns whether this one does. */
  needsStepUpFor?(db: Reader, call: Call<unknown, Static<B>>): Promise<boolean>
}

/** The description of every API route. Its handlers accept and return what the schemas describe. */
type Described = Endpoint<TSchema> & Reading<TSchema> & Partial<Writing<TSchema>>

export type Empty = TObject<Record<never, never>>

/** A response written as fast as the client reads it. Refusals must happen before the first chunk. */
export type FileResponse = { type: string; name: string; chunks: AsyncIterator<string | Buffer, unknown> }

/** Files by media type. `acceptLanguage`: the request header. */
type Files<Query> = Record<
  string,
  { open(call: Call<Query>, acceptLanguage: string | undefined): Promise<Omit<FileResponse, 'type'>> }
>

export type ReadRoute = Described & {
  kind: 'read'
  method: 'GET'
  read(call: Call): Promise<unknown>
  /** Additional formats, selected by `Accept`. */
  files?: Files<unknown>
}

/** GET of one object; `undefined` becomes a 404. */
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

/** GET of a page of objects, newest first unless the slice documents another order. */
export const list = <Row, R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>>
      present(row: Row, call: Call<Static<Q>>): Static<R>
      position(row: Row): string
    },
): ListRoute => ({ kind: 'list', method: 'GET', ...route })

/** An event of a stream; `text` is the JSON described by the route's result. */
export type StreamedEvent = { id: string; type: string; text: string }

/** Yields batches of events, or comments, until `signal` aborts. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<StreamedEvent[] | { comment: string }>

export type StreamRoute = Described & {
  kind: 'stream'
  method: 'GET'
  permission: string
  open(call: Call, lastEventId: string | undefined): Promise<EventSource>
}

/** GET of a stream. `open` refuses like any other route; once the stream has started, it can only end. */
export const stream = <R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      permission: string
      open(call: Call<Static<Q>>, lastEventId: string | undefined): Promise<EventSource>
    },
): StreamRoute => ({ kind: 'stream', method: 'GET', ...route })

/** A POST that runs alone or in a batch. */
export type CommandRoute = SingleCommand | GroupCommand

type SingleCommand = Described & SingleWriting<TSchema, unknown> & { kind: 'command'; method: 'POST' }

export type SingleWriting<B extends TSchema, Result> = Writing<B> & {
  /** The response shows a secret: it is stored encrypted and only replayed to the user who made the request. */
  isSecret?: boolean
  /** The response is replayed only to the same token, not to the user's other tokens. */
  isForCallerOnly?: boolean
  /** The body is short enough to be guessed from its fingerprint, so the fingerprint is keyed with our secret. */
  isBodySecret?: boolean
  write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Result>
  /** Work that the node must do before it responds, even when it replays another node's response. */
  afterCommit?(call: Call<unknown, Static<B>>): Promise<void>
}

/** POST: one transaction, run once per idempotency key. */
export const command = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & SingleWriting<B, Static<R>>,
): CommandRoute => ({ kind: 'command', method: 'POST', ...route })

/** A frequent POST: concurrent calls, of any Spaces, run in one transaction, each with its own result. */
export type GroupCommand = Described & GroupWriting<TSchema, unknown> & { kind: 'command'; method: 'POST' }

export type GroupWriting<B extends TSchema, Result> = Writing<B> & {
  /** Runs calls of different Spaces. A refused call must not affect the others. */
  writeEach(tx: Tx, calls: Call<unknown, Static<B>>[]): Promise<Outcome<Result>[]>
  /**
   * The fast path: one statement that also writes the key rows (see `insertKeysOfEvents`). Returns the results
   * as JSON, or does nothing and returns which calls are not simple enough.
   */
  writeNew?(calls: Call<unknown, Static<B>>[], keyed: Keyed[], bounds: Bounds): Promise<string[] | NotSimple>
}

/** Nothing was done. Tells for each call whether it is known to need the slow path. */
export type NotSimple = { notSimple: boolean[] }

export type ChangeRoute = Described & {
  kind: 'change'
  method: 'PATCH' | 'DELETE'
  write(tx: Tx, call: Call): Promise<unknown>
}

/** PATCH: only the given fields change. */
export const change = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & Writing<B> & { write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>> },
): ChangeRoute => ({ kind: 'change', method: 'PATCH', ...route })

/** Returns whether a route belongs to the Space in its header; others belong to the installation or to no one. */
export const isInSpace = ({ permission }: Pick<ApiRoute, 'permission'>) =>
  permission !== null && !permission.startsWith('installation:')

export type ApiRoute = ReadRoute | ListRoute | StreamRoute | CommandRoute | ChangeRoute

/** A non-API route: a page, a provider callback, a simulated rail. It authenticates and responds in its own way. */
export type RawRoute = Documentation & {
  kind: 'raw'
  method: 'GET' | 'POST' | 'PUT' | ('GET' | 'POST' | 'PUT')[]
  url: string
  /**
   * Request and response shapes, if the API reference documents the route. With a body, the response has an
   * envelope.
   */
  body?: TSchema
  result?: TSchema
  example?: object
  /** Runs before the body is read; throws to refuse the caller. */
  admit?(request: FastifyRequest): unknown
  /** Renders a refusal or an unexpected error; default: the API's error envelope. */
  showError?(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  handle(request: FastifyRequest, reply: FastifyReply): unknown
}

export type Route = ApiRoute | RawRoute
