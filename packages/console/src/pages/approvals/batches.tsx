import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { Section } from '../../parts/page.tsx'
import { Paged } from '../../parts/table.tsx'
import { useMoney } from '../../text/format.tsx'
import { BatchDecisions } from '../payout-batches/decisions.tsx'
import { useTexts as useBatchTexts } from '../payout-batches/texts.ts'
import { useTexts } from './texts.ts'
import { pending, Waiting } from './waiting.tsx'

export function WaitingBatches() {
  const t = useTexts()
  const b = useBatchTexts()
  const money = useMoney()
  const read = useRows(api.payoutBatches.list, pending)
  return (
    <Section title={b.batches}>
      <Paged read={read} empty={t.noBatches}>
        <ul class="approvals">
          {read.rows.map((batch) => (
            <Waiting
              key={batch.id}
              of={batch}
              path={`/payout-batches/${batch.id}`}
              title={`${batch.totals.map(({ amount }) => money(amount)).join(', ')} · ${batch.name}`}
              facts={[[b.rows, batch.counts.rows]]}
            >
              <BatchDecisions batch={batch} />
            </Waiting>
          ))}
        </ul>
      </Paged>
    </Section>
  )
}
