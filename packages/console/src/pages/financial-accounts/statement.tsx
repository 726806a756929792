import { api, type ResultOf } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { useRead } from '../../api/queries.ts'
import { ExportButton } from '../../parts/download.tsx'
import { LineKind } from '../../parts/line-kind.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useMonth } from '../../parts/month.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Table } from '../../parts/table.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import type { Month } from '../../text/months.ts'
import { SignedMoney } from '../payments/ledger-lines.tsx'
import { useTexts } from './texts.ts'

type Account = ResultOf<typeof api.financialAccounts.retrieve>
type StatementShown = ResultOf<typeof api.financialAccounts.statement>
type FiguresProps = {
  of: Pick<StatementShown, 'openingBalance' | 'closingBalance' | 'totals'>
  /** Whether the totals are still loading. */
  isPending: boolean
}

/** Shows the transactions on an account in one month, with buttons to download the statement. */
export function Statement({ account }: { account: Account }) {
  const t = useTexts()
  const { month, field } = useMonth()
  return (
    <Section
      title={t.statement}
      more={<PageLink to={`/financial-transactions?financialAccountId=${account.id}`}>{t.allLines}</PageLink>}
    >
      {field}
      {month && <OfMonth account={account} month={month} />}
    </Section>
  )
}

function OfMonth({ account, month: { value, from, to } }: { account: Account; month: Month }) {
  const t = useTexts()
  const call = api.financialAccounts.statement
  const query = { from, to }
  const { data, error } = useRead(call, [account.id, { ...query, limit: 50, withTotals: false }])
  // Totals take longer for busy accounts, so the lines are shown without waiting for them.
  const sums = useRead(call, [account.id, { ...query, limit: 1 }])
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const args = [account.id, query] as const
  return (
    <>
      <Figures of={sums.isSuccess ? sums.data : data} isPending={sums.isPending} />
      {sums.error &&
        (statusOf(sums.error) === 400 ? (
          <p class="muted">{t.tooManyToSum}</p>
        ) : (
          <ErrorNotice error={sums.error} />
        ))}
      <p class="actions">
        <ExportButton name={`statement-${value}.csv`} of={call} args={args} />
        <ExportButton
          name={`statement-${value}.pdf`}
          label={t.pdf}
          of={call}
          args={args}
          type="application/pdf"
        />
      </p>
      {data.lines.length === 0 ? <p class="empty">{t.noTransactions}</p> : <Lines of={data.lines} />}
      {data.next && <p class="muted">{t.firstLines(data.lines.length, sums.data?.totals?.count)}</p>}
    </>
  )
}

/**
 * Shows the balances and totals of a month. Both balances come from the same response as the totals, because
 * they would be inconsistent if a booking were made between two requests.
 */
function Figures({ of: { openingBalance, closingBalance, totals }, isPending }: FiguresProps) {
  const t = useTexts()
  const sum = (amount?: Amount) => (amount ? <Money of={amount} /> : isPending && '…')
  return (
    <Facts
      of={[
        [t.opening, <Money of={openingBalance} />],
        [t.credits, sum(totals?.credits)],
        [t.debits, sum(totals?.debits)],
        [t.closing, <Money of={closingBalance} />],
      ]}
    />
  )
}

function Lines({ of: lines }: { of: StatementShown['lines'] }) {
  const t = useTexts()
  return (
    <Table
      label={t.transactions}
      rows={lines}
      columns={[
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        { label: t.amount, isNumber: true, cell: (line) => <SignedMoney of={line} /> },
        { label: t.statementText, cell: (line) => <LineKind {...line} /> },
        {
          label: t.provider,
          cell: ({ providerId }) => providerId && <ProviderName id={providerId} />,
        },
        {
          label: t.direction,
          isExtra: true,
          cell: ({ direction }) => direction && (t.directions[direction] ?? direction),
        },
        {
          label: t.balanceAfter,
          isNumber: true,
          isExtra: true,
          cell: ({ balance }) => <Money of={balance} />,
        },
        { label: t.plainReference, isExtra: true, cell: ({ reference }) => <code>{reference}</code> },
      ]}
    />
  )
}
