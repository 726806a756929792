import { useSearchParams } from 'wouter-preact'
import { createTexts } from '../text/languages.tsx'
import { FilterControl } from './filter-control.tsx'
import { type Filter, isDay, useFilterReader } from './filter-values.ts'
import { PeriodFilter } from './period-filter.tsx'
import { daysOf, isPeriod } from './periods.ts'
import { SearchFilter } from './search-filter.tsx'
import { type CountCall, StateTabs } from './state-tabs.tsx'

export type { Filter } from './filter-values.ts'

const useTexts = createTexts({ filters: 'Filters', clear: 'Clear' }, { filters: 'Filtres', clear: 'Effacer' })

/**
 * Returns the values of the filters in the form that the API expects. They are read from the URL, so bookmarks
 * keep them. A date becomes the time at which that day starts in the reader's time zone. Phone numbers and
 * amounts can be in any form that `parsePhone` and `parseMoney` accept. Invalid values are passed on unchanged,
 * and the API refuses them.
 */
export function useFilters(filters: readonly Filter[]): Record<string, string> {
  const [search] = useSearchParams()
  const read = useFilterReader(search.get('currency'))
  const period = search.get('period')
  const ofPeriod: Record<string, string> = isPeriod(period) ? daysOf(period) : {}
  return Object.fromEntries(
    filters.flatMap(({ name, type }) => {
      const value = search.get(name) ?? ofPeriod[name]
      if (!value) return []
      return [[name, type === 'date' ? toTimestamp(value, name === 'to') : (read(type, value) ?? value)]]
    }),
  )
}

/**
 * Converts a date, or a date and time, to a timestamp. The end of a range is exclusive in the API, so the last
 * date of a range becomes the start of the following day.
 */
function toTimestamp(text: string, isEnd: boolean): string {
  const date = new Date(isDay(text) ? `${text}T00:00:00` : text)
  if (Number.isNaN(date.getTime())) return text
  if (isEnd && isDay(text)) date.setDate(date.getDate() + 1)
  return date.toISOString()
}

/** Parameters of the URL that belong to a filter with another name. */
const others = ['currency', 'period']

/**
 * The filters of a list, which take effect immediately: the states as tabs, a field for the first filter that is
 * a text, the period, and the others as buttons that show their value. `counts` is the call that counts the
 * objects of each state.
 */
export function Filters({ filters, counts }: { filters: readonly Filter[]; counts?: CountCall | undefined }) {
  const t = useTexts()
  const [search, setSearch] = useSearchParams()
  const states = filters.find(({ name, choices }) => name === 'status' && choices)
  const dates = filters.filter(({ type }) => type === 'date')
  const field = filters.find(({ choices, type = 'search' }) => !choices && type === 'search')
  const buttons = filters.filter((each) => each !== states && each !== field && !dates.includes(each))
  const isSet = filters.some(({ name }) => search.has(name)) || search.has('period')
  const clear = () =>
    setSearch((before) => {
      const left = new URLSearchParams(before)
      for (const name of [...filters.map(({ name }) => name), ...others]) left.delete(name)
      return left
    })
  return (
    <div class="filters">
      {states && <StateTabs filter={states} counts={counts} />}
      {(field || buttons.length > 0 || dates.length > 0) && (
        <form aria-label={t.filters} onSubmit={(event) => event.preventDefault()}>
          {field && <SearchFilter filter={field} key={field.name} />}
          {dates.length > 0 && <PeriodFilter />}
          {buttons.map((filter) => (
            <FilterControl filter={filter} value={search.get(filter.name) ?? ''} key={filter.name} />
          ))}
          {isSet && (
            <button type="button" class="clear" onClick={clear}>
              {t.clear}
            </button>
          )}
        </form>
      )}
    </div>
  )
}
