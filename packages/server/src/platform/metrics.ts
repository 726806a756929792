import { createServer } from 'node:http'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Histogram,
  Registry,
  Gauge as Shown,
} from 'prom-client'
import type { Database, Reader } from './db/database.ts'
import type { Siblings } from './siblings.ts'
import type { TraceContext } from './tracing/trace-ids.ts'

const openMetrics: string = Registry.OPENMETRICS_CONTENT_TYPE
const plainText: string = Registry.PROMETHEUS_CONTENT_TYPE

/** Sets the format of a registry. */
const setFormat = (registry: Registry, contentType: string) =>
  // The type says that the format of a registry cannot change, but the library allows it.
  (registry as { setContentType(contentType: string): void }).setContentType(contentType)

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates the metrics for operators, to which slices add their own. Labels contain only route patterns and
 * provider ids, never values that callers can choose. With `isTraced`, durations of requests also show the trace of a
 * recent request, as an exemplar.
 */
export function createMetrics({ isTraced = false } = {}) {
  const registry = new Registry()
  // Only this format has exemplars. It is also the reason why `serveMetrics` renders copies of the metrics.
  if (isTraced) setFormat(registry, openMetrics)
  // Interval in milliseconds at which the event loop delay is sampled. The default of 10 caused half of an idle
  // node's load.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const registers = [registry]
  const requests = new Histogram({
    name: 'pesewa_request_seconds',
    help: 'Duration of HTTP requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    enableExemplars: isTraced,
    registers,
  })
  return {
    registry,
    observeRequest(
      labels: { method: string; route: string; status: string },
      seconds: number,
      trace: TraceContext | undefined,
    ): void {
      if (!isTraced) {
        requests.observe(labels, seconds)
        return
      }
      // The type of the labels of an exemplar is that of the metric's own, although they are others.
      const exemplarLabels = trace && { trace_id: trace.traceId, span_id: trace.spanId }
      requests.observe({
        labels,
        value: seconds,
        ...(exemplarLabels && { exemplarLabels: exemplarLabels as object }),
      })
    },
    spans: new Counter({
      name: 'pesewa_spans_total',
      help: 'Spans of exported traces by outcome: exported, failed because the receiver did not accept them, or dropped because too many were waiting.',
      labelNames: ['outcome'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'pesewa_rate_limited_total',
      help: 'Requests refused by a rate limit.',
      labelNames: ['limit'],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'pesewa_connections_refused_total',
      help: 'HTTP connections closed because the client’s IP address had too many open connections.',
      registers,
    }),
    batchSizes: new Histogram({
      name: 'pesewa_batch_size',
      help: 'Number of concurrent commands executed in one batch.',
      labelNames: ['command'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    jobs: new Histogram({
      name: 'pesewa_job_seconds',
      help: 'Duration of background jobs.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
  }
}

/**
 * Serves the metrics on a separate port, so that the port of the API can be public. `/healthz` and `/readyz` are served
 * there, too, because a node that only runs background jobs has no other port.
 */
export function serveMetrics(
  { metrics: { registry }, siblings }: { metrics: Metrics; siblings: Siblings },
  host: string,
  port: number,
  describeReadiness: () => Promise<{ status: number; body: object }>,
): Promise<{ close(): void }> {
  siblings.onAsked('metrics', () => registry.getMetricsAsJSON())
  const readTotals = async (contentType: string) => {
    // Each answer comes from the line above, in this process or in one like it.
    const all = (await siblings.ask('metrics')) as MetricJson[][]
    if (all.length === 1 && registry.contentType === plainText) return registry.metrics()
    return rendered(all, contentType)
  }
  const server = createServer((request, response) => {
    const sendJson = ({ status, body }: { status: number; body: object }) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/healthz') return sendJson({ status: 200, body: { status: 'ok' } })
    if (request.url === '/readyz') return void describeReadiness().then(sendJson)
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    const isOpenMetrics =
      String(registry.contentType) === openMetrics &&
      request.headers.accept?.includes('application/openmetrics-text')
    const contentType = isOpenMetrics ? openMetrics : plainText
    readTotals(contentType).then(
      (text) => response.writeHead(200, { 'content-type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve({ close: () => void server.close() }))
  })
}

/**
 * Adds a metric of this node's readiness, which is determined when it is read. The gauges of slices keep their last
 * values while the database is unavailable, so an alert cannot be based on them.
 */
export function showReadiness(
  registry: Registry,
  describeReadiness: () => Promise<{ status: number }>,
): void {
  new Shown({
    name: 'pesewa_ready',
    help: '1 if the node is ready, as reported by `/readyz`, otherwise 0.',
    aggregator: 'min',
    registers: [registry],
    async collect() {
      const { status } = await describeReadiness()
      this.set(status === 200 ? 1 : 0)
    },
  })
}

type MetricJson = {
  name: string
  values: { labels: object; metricName?: string; value: number; exemplar?: { timestamp: number } }[]
}

/**
 * Renders the totals of all processes. The metrics are copies, because rendering OpenMetrics changes the names of
 * counters. The library forgets exemplars when it adds up processes, so the newest of each value is added again.
 */
function rendered(all: MetricJson[][], contentType: string): Promise<string> {
  const totals = AggregatorRegistry.aggregate(all)
  setFormat(totals as Registry, contentType)
  const newest = new Map<string, { timestamp: number }>()
  const keyOf = (value: MetricJson['values'][number]) => `${value.metricName} ${JSON.stringify(value.labels)}`
  const exposed = all.flat().flatMap(({ values }) => values)
  for (const value of exposed)
    if (value.exemplar && value.exemplar.timestamp > (newest.get(keyOf(value))?.timestamp ?? 0))
      newest.set(keyOf(value), value.exemplar)
  // The metrics of this registry are the totals, each with the values that are rendered.
  if (newest.size > 0)
    for (const { values } of totals.getMetricsAsArray() as unknown as MetricJson[])
      for (const value of values) {
        const exemplar = newest.get(keyOf(value))
        if (exemplar) value.exemplar = exemplar
      }
  return totals.metrics()
}

/** Returns a function that creates a slice's metric on first use, once per registry. */
export function oncePerRegistry<Metric>(
  make: (registers: Registry[]) => Metric,
): (metrics: Pick<Metrics, 'registry'>) => Metric {
  const made = new WeakMap<Registry, Metric>()
  return ({ registry }) => {
    const metric = made.get(registry) ?? make([registry])
    made.set(registry, metric)
    return metric
  }
}

/** The total of a metric that has the same value in all processes of a node. */
export const sameEverywhere = { aggregator: 'first' } as const

/** A metric that a slice reads from the database. All nodes report the same value. */
export type Gauge = {
  name: string
  help: string
} & (
  | {
      /** Reads the value, or returns `undefined` if there is nothing to report. */
      read(db: Reader): Promise<number | undefined>
    }
  | {
      labelNames: string[]
      /** Reads one value for each combination of labels. */
      readEach(db: Reader): Promise<{ labels: Record<string, string>; value: number }[]>
    }
)

export function registerGauges(db: Database, registry: Registry, gauges: Gauge[]): void {
  for (const gauge of gauges)
    new Shown({
      name: gauge.name,
      help: gauge.help,
      labelNames: 'labelNames' in gauge ? gauge.labelNames : [],
      ...sameEverywhere,
      registers: [registry],
      async collect() {
        // While the database is unavailable, the other metrics must still be reported, and this metric keeps
        // its last value.
        const values = await valuesOf(gauge, db).catch(() => undefined)
        if (!values) return
        this.reset()
        if (values.length === 0 && 'read' in gauge) this.remove()
        for (const { labels, value } of values) this.set(labels, value)
      },
    })
}

async function valuesOf(
  gauge: Gauge,
  db: Reader,
): Promise<{ labels: Record<string, string>; value: number }[]> {
  if ('readEach' in gauge) return gauge.readEach(db)
  const value = await gauge.read(db)
  return value === undefined ? [] : [{ labels: {}, value }]
}
