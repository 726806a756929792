import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { Outcome } from '../../batches.ts'
import type { Stretch } from '../../db/bounded-walk.ts'
import type { AnyTx, HomeTx, Reader, Tx } from '../../db/database.ts'
import type { IdKind } from '../../ids.ts'
import type { Limit } from '../../limits/rate-limits.ts'
import type { Issues, RefusalReason } from '../../refusals.ts'
import type { Scope } from '../../scope.ts'
import type { NewRows, NotSimple } from './new-rows.ts'

/** A validated API request, as passed to handlers. */
export type Call<Query = unknown, Body = unknown> = {
  scope: Scope
  /** The internal id of the object that the path identifies. */
  id: string
  params: Record<string, string>
  query: Query
  body: Body
  /** The current time on the Space's clock. */
  now: Date
  may(permission: string): boolean
  userId: string
  /** Name of the operator whose command makes the call in its own process. In this case, `userId` is empty. */
  operator?: string | undefined
  tokenId: string
  /** The session of a console user, who needs no token. In this case, `tokenId` is the id of the session. */
  session: { freshUntil: Date } | undefined
  /** The idempotency key of a command; empty for other calls. */
  idempotencyKey: string
}

/**
 * A body without its malformed parts: malformed fields are left out, and malformed list entries are
 * `undefined`.
 */
export type WellFormed<T> = T extends readonly (infer Entry)[]
  ? (WellFormed<Entry> | undefined)[]
  : T extends object
    ? { [Field in keyof T]?: WellFormed<T[Field]> | undefined }
    : T

export type Page = {
  /** Maximum number of rows to return. */
  take: number
  /** The position at which the previous page ended: the id (or code, or sequence) of its last row. */
  after: string | undefined
  /** Time range of the rows, if they have a time. `from` is inclusive and `to` is exclusive. */
  from?: Date | undefined
  to?: Date | undefined
}

/**
 * A rule for a body that its schema cannot express. It consists of a sentence and the fields that are reported
 * if the rule is violated.
 */
export type Rule = { about: string[]; says: string }
/** The rows of a list: either all rows of the page, or those found before the scan stopped. */
export type Listed<Row> = Row[] | Stretch<Row>

type Endpoint<R extends TSchema> = {
  /** URL pattern, such as `/v1/payments/:id`. */
  url: string
  /**
   * Permission that the token and the role must grant. `null` means that any valid token is sufficient and no
   * Space header is needed. Permissions that begin with `installation:` are for operators and need no Space
   * header, either.
   */
  permission: string | null
  /** True if console users must have signed in recently. */
  needsStepUp?: boolean
  /** The kind of object that `:id` identifies. */
  idKind?: IdKind
  /** Path parameters other than `:id`. */
  params?: Record<string, TSchema>
  /** Shape of the result, or of each entry if the route returns a list. */
  result: R
}

/** Details of a route that are shown in the API reference. */
export type Documentation = {
  /** A title that says what the call does: `Create a refund`. */
  summary: string
  /** One or two sentences that follow the title. */
  about?: string
  /** Refusal reasons that are specific to the route, in addition to those shared by all routes of its kind. */
  reasons?: RefusalReason[]
  /** Fields that are added to the example of the response. */
  shows?: object
}

export type Reading<Q extends TSchema> = Documentation & {
  /** Callers who have only this permission are admitted, too, but see masked names. The route checks `call.may`. */
  maskedFor?: string
  query?: Q
}

export type Writing<B extends TSchema> = Documentation & {
  body: B
  /**
   * Callers who have only this permission are admitted, too, but another member must approve their request. The
   * route checks `call.may`.
   */
  proposedWith?: string
  /** Size limit of the body, if it is larger than the default. */
  maxBodyBytes?: number
  /** Example of the body for the reference. Its ids are created by `idOf`. */
  example?: object
  rules?: Rule[]
  /**
   * Validates the well-formed parts of a malformed body against rules that its schema cannot express, so that
   * all issues are reported together. If the whole body is well-formed, `write` applies the same rules.
   */
  validate?(db: Reader, call: Call<unknown, WellFormed<Static<B>>>, issues: Issues): Promise<void> | void
  /** Returns whether this body requires a recent sign-in. Used by routes where only some bodies do. */
  needsStepUpFor?(db: Reader, call: Call<unknown, Static<B>>): Promise<boolean>
}

