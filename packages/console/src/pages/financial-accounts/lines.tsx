import { api } from '../../api/client.ts'
import { LineKind } from '../../parts/line-kind.tsx'
import { ListPage } from '../../parts/list-page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Money, Time } from '../../text/format.tsx'
import { SignedMoney } from '../payments/ledger-lines.tsx'
import { useTexts } from './texts.ts'

/** The page that lists all ledger lines of the Space. */
export default function FinancialTransactions() {
  const t = useTexts()
  return (
    <ListPage
      page="/financial-transactions"
      of={api.reports.lines}
      file="lines"
      filters={[
        { name: 'reference', label: t.plainReference },
        { name: 'financialAccountId', label: t.accounts, hint: 'fac-…' },
        { name: 'type', label: t.type, choices: { credit: t.credits, debit: t.debits } },
      ]}
      isDated
      columns={[
        { label: t.statementText, cell: (line) => <LineKind {...line} /> },
        { label: t.amount, isNumber: true, cell: (line) => <SignedMoney of={line} /> },
        {
          label: t.provider,
          cell: ({ providerId, direction }) =>
            providerId && (
              <>
                <ProviderName id={providerId} />{' '}
                <span class="muted">{direction && (t.directions[direction] ?? direction)}</span>
              </>
            ),
        },
        {
          label: t.balanceAfter,
          isNumber: true,
          isExtra: true,
          cell: ({ balance }) => <Money of={balance} />,
        },
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        { label: t.plainReference, isExtra: true, cell: ({ reference }) => <code>{reference}</code> },
      ]}
    />
  )
}
