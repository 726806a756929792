import { api } from '../../api/client.ts'
import { LineKind } from '../../parts/line-kind.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts as lineTexts } from '../payments/texts.ts'
import { texts } from './texts.ts'

/** The page that lists all ledger lines of the Space. */
export default function FinancialTransactions() {
  const t = useTexts(texts)
  const l = useTexts(lineTexts)
  return (
    <ListPage
      page="/financial-transactions"
      of={api.financialTransactions.list}
      file="lines.csv"
      filters={[
        { name: 'reference', label: t.plainReference },
        { name: 'financialAccountId', label: t.accounts, hint: 'fac-…' },
        { name: 'type', label: l.type, choices: { credit: t.credits, debit: t.debits } },
      ]}
      isDated
      columns={[
        { label: t.plainReference, cell: ({ reference }) => <code>{reference}</code> },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ type, amount }) => (
            <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
          ),
        },
        {
          label: t.statementText,
          cell: ({ type, originatingFee, ownershipGraph: { owner } }) => (
            <LineKind type={type} feeCode={originatingFee?.code ?? null} owner={owner} />
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
  )
}
