import { AsyncLocalStorage } from 'node:async_hooks'
import { codeOf } from '@pesewa/values'
import { Refusal } from '../refusals.ts'
import {
  isSampled,
  newSpanId,
  newTraceId,
  readTraceparent,
  showTraceparent,
  type TraceContext,
  traceOfObject,
} from './trace-ids.ts'

/**
 * Everything that a span can say, by the name in code and in OpenTelemetry. This list is complete: spans contain
 * neither bodies, phone numbers, names, tokens, URLs nor the values of statements.
 */
export const attributeNames = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  errorType: 'error.type',
  statement: 'db.query.summary',
  batchSize: 'pesewa.batch.size',
  spaceId: 'pesewa.space.id',
  environment: 'pesewa.environment',
  job: 'pesewa.job.name',
  attempt: 'pesewa.attempt',
  kind: 'pesewa.instruction.kind',
  provider: 'pesewa.provider',
  connection: 'pesewa.connection',
  outcome: 'pesewa.outcome',
  eventType: 'pesewa.event.type',
  objectId: 'pesewa.object.id',
  requestId: 'pesewa.request.id',
} as const

export type SpanAttributes = { [Name in keyof typeof attributeNames]?: string | number | undefined }

/** OpenTelemetry's kinds of spans. */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export type SpanStart = { name: string; kind?: SpanKind; attributes?: SpanAttributes }

type Link = Span | TraceContext

/** Where finished traces go, and the share of traces that is kept. */
export type TraceSink = { ratio: number; export(trace: LocalTrace): void; dropped(spans: number): void }

const maxSpans = 200 // limit: spans recorded of one request, job, rail call or delivery
const maxLinks = 64 // limit: links recorded of one span

/**
 * One step of a trace, recorded in memory. Recording must be cheap, because it is decided only at the end whether the
 * span is exported.
 */
export class Span {
  readonly trace: LocalTrace
  readonly parent: Span | undefined
  readonly name: string
  readonly kind: SpanKind
  readonly startMs = performance.now()
  attributes: SpanAttributes | undefined
  links: Link[] | undefined
  endMs: number | undefined
  hasFailed = false
  #id: string | undefined

  constructor(
    trace: LocalTrace,
    parent: Span | undefined,
    { name, kind = 'internal', attributes }: SpanStart,
  ) {
    this.trace = trace
    this.parent = parent
    this.name = name
    this.kind = kind
    this.attributes = attributes
  }

  // Most spans are never exported, so their ids are created only when they are needed.
  get id(): string {
    this.#id ??= newSpanId()
    return this.#id
  }

  set id(id: string) {
    this.#id = id
  }

  /** Starts a span below this one. Returns `undefined` if the trace has ended or has too many spans. */
  child(start: SpanStart): Span | undefined {
    return this.trace.start(this, start)
  }

  set(attributes: SpanAttributes): void {
    this.attributes = Object.assign(this.attributes ?? {}, attributes)
  }

  link(to: Link): void {
    this.links ??= []
    if (this.links.length < maxLinks) this.links.push(to)
  }

  /** Marks the span as failed, so that its trace is exported. A refusal below 500 is an answer, not a failure. */
  fail(error?: unknown): void {
    if (error instanceof Refusal && error.status < 500) return
    this.hasFailed = true
    this.trace.keep()
    if (error !== undefined) this.set({ errorType: errorTypeOf(error) })
  }

  end(): void {
    this.endMs ??= performance.now()
  }

  /** Ends the span with this promise, and returns the promise. */
  until<T>(running: Promise<T>): Promise<T> {
    return running.then(
      (answer) => {
        this.end()
        return answer
      },
      (error) => {
        this.fail(error)
        this.end()
        throw error
      },
    )
  }

  /** Returns the span's place, to be handed on. From now on, the id of its trace is fixed. */
  context(): TraceContext {
    return { traceId: this.trace.fixId(), spanId: this.id, isSampled: this.trace.isSampled }
  }
}

/** Returns the kind of an error. Its message is left out, because it may contain anything. */
const errorTypeOf = (error: unknown): string =>
  error instanceof Refusal
    ? error.reason
    : codeOf(error) || (error instanceof Error ? error.name : typeof error)

/** Where a trace begins: by default at a random id. `about` is the public id of the object whose trace it joins. */
export type TraceStart = SpanStart & {
  parent?: string | undefined
  about?: string | undefined
  isBatch?: boolean
}

/** The part of a trace that happens in one request, job, rail call, delivery or batch. It is exported as a whole. */
export class LocalTrace {
  readonly root: Span
  readonly spans: Span[] = []
  /** Batches that this part took part in. They are exported with it. */
  batches: Set<LocalTrace> | undefined
  readonly startedAtMs = Date.now()
  readonly sink: TraceSink
  /** Whether this is a batch of several requests, which belongs to none of their traces. */
  readonly isBatch: boolean
  parentId: string | undefined
  isExported = false
  /** `undefined` while no one has needed it. Most traces are never exported, so most never get an id. */
  #id: string | undefined
  /** Whether the trace is sampled if it keeps its random id. */
  readonly #isChosen: boolean
  #isFixed = false
  /** Whether the trace began elsewhere, where it was also decided whether it is sampled. */
  readonly #isContinued: boolean
  #isKept = false
  #isEnded = false

