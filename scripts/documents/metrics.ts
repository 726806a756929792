import type { Registry } from 'prom-client'
import { code, page, plain, table, writtenByCode } from './markdown.ts'

/** A metric that the program exposes, with its name in a scrape. */
type ShownMetric = { name: string; type: string; help: string; labels: string[] }

const typeNames = ['counter', 'gauge', 'histogram', 'summary']

/** Returns the metrics in a node's registry, without those that the metrics library adds. */
const ownMetrics = (registry: Registry): ShownMetric[] =>
  registry
    .getMetricsAsArray()
    .filter(({ name }) => name.startsWith('pesewa_'))
    .map((metric) => {
      // The library's types omit label names, which every metric has.
      const { labelNames } = metric as { labelNames?: string[] }
      const type = String(metric.type)
      return {
        name: metric.name,
        type: typeNames.includes(type) ? type : (typeNames[Number(type)] ?? type),
        help: metric.help,
        labels: [...(labelNames ?? [])],
      }
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1))

/** Writes `docs/reference/metrics.md`. */
export const writeMetrics = (registry: Registry): string =>
  page(
    writtenByCode('the metrics of a node'),
    '# Metrics',
    'The metrics at `/metrics`, except those of the process itself (`process_…`, `nodejs_…`). A histogram has `_count`, `_sum` and `_bucket`. Gauges about the database have the same value on every node: use the maximum. [Install and run the service](../guides/install.md#6-watch-it) explains what to watch; `deploy/grafana/pesewa.json` is a dashboard.',
    table(
      ['Metric', 'Type', 'Labels', 'Description'],
      ownMetrics(registry).map(({ name, type, labels, help }) => [
        code(name),
        type,
        labels.map(code).join(', '),
        plain(help),
      ]),
    ),
  )
