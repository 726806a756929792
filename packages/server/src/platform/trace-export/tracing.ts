import type { Agent } from 'node:http'
import type { PlatformSettings } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { repeat } from '../repeat.ts'
import { type LocalTrace, type TraceSink, trackSpans } from '../tracing/spans.ts'
import { openConversion } from './otlp.ts'

export type Tracing = TraceSink & {
  incoming: PlatformSettings['incomingTraces']
  /** Exports the waiting spans, as far as this is possible within a few seconds. */
  stop(): Promise<void>
}

type TracingOptions = {
  endpoint: string
  headers: Record<string, string> | undefined
  ratio: number
  incoming: Tracing['incoming']
  /** This node's number. */
  node: number
  everyMs?: number
}

const maxWaiting = 10_000 // limit: spans that wait for their export; further ones are dropped
const maxExported = 500 // spans in one message to the receiver
const exportEveryMs = 2_000 // how often a node exports spans
const exportTimeoutMs = 5_000 // limit: time for a message to the receiver, including retries
const stopLimitMs = 3_000 // limit: time for which a stopping node waits for its last spans to be exported

/**
 * Starts to trace this process and to export traces over OTLP. The packages that this takes are loaded only now, so
 * that a node without tracing does not pay for them.
 *
 * The receiver cannot slow the node down: one message is sent at a time, the number of waiting spans is limited, and
 * spans that cannot be delivered are counted and forgotten.
 */
export async function openTracing(
  { log, metrics }: { log: Log; metrics: Pick<Metrics, 'spans'> },
  { endpoint, headers, ratio, incoming, node, everyMs = exportEveryMs }: TracingOptions,
): Promise<Tracing> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  let agent: Agent | undefined
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    ...(headers && { headers }),
    timeoutMillis: exportTimeoutMs,
    httpAgentOptions: async (protocol) => {
      const { Agent } = await import(protocol === 'https:' ? 'node:https' : 'node:http')
      const opened = new Agent({ keepAlive: true })
      agent = opened
      return opened
    },
    concurrencyLimit: 1,
  })
  const convert = openConversion(node)
  let waiting: LocalTrace[] = []
  let spansWaiting = 0
  let isFailing = false
  const count = (outcome: 'exported' | 'dropped' | 'failed', spans: number) =>
    metrics.spans.inc({ outcome }, spans)

  /** Takes traces of up to `maxExported` spans, or one trace with more. */
  function takeSome(): LocalTrace[] {
    let spans = 0
    const end = waiting.findIndex((trace, i) => {
      spans += trace.spans.length
      return i > 0 && spans > maxExported
    })
    const some = waiting.splice(0, end < 0 ? waiting.length : end)
    spansWaiting -= some.reduce((sum, trace) => sum + trace.spans.length, 0)
    return some
  }

  async function exportSome(): Promise<void> {
    const spans = takeSome().flatMap(convert)
    const error = await new Promise<Error | undefined>((resolve) =>
      exporter.export(spans, ({ code, error }) =>
        resolve(code === 0 ? undefined : (error ?? new Error('failed'))),
      ),
    )
    count(error ? 'failed' : 'exported', spans.length)
    // One line when it starts to fail, and one when it works again.
    if (error && !isFailing)
      log.warn({ err: withoutResponse(error) }, 'failed to export traces; spans are dropped')
    if (!error && isFailing) log.warn({}, 'traces are exported again')
    isFailing = error !== undefined
  }

  async function exportAll(): Promise<void> {
    do if (waiting.length > 0) await exportSome()
    while (waiting.length > 0 && !isFailing)
  }

  trackSpans()
  const stopExporting = repeat(everyMs, log, exportAll)
  return {
    ratio,
    incoming,
    export(trace) {
      const spans = trace.spans.length
      if (spansWaiting + spans > maxWaiting) return count('dropped', spans)
      spansWaiting += spans
      waiting.push(trace)
    },
    dropped: (spans) => count('dropped', spans),
    async stop() {
      const last = stopExporting().then(exportAll)
      await Promise.race([last, new Promise((resolve) => setTimeout(resolve, stopLimitMs).unref())])
      count('dropped', spansWaiting)
      waiting = []
      spansWaiting = 0
      exporter.shutdown().catch(() => {})
      // A message that is still in flight would keep the process alive.
      agent?.destroy()
    },
  }
}

/** The exporter's errors contain what the receiver answered, which may be anything. */
const withoutResponse = ({ message, stack }: Error) => Object.assign(new Error(message), { stack })
