import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { useMoney } from '../../text/format.tsx'
import { type Batch, BatchDecisions } from '../payout-batches/decisions.tsx'
import { useTexts as useBatchTexts } from '../payout-batches/texts.ts'
import { pending, Waiting } from './waiting.tsx'
import { WaitingList } from './waiting-list.tsx'

/** The batches that await approval. */
export function WaitingBatches() {
  const b = useBatchTexts()
  const money = useMoney()
  const read = useRows(api.payoutBatches.list, pending)
  const nameOf = ({ totals, name }: Batch) =>
    `${totals.map(({ amount }) => money(amount)).join(', ')} · ${name}`
  const pathOf = ({ id }: Batch) => `/payout-batches/${id}`
  return (
    <WaitingList kind="batches" title={b.batches} rows={read.rows} {...{ read, nameOf, pathOf }}>
      {(batch, selection) => (
        <Waiting
          key={batch.id}
          kind="batches"
          of={batch}
          path={pathOf(batch)}
          title={nameOf(batch)}
          selection={selection}
          facts={[[b.rows, batch.counts.rows]]}
        >
          <BatchDecisions batch={batch} />
        </Waiting>
      )}
    </WaitingList>
  )
}
