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

export type Metrics = ReturnType<typeof createMetrics>

/**
 * Creates the metrics for operators, to which slices add their own. Labels contain only route patterns and
 * provider ids, never values that callers can choose.
 */
export function createMetrics() {
  const registry = new Registry()
  // Interval in milliseconds at which the event loop delay is sampled. The default of 10 caused half of an idle
  // node's load.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'pesewa_request_seconds',
      help: 'Duration of HTTP requests.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
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
 * Serves the metrics on a separate port, so that the port of the API can be public. `/readyz` is served there,
 * too, because a node that only runs background jobs has no other port.
 */
export function serveMetrics(
  { metrics: { registry }, siblings }: { metrics: Metrics; siblings: Siblings },
  host: string,
  port: number,
  describeReadiness: () => Promise<{ status: number; body: object }>,
): Promise<{ close(): void }> {
  siblings.onAsked('metrics', () => registry.getMetricsAsJSON())
  const readTotals = async () => {
    const all = await siblings.ask('metrics')
    // Each answer comes from the line above, in this process or in one like it.
    return all.length === 1 ? registry.metrics() : AggregatorRegistry.aggregate(all as object[][]).metrics()
  }
  const server = createServer((request, response) => {
    if (request.url === '/readyz')
      return void describeReadiness().then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    readTotals().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve({ close: () => void server.close() }))
  })
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

/** A metric whose value a slice reads from the database. All nodes report the same value. */
export type Gauge = {
  name: string
  help: string
  /** Reads the value, or returns `undefined` if there is nothing to report. */
  read(db: Reader): Promise<number | undefined>
}

export function registerGauges(db: Database, registry: Registry, gauges: Gauge[]): void {
  for (const { name, help, read } of gauges)
    new Shown({
      name,
      help,
      ...sameEverywhere,
      registers: [registry],
      async collect() {
        // While the database is unavailable, the other metrics must still be reported, and this metric keeps
        // its last value.
        const value = await read(db).catch(() => 'away' as const)
        if (value === undefined) this.remove()
        else if (value !== 'away') this.set(value)
      },
    })
}
