import { Link, useLocation, useSearchParams } from 'wouter-preact'
import { api } from '../api/client.ts'
import { useRead } from '../api/queries.ts'
import { createTexts } from '../text/languages.tsx'
import type { Filter } from './filter-values.ts'
import { useScrolledStrip } from './scrolled-strip.ts'

const useTexts = createTexts({ all: 'All' }, { all: 'Tous' })

/** A call that counts the objects of a list by their state, at most 100 of each. */
export type CountCall = typeof api.payments.counts | typeof api.payouts.counts | typeof api.refunds.counts

/** The largest number that a tab shows. */
const max = 99

type Props = { filter: Filter; counts: CountCall | undefined }

/** Links to the list with each state, which keep the other filters. */
export function StateTabs({ filter: { name, label, choices = {} }, counts }: Props) {
  const { all } = useTexts()
  const [location] = useLocation()
  const [search] = useSearchParams()
  const current = search.get(name) ?? ''
  // The service counts all objects, not only those that match other filters.
  const isOnly = [...search.keys()].every((each) => each === name)
  const isCounted = counts !== undefined && isOnly
  const { data } = useRead(counts ?? api.payments.counts, [], { enabled: isCounted })
  const numbers: Record<string, number> = (isCounted && data) || {}
  // The numbers move the current state.
  const strip = useScrolledStrip(`${current} ${data !== undefined}`)
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
          <Count of={numbers[value]} />
        </Link>
      ))}
    </nav>
  )
}

const Count = ({ of }: { of: number | undefined }) =>
  of === undefined ? null : (
    <>
      {' '}
      <span class="count">{of > max ? `${max}+` : of}</span>
    </>
  )
