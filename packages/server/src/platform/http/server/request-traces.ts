import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tracing } from '../../trace-export/tracing.ts'
import { LocalTrace, type Span, withSpan } from '../../tracing/spans.ts'
import { readTraceparent } from '../../tracing/trace-ids.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The root span of the request; `undefined` if tracing is off. */
    span: Span | undefined
  }
}

/** Starts to trace a request. Its `traceparent` header is untrusted, and used only as far as the settings allow. */
export function beginTrace(tracing: Tracing, request: FastifyRequest): void {
  const { method, routeOptions, headers } = request
  const route = request.is404 ? 'none' : (routeOptions.url ?? 'none')
  const { traceparent } = headers
  const parent = tracing.incoming === 'continue' && typeof traceparent === 'string' ? traceparent : undefined
  const { root } = new LocalTrace(tracing, {
    name: `${method} ${route}`,
    kind: 'server',
    parent,
    attributes: { method, route },
  })
  const linked = tracing.incoming === 'link' ? readTraceparent(traceparent) : undefined
  if (linked) root.link(linked)
  request.span = root
}

/** Ends the trace of a request that has been answered or aborted. */
export function endTrace(request: FastifyRequest, { statusCode }: FastifyReply): void {
  const { span, access, id } = request
  if (!span) return
  if (statusCode >= 500) span.fail()
  if (span.trace.isSampled) span.set({ status: statusCode, requestId: id, ...access?.scope })
  span.trace.end()
}

/** Returns the trace to be shown with the duration of a request, if it is exported. */
export const exemplarOf = ({ span }: FastifyRequest) => (span?.trace.isExported ? span.context() : undefined)

/** Wraps a handler, so that everything that it does belongs to the trace of the request. */
export const inRequestTrace = <Rest extends unknown[], Answer>(
  tracing: Tracing | undefined,
  handle: (request: FastifyRequest, ...rest: Rest) => Answer,
): ((request: FastifyRequest, ...rest: Rest) => Answer) =>
  tracing ? (request, ...rest) => withSpan(request.span, () => handle(request, ...rest)) : handle

/** Matches the envelope of a result that begins with the id of an object. */
const resultId = /^\{"success":true,"messages":\[\],"result":\{"id":"([a-z]{3}-[0-9a-z]{26})"/

/** Makes a command a part of the trace of the object that it has created or changed. */
export function joinTraceOfResult({ span }: FastifyRequest, text: string): void {
  if (!span) return
  const [, publicId] = resultId.exec(text) ?? []
  if (publicId !== undefined) span.trace.join(publicId)
}
