import type { ComponentChildren } from 'preact'
import { Link, useSearchParams } from 'wouter-preact'
import type { PagePath } from '../../parts/addresses.ts'
import { Field, optionsOf } from '../../parts/field.tsx'
import { ErrorNotice, Loading } from '../../parts/notices.tsx'
import { PageHead, usePageLabel } from '../../parts/page.tsx'
import { useLanguage } from '../../text/languages.tsx'
import { Calendar } from './calendar.tsx'
import type { MonthEnd, MonthProps } from './month-end.ts'
import { Steps } from './steps.tsx'
import { useTexts } from './texts.ts'
import './close.css'

type PageProps = MonthProps & {
  page: PagePath
  read: { data: MonthEnd | undefined; error: Error | null }
  /** Filters next to the month. */
  children?: ComponentChildren
}

/** The page of a month: a calendar of its days, and the steps to close it. Members and operators share it. */
export function MonthPage({ page, read: { data: month, error }, children, ...props }: PageProps) {
  const t = useTexts()
  const labelOf = usePageLabel()
  const nameOf = useMonthName()
  return (
    <>
      <PageHead title={month ? t.titleOf(nameOf(month.month)) : labelOf(page)} />
      <div class="month-filters">
        {month && <MonthField month={month} />}
        {children}
      </div>
      {error && (
        <>
          <ErrorNotice error={error} />
          <Link href={page}>{t.latest}</Link>
        </>
      )}
      {!month && !error && <Loading />}
      {month && !month.isWhole && <p class="notice">{t.notSummed}</p>}
      {month && (
        <div class="month">
          <Calendar month={month} dayPath={props.dayPath} />
          <Steps month={month} {...props} />
        </div>
      )}
    </>
  )
}

/** Returns a function that returns the name of a month, such as `October 2026`. */
function useMonthName(): (month: string) => string {
  const { language } = useLanguage()
  const format = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return (month) => format.format(new Date(`${month}-01`))
}

const shownMonths = 25

/** A field to choose the month, up to the current one on the Space's clock. */
function MonthField({ month: { month, today } }: { month: MonthEnd }) {
  const t = useTexts()
  const nameOf = useMonthName()
  const [, setSearch] = useSearchParams()
  const current = new Date(`${today.slice(0, 'yyyy-mm'.length)}-01`)
  const latest = Array.from({ length: shownMonths }, (_, back) =>
    new Date(Date.UTC(current.getUTCFullYear(), current.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  )
  const months = latest.includes(month) ? latest : [...latest, month]
  return (
    <Field label={t.month}>
      {(controls) => (
        <select
          {...controls}
          value={month}
          onChange={({ currentTarget: { value } }) =>
            setSearch((before) => {
              const after = new URLSearchParams(before)
              after.set('month', value)
              return after
            })
          }
        >
          {optionsOf(Object.fromEntries(months.map((one) => [one, nameOf(one)])))}
        </select>
      )}
    </Field>
  )
}
