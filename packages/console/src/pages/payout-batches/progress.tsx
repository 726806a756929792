import type { Batch } from './decisions.tsx'
import './payout-batches.css'
import { useTexts } from './texts.ts'

/** The states of a batch's rows, in the order in which they are shown. A row waits until its payout has been sent. */
const kinds = ['paid', 'failed', 'unknown', 'waiting'] as const

function countKinds({ counts }: Batch): Record<(typeof kinds)[number], number> {
  const { rows, completed: paid, failed, processing: unknown } = counts
  return { paid, failed, unknown, waiting: rows - paid - failed - unknown }
}

/** Shows how many rows of a batch are paid, failed, without an outcome and waiting: as a bar and in words. */
export function BatchProgress({ of: batch }: { of: Batch }) {
  const t = useTexts()
  const counts = countKinds(batch)
  const shown = kinds.filter((kind) => counts[kind] > 0)
  const { rows } = batch.counts
  const startOf = (kind: (typeof kinds)[number]) =>
    kinds.slice(0, kinds.indexOf(kind)).reduce((sum, before) => sum + counts[before], 0)
  const share = (count: number) => `${(count / rows) * 100}%`
  return (
    <div class="batch-progress">
      <svg aria-hidden="true">
        {shown.map((kind) => (
          <rect key={kind} class={kind} x={share(startOf(kind))} width={share(counts[kind])} height="100%" />
        ))}
      </svg>
      <span>
        {shown.map((kind) => t.someRows[kind](counts[kind])).join(', ')} {t.ofRows(rows)}
      </span>
    </div>
  )
}