  constructor(sink: TraceSink, { parent, about, isBatch = false, ...start }: TraceStart) {
    this.sink = sink
    this.isBatch = isBatch
    const context = readTraceparent(parent)
    this.#id = context?.traceId
    this.#isChosen = Math.random() < sink.ratio
    this.parentId = context?.spanId
    this.#isFixed = this.#isContinued = context !== undefined
    this.#isKept = context?.isSampled === true
    this.root = new Span(this, undefined, start)
    this.spans.push(this.root)
    if (about !== undefined) this.join(about)
  }

  get id(): string {
    this.#id ??= newTraceId(this.sink.ratio, this.#isChosen)
    return this.#id
  }

  get isSampled(): boolean {
    if (this.#isKept || this.#isContinued) return this.#isKept
    return this.#id === undefined ? this.#isChosen : isSampled(this.#id, this.sink.ratio)
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Fixes the id, which until then changes if the trace turns out to be about an object, and returns it. */
  fixId(): string {
    this.#isFixed = true
    return this.id
  }

  addBatch(batch: LocalTrace): void {
    this.batches ??= new Set()
    this.batches.add(batch)
  }

  keep(): void {
    this.#isKept = true
  }

  /** Makes this a part of the trace of an object. If its own id is already in use elsewhere, links the two traces. */
  join(publicId: string): void {
    const { traceId, spanId } = traceOfObject(publicId)
    if (this.root.attributes?.objectId === undefined) this.root.set({ objectId: publicId })
    if (this.#isFixed) {
      if (this.#id !== traceId) this.root.link({ traceId, spanId, isSampled: true })
      return
    }
    this.#id = traceId
    this.parentId = spanId
    this.#isFixed = true
  }

  start(parent: Span, start: SpanStart): Span | undefined {
    if (this.#isEnded) return undefined
    if (this.spans.length >= maxSpans) {
      if (this.isSampled) this.sink.dropped(1)
      return undefined
    }
    const span = new Span(this, parent, start)
    this.spans.push(span)
    return span
  }

  /** Ends this part, and exports it if its trace is sampled or something failed. */
  end(): void {
    if (this.#isEnded) return
    this.root.end()
    this.#isEnded = true
    if (this.isSampled) this.export()
  }

  export(): void {
    if (this.isExported) return
    this.isExported = true
    this.sink.export(this)
    // A batch that is still running is exported when it ends.
    for (const batch of this.batches ?? []) {
      batch.keep()
      if (batch.isEnded) batch.export()
    }
  }
}

/**
 * The span that the current code runs in. It exists only if tracing is on, because keeping it in every request has a
 * cost.
 */
let ambient: AsyncLocalStorage<Span> | undefined

/** Starts to keep track of the current span in this process. */
export function trackSpans(): void {
  ambient ??= new AsyncLocalStorage()
}

export const currentSpan = (): Span | undefined => ambient?.getStore()

/** Runs `work` within a span that has been started. */
export const withSpan = <T>(span: Span | undefined, work: () => T): T =>
  span && ambient ? ambient.run(span, work) : work()

/** Runs `work` in a new span below the current one, if there is one. */
export function inSpan<T>(start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = currentSpan()?.child(start)
  return span ? span.until(withSpan(span, () => work(span))) : work()
}

/** Runs `work` in a new part of a trace, unless tracing is off. */
export async function inTrace<T>(
  sink: TraceSink | undefined,
  start: () => TraceStart,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!sink) return work()
  const { root } = new LocalTrace(sink, start())
  try {
    return await root.until(withSpan(root, () => work(root)))
  } finally {
    root.trace.end()
  }
}

/**
 * Runs a batch. The batch of a single member is a span below it. A batch of several is a trace of its own, and both
 * sides link to each other, because a span has only one parent.
 */
export function inBatchSpan<T>(
  name: string,
  members: (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  const traced = members.filter((span) => span !== undefined)
  const [first] = traced
  if (!first) return work()
  const start = { name: `run ${name}`, attributes: { batchSize: members.length } }
  if (members.length === 1) {
    const span = first.child(start)
    return span ? span.until(withSpan(span, work)) : work()
  }
  return inTrace(
    first.trace.sink,
    () => ({ ...start, isBatch: true }),
    (span) => {
      for (const member of traced) {
        if (span) member.link(span)
        span?.link(member)
        if (span) member.trace.addBatch(span.trace)
      }
      return work()
    },
  )
}

/** Records the creation of an object as the root span of the object's trace. */
export function recordCreation(by: Span, publicId: string, attributes: SpanAttributes): void {
  const { spanId } = traceOfObject(publicId)
  const created = new LocalTrace(by.trace.sink, {
    name: `create ${attributes.kind ?? 'object'}`,
    attributes,
    about: publicId,
  })
  created.parentId = undefined
  created.root.id = spanId
  created.root.link(by)
  if (created.isSampled) by.trace.keep()
  created.end()
}

/** Makes the current request, job or call a part of the trace of this object. */
export const joinTrace = (publicId: () => string): void => currentSpan()?.trace.join(publicId())

/** Returns the `traceparent` that a job inherits. Traces that are not sampled are not continued. */
export function inheritedTrace(): string | undefined {
  const span = currentSpan()
  return span?.trace.isSampled ? showTraceparent(span.context()) : undefined
}

/** Returns the fields of a log line that identify the current trace. */
export function traceLogFields(span: Span | undefined = currentSpan()): {
  traceId?: string
  spanId?: string
} {
  return span ? { traceId: span.trace.fixId(), spanId: span.id } : {}
}
