import { api } from '../../api/client.ts'
import { ListPage } from '../../parts/list-page.tsx'
import { useLineColumns } from '../payments/ledger-lines.tsx'
import { useTexts } from './texts.ts'

/** The page that lists all ledger lines of the Space. */
export default function FinancialTransactions() {
  const t = useTexts()
  const { kind, amount, balance, time } = useLineColumns(t.statementText)
  return (
    <ListPage
      page="/financial-transactions"
      of={api.financialTransactions.list}
      file="lines.csv"
      filters={[
        { name: 'reference', label: t.plainReference },
        { name: 'financialAccountId', label: t.accounts, hint: 'fac-…' },
        { name: 'type', label: t.type, choices: { credit: t.credits, debit: t.debits } },
      ]}
      isDated
      columns={[
        { label: t.plainReference, cell: ({ reference }) => <code>{reference}</code> },
        amount,
        kind,
        balance,
        time,
      ]}
    />
  )
}
