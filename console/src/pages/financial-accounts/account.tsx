import { useParams } from 'wouter-preact'
import { download, type ResultOf } from '../../api/client.ts'
import { useRead, useRows } from '../../api/queries.ts'
import { useHere, useMay } from '../../api/scope.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { ErrorPage } from '../../parts/dead-end.tsx'
import { DownloadButton } from '../../parts/download.tsx'
import { Facts } from '../../parts/facts.tsx'
import { PageLink } from '../../parts/links.tsx'
import { useMonth } from '../../parts/month.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'
import { PagedTable, Table } from '../../parts/table.tsx'
import { type Amount, Money, Time } from '../../text/format.tsx'
import { useTexts } from '../../text/languages.tsx'
import type { Month } from '../../text/months.ts'
import { words } from '../../text/words.ts'
import { EditAccount } from './edit.tsx'
import { texts } from './texts.ts'

type Account = ResultOf<'GET /v1/financial-accounts/{id}'>

export default function FinancialAccountPage() {
  const { id = '' } = useParams()
  const withBalance = useMay()('balances:read')
  const args = { path: { id }, query: { withBalance } }
  const { data, error } = useRead('GET /v1/financial-accounts/{id}', args)
  if (error) return <ErrorPage error={error} />
  return data ? <Shown account={data} /> : <Loading />
}

function Shown({ account }: { account: Account }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const may = useMay()
  const { balance } = account
  return (
    <>
      <PageHead title={account.name} above={{ title: t.accounts, path: '/financial-accounts' }}>
        <EditAccount account={account} />
      </PageHead>
      <Facts
        of={[
          [t.available, balance && <Money of={balance.available} />],
          [t.held, balance && <Money of={balance.held} />],
          [t.uvan, <CopyText text={account.uvan} />],
          [w.reference, account.reference],
          [t.description, account.description],
          [w.createTime, <Time at={account.createTime} />],
          [w.id, <CopyText text={account.id} />],
        ]}
      />
      {may('balances:read') && may('financial-transactions:read') && <Statement account={account} />}
      {may('balances:read') && <Holds account={account} />}
    </>
  )
}

/** What was booked in a month, and files of it. */
function Statement({ account }: { account: Account }) {
  const t = useTexts(texts)
  const { month, field } = useMonth()
  return (
    <Section
      title={t.statement}
      more={
        <PageLink
          to={`/financial-transactions?financialAccountId=${account.id}`}
          page="/financial-transactions"
        >
          {t.allLines}
        </PageLink>
      }
    >
      {field}
      {month && <OfMonth account={account} month={month} />}
    </Section>
  )
}

function OfMonth({ account, month: { value, from, to } }: { account: Account; month: Month }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const { scope } = useHere()
  const name = 'GET /v1/financial-accounts/{id}/statement'
  const args = { path: { id: account.id }, query: { from, to } }
  const { data, error } = useRead(name, { ...args, query: { ...args.query, limit: 50, withTotals: false } })
  // Sums take longer the more there is to sum; the lines do not wait for them.
  const sums = useRead(name, { ...args, query: { ...args.query, limit: 1 } })
  if (error) return <ErrorNotice error={error} />
  if (!data) return <Loading />
  const file = (type: string) => () => download(name, args, type, { scope })
  const totals = sums.data?.totals
  const sumOf = (sum?: Amount) => (sum ? <Money of={sum} /> : sums.isPending && '…')
  return (
    <>
      <Facts
        of={[
          [t.opening, <Money of={data.openingBalance} />],
          [t.credits, sumOf(totals?.credits)],
          [t.debits, sumOf(totals?.debits)],
          [t.closing, <Money of={data.closingBalance} />],
        ]}
      />
      {sums.error &&
        (sums.error.status === 400 ? (
          <p class="muted">{t.tooManyToSum}</p>
        ) : (
          <ErrorNotice error={sums.error} />
        ))}
      <p class="actions">
        <DownloadButton name={`statement-${value}.csv`} label={t.csv} get={file('text/csv')} />
        <DownloadButton name={`statement-${value}.pdf`} label={t.pdf} get={file('application/pdf')} />
      </p>
      {data.lines.length === 0 ? (
        <p class="empty">{t.noLines}</p>
      ) : (
        <Table
          label={t.lines}
          rows={data.lines}
          keyOf={({ id }) => id}
          columns={[
            { label: w.time, cell: ({ timestamp }) => <Time at={timestamp} /> },
            {
              label: w.amount,
              isNumber: true,
              cell: ({ type, amount }) => (
                <Money of={{ ...amount, value: type === 'debit' ? -amount.value : amount.value }} />
              ),
            },
            { label: t.whatFor, cell: ({ owner }) => owner && (t.kinds[owner.type ?? ''] ?? owner.type) },
            {
              label: t.balanceAfter,
              isNumber: true,
              isExtra: true,
              cell: ({ balance }) => <Money of={balance} />,
            },
            { label: t.reference, isExtra: true, cell: ({ reference }) => <code>{reference}</code> },
          ]}
        />
      )}
      {data.next && <p class="muted">{t.firstLines(data.lines.length, totals?.count)}</p>}
    </>
  )
}

function Holds({ account }: { account: Account }) {
  const t = useTexts(texts)
  const w = useTexts(words)
  const args = { path: { id: account.id }, query: { limit: 10 } }
  const read = useRows('GET /v1/financial-accounts/{id}/holds', args)
  if (read.rows.length === 0) return null
  return (
    <Section title={t.holds}>
      <PagedTable
        label={t.holds}
        read={read}
        keyOf={({ id }) => id}
        columns={[
          {
            label: t.whatFor,
            cell: ({ ownershipGraph: { owner } }) =>
              'type' in owner ? (t.kinds[String(owner.type)] ?? String(owner.type)) : '',
          },
          { label: w.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
          { label: t.expireTime, isExtra: true, cell: ({ expireTime }) => <Time at={expireTime} /> },
          { label: w.time, cell: ({ createTime }) => <Time at={createTime} /> },
        ]}
      />
    </Section>
  )
}