/** The description that every API route has. Its handlers accept and return values that match the schemas. */
type Described = Endpoint<TSchema> & Reading<TSchema> & Partial<Writing<TSchema>>

export type Empty = TObject<Record<never, never>>

/**
 * A response that is written as fast as the client reads it. The request can be refused only before the first
 * chunk.
 */
export type FileResponse = { type: string; name: string; chunks: AsyncIterator<string | Buffer, unknown> }

/** Functions that open a file, by media type. `acceptLanguage` is the header of the request. */
type Files<Query> = Record<
  string,
  { open(call: Call<Query>, acceptLanguage: string | undefined): Promise<Omit<FileResponse, 'type'>> }
>

/** The rows of a table, in batches. */
export type Stretches = AsyncIterable<unknown[]> | Iterable<unknown[]>

/**
 * The rows of an object as a table, which clients can download as CSV or XLSX. The rows have the given shape. `name`
 * is the name of the file without its ending.
 */
type Table<Query> = {
  shape: TSchema
  open(call: Call<Query>): Promise<{ name: string; stretches: Stretches }>
}

export type ReadRoute = Described & {
  kind: 'read'
  method: 'GET'
  read(call: Call): Promise<unknown>
  table?: Table<unknown>
  /** Additional formats, which clients select with `Accept`. */
  files?: Files<unknown>
}

/** Defines the GET of one object. If `read` returns `undefined`, the response is a 404. */
export const read = <R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      read(call: Call<Static<Q>>): Promise<Static<R> | undefined>
      table?: Table<Static<Q>>
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

/** Defines the GET of a page of objects, newest first unless the slice documents another order. */
export const list = <Row, R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      list(call: Call<Static<Q>>, page: Page): Promise<Listed<Row>>
      present(row: Row, call: Call<Static<Q>>): Static<R>
      position(row: Row): string
    },
): ListRoute => ({ kind: 'list', method: 'GET', ...route })

/**
 * An event in a stream. `text` is JSON that matches the shape of the route's result. Callers without `permission`, if
 * it is set, do not receive the event.
 */
export type StreamedEvent = { id: string; type: string; text: string; permission?: string }

/** Yields batches of events, and comments, until `signal` aborts. */
export type EventSource = (signal: AbortSignal) => AsyncIterable<StreamedEvent[] | { comment: string }>

export type StreamRoute = Described & {
  kind: 'stream'
  method: 'GET'
  permission: string
  open(call: Call, lastEventId: string | undefined): Promise<EventSource>
}

/**
 * Defines the GET of a stream. `open` can refuse a request like any other route. Once the stream has started,
 * the request can no longer be refused; the stream can only end.
 */
export const stream = <R extends TSchema, Q extends TSchema = Empty>(
  route: Endpoint<R> &
    Reading<Q> & {
      permission: string
      open(call: Call<Static<Q>>, lastEventId: string | undefined): Promise<EventSource>
    },
): StreamRoute => ({ kind: 'stream', method: 'GET', ...route })

/** A POST that runs alone or in a batch. */
export type CommandRoute = SingleCommand | GroupCommand

/** A command writes either the cell of its Space or, if it `isHome`, what is kept at home. */
type SingleCommand = Described & { kind: 'command'; method: 'POST' } & (
    | (SingleWriting<TSchema, unknown> & { isHome?: false })
    | (SingleWriting<TSchema, unknown, HomeTx> & { isHome: true })
  )

