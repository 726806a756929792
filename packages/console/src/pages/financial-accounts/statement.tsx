import { api, download, type ResultOf } from '../../api/client.ts'
import { statusOf } from '../../api/errors.ts'
import { useRead } from '../../api/queries.ts'
import { useCurrentSpace } from '../../api/scope.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { LineKind } from '../../parts/line-kind.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useMonth } from '../../parts/month.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { Facts, Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { Table } from '../../parts/table.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import type { Month } from '../../text/months.ts'
import { texts } from './texts.ts'

type Account = ResultOf<typeof api.financialAccounts.retrieve>
type StatementShown = ResultOf<typeof api.financialAccounts.statement>
type FiguresProps = {
  of: Pick<StatementShown, 'openingBalance' | 'closingBalance' | 'totals'>
  /** Whether the totals are still loading. */
  isPending: boolean
}

/** Shows the transactions on an account in one month, with buttons to download the statement. */
export function Statement({ account }: { account: Account }) {
  const t = useTexts(texts)
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
  const t = useTexts(texts)
  const { scope } = useCurrentSpace()
  const call = api.financialAccounts.statement
  const query = { from, to }
  const { data, error } = useRead(call, [account.id, { ...query, limit: 50, withTotals: false }])
  // Totals take longer for busy accounts, so the lines are shown without waiting for them.
  const sums = useRead(call, [account.id, { ...query, limit: 1 }])
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const file = (type: string) => () => download(call, [account.id, query], type, scope)
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
        <DownloadButton name={`statement-${value}.csv`} label={t.csv} get={file('text/csv')} />
        <DownloadButton name={`statement-${value}.pdf`} label={t.pdf} get={file('application/pdf')} />
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
  const t = useTexts(texts)
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
  const t = useTexts(texts)
  return (
    <Table
      label={t.transactions}
      rows={lines}
      columns={[
        { label: t.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
        {
          label: t.amount,
          isNumber: true,
          cell: ({ type, amount }) => (
            <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
          ),
        },
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
