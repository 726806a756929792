/** Batch sizes of commands; `max` is the upper bound of the largest histogram bucket that contains a batch. */
export type BatchSizes = { mean: number; max: number }

const metric = 'pesewa_batch_size'

type Series = { sum: number; count: number; buckets: Map<number, number> }

/**
 * Returns the batch sizes between two readings of the metrics, for the command that was executed most often.
 * Returns null if no command was executed.
 */
export function batchSizesBetween(before: string | undefined, after: string | undefined): BatchSizes | null {
  const [old, now] = [seriesOf(before ?? ''), seriesOf(after ?? '')]
  const grown = [...now].map(([labels, series]) => difference(series, old.get(labels)))
  const [most] = grown.filter(({ count }) => count > 0).sort((a, b) => b.sum - a.sum)
  if (!most) return null
  const hit = [...most.buckets].sort(([a], [b]) => a - b).find(([, below]) => below === most.count)
  return { mean: most.sum / most.count, max: hit?.[0] ?? Number.POSITIVE_INFINITY }
}

function seriesOf(text: string): Map<string, Series> {
  const all = new Map<string, Series>()
  for (const [, kind, labels = '', value] of text.matchAll(
    new RegExp(`^${metric}_(sum|count|bucket)(?:\\{(.*)\\})? (\\S+)$`, 'gm'),
  )) {
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1]
    const own = labels.replace(/(?:^|,)le="[^"]+"/, '').replace(/^,/, '')
    const series = all.get(own) ?? { sum: 0, count: 0, buckets: new Map() }
    all.set(own, series)
    if (kind === 'bucket')
      series.buckets.set(bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound), Number(value))
    else series[kind as 'sum' | 'count'] = Number(value)
  }
  return all
}

const difference = (now: Series, old: Series | undefined): Series => ({
  sum: now.sum - (old?.sum ?? 0),
  count: now.count - (old?.count ?? 0),
  buckets: new Map([...now.buckets].map(([bound, count]) => [bound, count - (old?.buckets.get(bound) ?? 0)])),
})