export type SingleWriting<B extends TSchema, Result, T extends AnyTx = Tx> = Writing<B> & {
  /**
   * True if the response contains a secret. It is then stored encrypted, and replayed only to the user who made
   * the request.
   */
  isSecret?: boolean
  /** True if the response is replayed only to the same token, not to other tokens of the user. */
  isForCallerOnly?: boolean
  /**
   * True if the body is so short that it could be guessed from its fingerprint. The fingerprint is then
   * computed with our secret key.
   */
  isBodySecret?: boolean
  /** Rate limits of this command alone. They are counted before its transaction, also for a replayed response. */
  limits?(call: Call<unknown, Static<B>>): Limit[]
  write(tx: T, call: Call<unknown, Static<B>>): Promise<Result>
  /**
   * Work that the node must do before it responds, even if it replays the response of another node.
   *
   * @param result the result in the response
   */
  afterCommit?(call: Call<unknown, Static<B>>, result: unknown): Promise<void>
}

/** Defines a POST that runs in one transaction, once per idempotency key. */
export const command = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & SingleWriting<B, Static<R>>,
): CommandRoute => ({ kind: 'command', method: 'POST', ...route })

/** Like `command`, in a transaction at home. */
export const homeCommand = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & SingleWriting<B, Static<R>, HomeTx>,
): CommandRoute => ({ kind: 'command', method: 'POST', isHome: true, ...route })

/** A frequent POST. Concurrent calls from any Spaces run in one transaction, and each gets its own result. */
export type GroupCommand = Described & GroupWriting<TSchema, unknown> & { kind: 'command'; method: 'POST' }

export type GroupWriting<B extends TSchema, Result> = Writing<B> & {
  /** Work at home that precedes `writeEach`, for calls whose idempotency keys are free. */
  prepareEach?(calls: Call<unknown, Static<B>>[]): Promise<void>
  /** Runs calls that may belong to different Spaces. Refusing one call must not affect the others. */
  writeEach(tx: Tx, calls: Call<unknown, Static<B>>[]): Promise<Outcome<Result>[]>
  /**
   * The fast path: returns what the calls write, which is then written in a single statement, or which calls are
   * not simple enough.
   */
  prepareNew?(calls: Call<unknown, Static<B>>[]): Promise<NewRows | NotSimple>
}

export type ChangeRoute = Described & { kind: 'change'; method: 'PATCH' | 'DELETE' } & (
    | { isHome?: false; write(tx: Tx, call: Call): Promise<unknown> }
    | { isHome: true; write(tx: HomeTx, call: Call): Promise<unknown> }
  )

/** Defines a PATCH, which changes only the given fields. */
export const change = <R extends TSchema, B extends TSchema>(
  route: Endpoint<R> & Writing<B> & { write(tx: Tx, call: Call<unknown, Static<B>>): Promise<Static<R>> },
): ChangeRoute => ({ kind: 'change', method: 'PATCH', ...route })

/**
 * Returns whether a route applies to the Space in the request's header. Other routes apply to the installation
 * or to no particular Space.
 */
export const isInSpace = ({ permission }: Pick<ApiRoute, 'permission'>) =>
  permission !== null && !permission.startsWith('installation:')

export type ApiRoute = ReadRoute | ListRoute | StreamRoute | CommandRoute | ChangeRoute

/**
 * A route outside the API, for a page, a provider callback or a simulated rail. It handles authentication and
 * responses itself.
 */
export type RawRoute = Documentation & {
  kind: 'raw'
  method: 'GET' | 'POST' | 'PUT' | ('GET' | 'POST' | 'PUT')[]
  url: string
  /**
   * Shapes of the request and response, for routes that the API reference documents. If the request has a body,
   * the response has an envelope.
   */
  body?: TSchema
  result?: TSchema
  example?: object
  /** Size limit of the body, if it is larger than the default for routes outside the API. */
  maxBodyBytes?: number
  /** Called before the body is read. It throws to refuse the caller. */
  admit?(request: FastifyRequest): unknown
  /** Renders the response for a refusal or an unexpected error. Defaults to the API's error envelope. */
  showError?(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown
  handle(request: FastifyRequest, reply: FastifyReply): unknown
}

export type Route = ApiRoute | RawRoute
