import { api, type ResultOf } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { LineKind } from '../../parts/line-kind.tsx'
import { MoreLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { type Column, PagedTable } from '../../parts/table.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import { LedgerFlow } from './ledger-flow.tsx'
import type { Payment } from './origin.ts'
import { useTexts } from './texts.ts'

type Line = ResultOf<typeof api.financialTransactions.list>[number]

/** Shows the Space's ledger lines with a given reference, and for a payment, how its money reached the Space. */
export function LedgerLines({ reference, payment }: { reference: string; payment?: Payment }) {
  const t = useTexts()
  const read = useRows(api.financialTransactions.list, [{ reference }])
  const { kind, amount, balance, time } = useLineColumns(t.type)
  return (
    <Section title={t.transactions} more={<MoreLink to={`/financial-transactions?reference=${reference}`} />}>
      {payment && <LedgerFlow payment={payment} lines={read.rows} reference={reference} />}
      <PagedTable read={read} columns={[kind, amount, balance, time]} />
    </Section>
  )
}

/** Returns the columns of ledger lines. `kindLabel` is the label of the column for their type. */
export function useLineColumns(
  kindLabel: string,
): Record<'kind' | 'amount' | 'balance' | 'time', Column<Line>> {
  const t = useTexts()
  return {
    kind: {
      label: kindLabel,
      cell: ({ type, originatingFee, ownershipGraph: { owner } }) => (
        <LineKind type={type} feeCode={originatingFee?.code ?? null} owner={owner} />
      ),
    },
    amount: { label: t.amount, isNumber: true, cell: (line) => <SignedMoney of={line} /> },
    balance: {
      label: t.balanceAfter,
      isNumber: true,
      isExtra: true,
      cell: ({ financialAccount }) => <Money of={financialAccount.balance.after} />,
    },
    time: { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
  }
}

/** The amount of a ledger line, which is negative for a debit. */
export const SignedMoney = ({ of: { type, amount } }: { of: { type: string; amount: Amount } }) => (
  <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
)
