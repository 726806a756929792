import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { createTexts } from '../text/languages.tsx'
import type { Filter } from './filter-values.ts'
import { useScrolledStrip } from './scrolled-strip.ts'

const useTexts = createTexts({ all: 'All' }, { all: 'Tous' })

/** Links to the list with each state, which keep the other filters. */
export function StateTabs({ filter: { name, label, choices = {} } }: { filter: Filter }) {
  const { all } = useTexts()
  const [location] = useLocation()
  const [search] = useSearchParams()
  const current = search.get(name) ?? ''
  const strip = useScrolledStrip(current)
  const addressOf = (value: string) => {
    const set = new URLSearchParams(search)
    if (value) set.set(name, value)
    else set.delete(name)
    return `${location}${set.size > 0 ? `?${set}` : ''}`
  }
  // A URL may contain a state that no longer exists.
  const known = current === '' || current in choices ? choices : { ...choices, [current]: current }
  return (
    <nav class="states" ref={strip} aria-label={label}>
      {Object.entries({ '': all, ...known }).map(([value, words]) => (
        <Link key={value} href={addressOf(value)} aria-current={value === current ? 'true' : undefined}>
          {words}
        </Link>
      ))}
    </nav>
  )
}
