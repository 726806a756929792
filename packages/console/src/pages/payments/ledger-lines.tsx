import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { LineKind } from '../../parts/line-kind.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import { LedgerFlow } from './ledger-flow.tsx'
import type { Payment } from './origin.ts'
import { useTexts } from './texts.ts'

/** Shows the Space's ledger lines with a given reference, and for a payment, how its money reached the Space. */
export function LedgerLines({ reference, payment }: { reference: string; payment?: Payment }) {
  const t = useTexts()
  const read = useRows(api.financialTransactions.list, [{ reference }])
  return (
    <Section title={t.transactions} more={<MoreLink to={`/financial-transactions?reference=${reference}`} />}>
      {payment && <LedgerFlow payment={payment} lines={read.rows} reference={reference} />}
      <PagedTable
        read={read}
        columns={[
          {
            label: t.type,
            cell: ({ type, originatingFee, ownershipGraph: { owner } }) => (
              <LineKind type={type} feeCode={originatingFee?.code ?? null} owner={owner} />
            ),
          },
          { label: t.amount, isNumber: true, cell: (line) => <SignedMoney of={line} /> },
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

/** The amount of a ledger line, which is negative for a debit. */
export const SignedMoney = ({ of: { type, amount } }: { of: { type: string; amount: Amount } }) => (
  <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
)
