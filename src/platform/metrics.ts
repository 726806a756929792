import { createServer } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry, Gauge as Shown } from 'prom-client'
import type { Database, Reader } from './db/database.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** What an operator watches; slices add their own. Labels are route patterns and provider ids, never anything a caller can choose. */
export function createMetrics() {
  const registry = new Registry()
  // The delay of the event loop is sampled so often, in milliseconds; the usual 10 took half of what an idle node takes.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'pesewa_request_seconds',
      help: 'Time from a request to its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    rateLimited: new Counter({
      name: 'pesewa_rate_limited_total',
      help: 'Requests refused by a limit.',
      labelNames: ['limit'],
      registers,
    }),
    refusedConnections: new Counter({
      name: 'pesewa_connections_refused_total',
      help: 'Connections closed because their address had too many.',
      registers,
    }),
    batchSizes: new Histogram({
      name: 'pesewa_batch_size',
      help: 'Concurrent commands that were carried out together.',
      labelNames: ['command'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500],
      registers,
    }),
    jobs: new Histogram({
      name: 'pesewa_job_seconds',
      help: 'Time that a background job took.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
  }
}

/**
 * Serves the metrics on a port of their own, so that the API's port may be public; and `/readyz`, because a node that only
 * works has no other port.
 */
export function serveMetrics(
  metrics: Metrics,
  host: string,
  port: number,
  describeReadiness: () => Promise<{ status: number; body: object }>,
): Promise<{ close(): void }> {
  const server = createServer((request, response) => {
    if (request.url === '/readyz')
      return void describeReadiness().then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
    if (request.url !== '/metrics') return void response.writeHead(404).end()
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve({ close: () => void server.close() }))
  })
}

/** A metric of a slice's own: one in each registry, made when it is first used. */
export function oneEach<Metric>(
  make: (registers: Registry[]) => Metric,
): (metrics: Pick<Metrics, 'registry'>) => Metric {
  const made = new WeakMap<Registry, Metric>()
  return ({ registry }) => {
    const metric = made.get(registry) ?? make([registry])
    made.set(registry, metric)
    return metric
  }
}

/** What a slice shows of the database, on every node alike, whichever node began it. */
export type Gauge = {
  name: string
  help: string
  /** `undefined`: there is nothing to show. */
  read(db: Reader): Promise<number | undefined>
}

export function showGauges(db: Database, registry: Registry, gauges: Gauge[]): void {
  for (const { name, help, read } of gauges)
    new Shown({
      name,
      help,
      registers: [registry],
      async collect() {
        // While the database is away the other metrics must still be shown, and this one as it was last.
        const value = await read(db).catch(() => 'away' as const)
        if (value === undefined) this.remove()
        else if (value !== 'away') this.set(value)
      },
    })
}
