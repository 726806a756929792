import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { LineKind } from '../../parts/line-kind.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** Shows the Space's ledger lines with a given reference. */
export function LedgerLines({ reference }: { reference: string }) {
  const t = useTexts(texts)
  const read = useRows(api.financialTransactions.list, [{ reference }])
  return (
    <Section title={t.transactions} more={<MoreLink to={`/financial-transactions?reference=${reference}`} />}>
      <PagedTable
        read={read}
        columns={[
          {
            label: t.type,
            cell: ({ type, originatingFee, ownershipGraph: { owner } }) => (
              <LineKind type={type} feeCode={originatingFee?.code ?? null} owner={owner} />
            ),
          },
          {
            label: t.amount,
            isNumber: true,
            cell: ({ type, amount }) => (
              <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
            ),
          },
          {
            label: t.balanceAfter,
            isNumber: true,
            isExtra: true,
            cell: ({ financialAccount }) => <Money of={financialAccount.balance.after} />,
          },
          { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        ]}
      />
    </Section>
  )
}
