import { api } from '../../api/client.ts'
import { useRows } from '../../api/queries.ts'
import { usePermissions } from '../../api/scope.tsx'
import { ExportButton } from '../../parts/download.tsx'
import { MoreLink, PageLink } from '../../parts/links.tsx'
import { useMonth } from '../../parts/month.tsx'
import { Loading } from '../../parts/notices.tsx'
import { MenuPageHead, Section } from '../../parts/page.tsx'
import { ProviderName } from '../../parts/providers.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { type Amount, Money } from '../../text/format.tsx'
import type { Month } from '../../text/months.ts'
import { useTexts } from './texts.ts'

/** The page with monthly exports for accounting. */
export default function Reports() {
  const t = useTexts()
  const { month, field } = useMonth()
  return (
    <>
      <MenuPageHead page="/reports" />
      <p class="intro">{t.intro}</p>
      {field}
      {month ? <MonthProps month={month} key={month.value} /> : <Loading />}
    </>
  )
}

function MonthProps({ month }: { month: Month }) {
  const t = useTexts()
  return (
    <>
      <Section title={t.movements}>
        <p class="hint">{t.movementsHint}</p>
        <p class="actions">
          <File
            of={api.payments.list}
            label={t.paymentsCsv}
            excelLabel={t.paymentsExcel}
            file="payments"
            month={month}
            may="payments:read"
          />
          <File
            of={api.payouts.list}
            label={t.payoutsCsv}
            excelLabel={t.payoutsExcel}
            file="payouts"
            month={month}
            may="payouts:read"
          />
          <File
            of={api.refunds.list}
            label={t.refundsCsv}
            excelLabel={t.refundsExcel}
            file="refunds"
            month={month}
            may="refunds:read"
          />
        </p>
      </Section>
      <Providers month={month} />
      <Fees month={month} />
      <Section title={t.balances}>
        <p class="hint">{t.balancesHint}</p>
        <File
          of={api.reports.balances}
          label={t.balancesCsv}
          excelLabel={t.balancesExcel}
          file="balances"
          month={month}
        />
      </Section>
    </>
  )
}

type Exported =
  | typeof api.payments.list
  | typeof api.payouts.list
  | typeof api.refunds.list
  | (typeof api.reports)['balances' | 'fees' | 'settlement']
type FileProps = {
  of: Exported
  label: string
  excelLabel: string
  file: string
  month: Month
  may?: string
}

function File({ file, month: { value, from, to }, may, ...button }: FileProps) {
  const isAllowed = usePermissions()
  if (may && !isAllowed(may)) return null
  return <ExportButton {...button} name={`${file}-${value}.csv`} args={[{ from, to }]} />
}

function Providers({ month }: { month: Month }) {
  const t = useTexts()
  const { from, to } = month
  const read = useRows(api.reports.settlement, [{ from, to, limit: 25 }])
  return (
    <Section
      title={t.settlement}
      more={
        <>
          <MoreLink to="/settlements">{t.settlements}</MoreLink>
          <File
            of={api.reports.settlement}
            label={t.settlementCsv}
            excelLabel={t.settlementExcel}
            file="providers"
            month={month}
          />
        </>
      }
    >
      <p class="hint">{t.settlementHint}</p>
      <PagedTable
        read={read}
        empty={t.nothing}
        keyOf={({ date, provider, direction, expected }) =>
          `${date} ${provider} ${direction} ${expected.currency}`
        }
        columns={[
          { label: t.day, cell: ({ date }) => date },
          { label: t.provider, cell: ({ provider }) => <ProviderName id={provider} /> },
          { label: t.direction, cell: ({ direction }) => t.directions[direction] },
          {
            label: t.collected,
            isNumber: true,
            isExtra: true,
            cell: ({ collected, ...row }) => <DayLink page="/payments" of={row} amount={collected} />,
          },
          {
            label: t.paidOut,
            isNumber: true,
            isExtra: true,
            cell: ({ paidOut, ...row }) => <DayLink page="/payouts" of={row} amount={paidOut} />,
          },
          {
            label: t.refunded,
            isNumber: true,
            isExtra: true,
            cell: ({ refunded, ...row }) => <DayLink page="/refunds" of={row} amount={refunded} />,
          },
          { label: t.expected, isNumber: true, cell: ({ expected }) => <Money of={expected} /> },
        ]}
      />
    </Section>
  )
}

type DayLinkProps = { page: string; of: { date: string; provider: string }; amount: Amount }

/** An amount of a provider and a day, with a link to the payments, payouts or refunds that it consists of. */
function DayLink({ page, of: { date, provider }, amount }: DayLinkProps) {
  const text = <Money of={amount} />
  if (BigInt(amount.value) === 0n) return text
  const query = new URLSearchParams({ provider, status: 'completed', from: date, to: date })
  return <PageLink to={`${page}?${query}`}>{text}</PageLink>
}

/**
 * Returns the path to the payments, payouts or refunds that a fee was charged on, filtered by provider and
 * month.
 */
const chargedObjectsPath = (code: string, provider: string | null, { from, to }: Month) =>
  `/${code}s?${new URLSearchParams({ from, to, ...(provider && { provider }) })}`

function Fees({ month }: { month: Month }) {
  const t = useTexts()
  const { from, to } = month
  const read = useRows(api.reports.fees, [{ from, to, limit: 25 }])
  return (
    <Section
      title={t.fees}
      more={
        <File of={api.reports.fees} label={t.feesCsv} excelLabel={t.feesExcel} file="fees" month={month} />
      }
    >
      <PagedTable
        read={read}
        empty={t.nothing}
        keyOf={({ code, provider, direction, amount }) =>
          `${code} ${provider} ${direction} ${amount.currency}`
        }
        columns={[
          {
            label: t.statementText,
            cell: ({ code, provider }) => (
              <PageLink to={chargedObjectsPath(code, provider, month)}>{t.codes[code] ?? code}</PageLink>
            ),
          },
          { label: t.provider, cell: ({ provider }) => provider && <ProviderName id={provider} /> },
          {
            label: t.direction,
            cell: ({ direction }) => direction && (t.directions[direction] ?? direction),
          },
          { label: t.count, isNumber: true, isExtra: true, cell: ({ count }) => count },
          { label: t.charged, isNumber: true, isExtra: true, cell: ({ charged }) => <Money of={charged} /> },
          {
            label: t.returned,
            isNumber: true,
            isExtra: true,
            cell: ({ returned }) => <Money of={returned} />,
          },
          { label: t.fees, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        ]}
      />
    </Section>
  )
}
