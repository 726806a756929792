import { useSearchParams } from 'wouter-preact'
import { api, type ResultOf } from '../../api/client.ts'
import { rowsOf, useRead, useRows } from '../../api/queries.ts'
import { ExportButton } from '../../parts/download.tsx'
import { ObjectLink } from '../../parts/links.tsx'
import { useMonth } from '../../parts/month.tsx'
import { Loading } from '../../parts/notices.tsx'
import { MenuPageHead, Section } from '../../parts/page.tsx'
import { ProviderName, useProviderName } from '../../parts/providers.tsx'
import { Status } from '../../parts/status.tsx'
import { PagedTable } from '../../parts/table.tsx'
import { Money, Time } from '../../text/format.tsx'
import { useTexts } from './texts.ts'

const directions = ['collection', 'disbursement'] as const

type Day = ResultOf<typeof api.reconciliation.days>['days'][number]

/** The page that shows the Space's bookings for each day, and which of them are not on any statement. */
export default function Reconciliation() {
  const t = useTexts()
  const { month, field } = useMonth()
  const [search] = useSearchParams()
  const [date, provider] = [search.get('date'), search.get('provider')]
  const direction = directions.find((each) => each === search.get('direction'))
  return (
    <>
      <MenuPageHead page="/reconciliation" />
      <p class="intro">{t.intro}</p>
      {field}
      {date && provider && <ProviderItems {...{ date, provider, direction }} key={search.toString()} />}
      {date && !provider && <Items title={t.itemsOfDay(date)} query={{ date }} key={date} />}
      {month ? <Days month={month.value} key={month.value} /> : <Loading />}
    </>
  )
}

/** Returns the first and last date of a month. The month has the form `2026-11`. */
const datesOf = (month: string) => {
  const last = new Date(`${month}-01`)
  last.setUTCMonth(last.getUTCMonth() + 1, 0)
  return { from: `${month}-01`, to: last.toISOString().slice(0, 'yyyy-mm-dd'.length) }
}

const toneOf = { closed: 'closed', awaited: 'open', differs: 'failed', matched: 'completed' }

function Days({ month }: { month: string }) {
  const t = useTexts()
  const query = datesOf(month)
  const read = useRead(api.reconciliation.days, [query])
  const linkOf = ({ date, provider, direction }: Day) =>
    `/reconciliation?${new URLSearchParams({ month, date, provider, direction })}`
  const more = (
    <ExportButton name={`reconciliation-${month}.csv`} of={api.reconciliation.days} args={[query]} />
  )
  return (
    <Section title={t.days} more={more}>
      {read.data && !read.data.isWhole && <p class="notice">{t.notSummed}</p>}
      <PagedTable
        read={rowsOf(read, ({ days }) => days)}
        empty={t.noTransactions}
        keyOf={({ date, provider, direction, amount }) =>
          `${date} ${provider} ${direction} ${amount.currency}`
        }
        linkOf={linkOf}
        columns={[
          { label: t.day, cell: ({ date }) => date },
          { label: t.provider, cell: ({ provider }) => <ProviderName id={provider} /> },
          { label: t.direction, cell: ({ direction }) => t.directions[direction] },
          { label: t.booked, cell: ({ amount }) => <Money of={amount} />, isNumber: true },
          { label: t.transactions, cell: ({ count }) => count, isNumber: true, isExtra: true },
          {
            label: t.open,
            cell: ({ open: { count, estimated } }) => (estimated ? t.atLeast(count) : count),
            isNumber: true,
            isExtra: true,
          },
          { label: t.status, cell: ({ state }) => <Status of={toneOf[state]} words={t.states[state]} /> },
        ]}
      />
    </Section>
  )
}

type ItemsQuery = { date: string; provider?: string; direction?: Day['direction'] }
type ProviderItemsProps = { date: string; provider: string; direction: Day['direction'] | undefined }

function ProviderItems({ date, provider, direction }: ProviderItemsProps) {
  const title = useTexts().items(useProviderName(provider), date)
  return <Items title={title} query={{ date, provider, ...(direction && { direction }) }} />
}

function Items({ title, query }: { title: string; query: ItemsQuery }) {
  const t = useTexts()
  const read = useRows(api.reconciliation.items, [{ ...query, limit: 25 }])
  return (
    <Section title={title}>
      <PagedTable
        read={read}
        empty={t.noItems}
        keyOf={({ objectId, time, amount }) => `${objectId} ${time} ${amount.value}`}
        columns={[
          !query.provider && { label: t.provider, cell: (item) => <ProviderName id={item.provider} /> },
          { label: t.object, cell: ({ objectId }) => (objectId ? <ObjectLink id={objectId} /> : t.nothing) },
          { label: t.direction, cell: ({ direction }) => t.directions[direction], isExtra: true },
          { label: t.amount, cell: ({ amount }) => <Money of={amount} />, isNumber: true },
          { label: t.time, cell: ({ time }) => <Time at={time} />, isExtra: true },
          { label: t.status, cell: ({ state }) => <Status of={toneOf[state]} words={t.states[state]} /> },
        ]}
      />
    </Section>
  )
}
