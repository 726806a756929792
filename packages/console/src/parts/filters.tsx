import { useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import { createTexts } from '../text/languages.tsx'
import { type Filter, FilterControl, isDay, useFilterReader } from './filter-control.tsx'

export type { Filter } from './filter-control.tsx'

const useTexts = createTexts(
  { filters: 'Filters', apply: 'Apply', clear: 'Clear' },
  { filters: 'Filtres', apply: 'Appliquer', clear: 'Effacer' },
)

/**
 * Returns the values of the filters in the form that the API expects. They are read from the URL, so bookmarks
 * keep them. A date becomes the time at which that day starts in the reader's time zone. Phone numbers and
 * amounts can be in any form that `parsePhone` and `parseMoney` accept. Invalid values are passed on unchanged,
 * and the API refuses them.
 */
export function useFilters(filters: readonly Filter[]): Record<string, string> {
  const [search] = useSearchParams()
  const read = useFilterReader(search.get('currency'))
  return Object.fromEntries(
    filters.flatMap(({ name, type }) => {
      const value = search.get(name)
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

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const t = useTexts()
  const [search, setSearch] = useSearchParams()
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [],
    )
    const set = new URLSearchParams(entries)
    // A currency alone is not a filter, so it is removed if there is no amount.
    if (!set.has('amount')) set.delete('currency')
    setSearch(set)
  }
  const isSet = filters.some(({ name }) => search.has(name))
  const [isUnfolded, setUnfolded] = useState(isSet)
  return (
    <form
      class={isUnfolded ? 'filters unfolded' : 'filters'}
      aria-label={t.filters}
      // The form is recreated when the URL changes, because otherwise the browser would keep what the user
      // typed.
      key={search.toString()}
      onSubmit={(event) => {
        event.preventDefault()
        apply(event.currentTarget)
      }}
    >
      {filters.map((filter) => (
        <FilterControl filter={filter} value={search.get(filter.name) ?? ''} key={filter.name} />
      ))}
      {filters.length > 1 && (
        <button
          type="button"
          class="quiet unfold"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {t.filters}
        </button>
      )}
      <button type="submit">{t.apply}</button>
      {isSet && (
        <button type="button" class="quiet" onClick={() => setSearch(new URLSearchParams())}>
          {t.clear}
        </button>
      )}
    </form>
  )
}
