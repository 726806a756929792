import { Link } from 'wouter-preact'
import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { CopyText } from '../../parts/copy.tsx'
import { ExportButton } from '../../parts/download.tsx'
import { Events } from '../../parts/events.tsx'
import { MemberName } from '../../parts/member-name.tsx'
import { objectPage } from '../../parts/object-page.tsx'
import { Facts, PageHead, Section } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time, useMoney } from '../../text/format.tsx'
import { type Batch, BatchDecisions, CancelBatch, isMoving } from './decisions.tsx'
import { BatchProgress } from './progress.tsx'
import { useTexts } from './texts.ts'

const pageSize = 50

const isRowMoving = ({ payout }: { payout: { status?: string } | null }) =>
  payout?.status === 'pending' || payout?.status === 'processing'

export default objectPage(api.payoutBatches.retrieve, BatchView, { isMoving })

function BatchView({ of: batch }: { of: Batch }) {
  return (
    <>
      <PageHead title={batch.name} above="/payout-batches">
        <BatchDecisions batch={batch} />
        <CancelBatch batch={batch} />
      </PageHead>
      <BatchFacts batch={batch} />
      <BatchRows batch={batch} />
      <Events objectId={batch.id} />
    </>
  )
}

function BatchFacts({ batch }: { batch: Batch }) {
  const t = useTexts()
  const money = useMoney()
  const { counts, totals, status } = batch
  const sum = (of: 'amount' | 'completed' | 'failed') => totals.map((total) => money(total[of])).join(', ')
  const hasPayouts = status === 'processing' || status === 'completed'
  return (
    <Facts
      of={[
        [t.status, <Status of={status} words={t.states[status]} />],
        [t.progress, hasPayouts && <BatchProgress of={batch} />],
        [t.total, sum('amount')],
        [t.paidOut, hasPayouts && sum('completed')],
        [t.failed, counts.failed > 0 && sum('failed')],
        [t.rows, counts.rows],
        [t.decidedBy, batch.approval?.userId && <MemberName id={batch.approval.userId} />],
        [t.createTime, <Time at={batch.createTime} />],
        [t.id, <CopyText text={batch.id} />],
      ]}
    />
  )
}

function BatchRows({ batch }: { batch: Batch }) {
  const t = useTexts()
  const read = useRows(api.payoutBatches.rows, [batch.id, { limit: pageSize }], { isMoving: isRowMoving })
  return (
    <Section
      title={t.rows}
      more={
        <ExportButton
          name={`${batch.id}.csv`}
          label={t.rowsCsv}
          excelLabel={t.rowsExcel}
          of={api.payoutBatches.rows}
          args={[batch.id]}
        />
      }
    >
      <PagedTable
        read={read}
        keyOf={({ number }) => String(number)}
        columns={[
          { label: t.row, cell: ({ number }) => number },
          {
            label: t.payee,
            cell: ({ name, destination }) => (
              <>
                {name}{' '}
                <span class="number-text">
                  {destination.phoneNumber ?? destination.accountNumber ?? destination.walletId}
                </span>
              </>
            ),
          },
          { label: t.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          {
            label: t.status,
            cell: ({ payout }) =>
              payout?.id ? (
                <Link href={`/payouts/${payout.id}`}>
                  <Status of={payout.status ?? ''} />
                </Link>
              ) : (
                t.notYet[batch.status === 'pending' ? 'pending' : 'other']
              ),
          },
          { label: t.reference, cell: ({ reference }) => reference, isExtra: true },
        ]}
      />
      {batch.status !== 'pending' && (
        <p>
          <Link href={`/payouts?batchId=${batch.id}`}>{t.allPayouts}</Link>
        </p>
      )}
    </Section>
  )
}
