import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { api } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { createTexts, useLanguage } from '../text/languages.tsx'
import { type Month, monthsUpTo } from '../text/months.ts'
import { Field, optionsOf } from './field.tsx'

const useTexts = createTexts({ month: 'Month' }, { month: 'Mois' })
const shownMonths = 25

/**
 * Returns the month in the URL and a field to change it. The default is the current month in the Space's time
 * zone.
 */
export function useMonth(): { month: Month | undefined; field: preact.JSX.Element | null } {
  const t = useTexts()
  const { language } = useLanguage()
  const [search, setSearch] = useSearchParams()
  const [now] = useState(() => new Date())
  const { data: settings } = useRead(api.settings.retrieve, [])
  if (!settings) return { month: undefined, field: null }
  const months = monthsUpTo(now, settings.timeZone, shownMonths)
  const month = months.find(({ value }) => value === search.get('month')) ?? months[0]
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const choices = Object.fromEntries(months.map(({ value }) => [value, name.format(new Date(`${value}-01`))]))
  const field = (
    <div class="narrow">
      <Field label={t.month}>
        {(controls) => (
          <select
            {...controls}
            value={month?.value}
            onChange={(event) => setSearch(new URLSearchParams({ month: event.currentTarget.value }))}
          >
            {optionsOf(choices)}
          </select>
        )}
      </Field>
    </div>
  )
  return { month, field }
}
