import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { showId } from '../ids.ts'
import { resourceOf } from '../resources.ts'
import {
  attributeNames,
  type LocalTrace,
  Span,
  type SpanAttributes,
  type SpanKind,
} from '../tracing/spans.ts'
import type { TraceContext } from '../tracing/trace-ids.ts'
import { programVersion } from '../version.ts'

/** A span in the form that OpenTelemetry's exporter accepts. */
export type ExportedSpan = Parameters<OTLPTraceExporter['export']>[0][number]

/** The numbers of OpenTelemetry's `SpanKind`. Importing the enum would load the package even if tracing is off. */
const kinds = { internal: 0, server: 1, client: 2, producer: 3, consumer: 4 } satisfies Record<
  SpanKind,
  number
>
/** The numbers of OpenTelemetry's `SpanStatusCode`. */
const statusUnset = { code: 0 }
const statusError = { code: 2 }

const longestText = 120 // characters of a span’s attribute or name

/** Returns a function that converts the recorded spans of a trace. */
export function openConversion(node: number): (trace: LocalTrace) => ExportedSpan[] {
  const resource = resourceWith({
    'service.name': 'pesewa',
    'service.version': programVersion(),
    'service.instance.id': String(node),
  })
  const scope = { name: 'pesewa', version: programVersion() }
  return (trace) => {
    const endedAtMs = trace.root.endMs ?? performance.now()
    return trace.spans.map((span) => {
      const parentId = span === trace.root ? trace.parentId : (span.parent?.id ?? trace.root.id)
      // A span that outlives its trace, such as work after the response, ends with it.
      const endMs = Math.max(span.endMs ?? endedAtMs, span.startMs)
      const at = (ms: number) => hrTimeOf(trace.startedAtMs + ms - trace.root.startMs)
      return {
        name: cut(span.name),
        kind: kinds[span.kind],
        spanContext: () => contextOf({ traceId: trace.id, spanId: span.id }),
        ...(parentId !== undefined && {
          parentSpanContext: contextOf({ traceId: trace.id, spanId: parentId }),
        }),
        startTime: at(span.startMs),
        endTime: at(endMs),
        duration: hrTimeOf(endMs - span.startMs),
        ended: true,
        status: span.hasFailed ? statusError : statusUnset,
        attributes: attributesOf(span.attributes ?? {}),
        links: linksOf(span),
        events: [],
        resource,
        instrumentationScope: scope,
        droppedAttributesCount: 0,
        droppedEventsCount: 0,
        droppedLinksCount: 0,
      }
    })
  }
}

const contextOf = ({ traceId, spanId }: Omit<TraceContext, 'isSampled'>) => ({
  traceId,
  spanId,
  traceFlags: 1,
})

/** Links to spans that are not exported would lead nowhere, so they are left out. */
function linksOf({ links = [] }: Span): ExportedSpan['links'] {
  return links.flatMap((to) => {
    if (!(to instanceof Span)) return { context: contextOf(to) }
    return to.trace.isExported ? { context: contextOf({ traceId: to.trace.fixId(), spanId: to.id }) } : []
  })
}

/** Converts the attributes. Only those that are listed can pass. */
function attributesOf(attributes: SpanAttributes): Record<string, string | number> {
  const shown: Record<string, string | number> = {}
  for (const [key, name] of Object.entries(attributeNames)) {
    // The keys of this object are the names of the attributes.
    const value = attributes[key as keyof SpanAttributes]
    if (value === undefined) continue
    shown[name] =
      key === 'spaceId'
        ? showId(resourceOf('space').ids, String(value))
        : typeof value === 'number'
          ? value
          : cut(value)
  }
  return shown
}

const cut = (text: string) => text.slice(0, longestText)

const hrTimeOf = (ms: number): [number, number] => {
  const seconds = Math.trunc(ms / 1_000)
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)]
}

/** Returns a resource with fixed attributes, without the package that would also detect some from the environment. */
function resourceWith(attributes: Record<string, string>): ExportedSpan['resource'] {
  const resource = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  }
  return resource
}
