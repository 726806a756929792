import { Search } from 'lucide-preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useSearchParams } from 'wouter-preact'
import type { Filter } from './filter-values.ts'

const pauseMs = 300

/** A field that searches while the user types. Only the last search remains in the history. */
export function SearchFilter({ filter: { name, label, hint } }: { filter: Filter }) {
  const [search, setSearch] = useSearchParams()
  const current = search.get(name) ?? ''
  const [text, setText] = useState(current)
  const applied = useRef(current)
  const timer = useRef<ReturnType<typeof setTimeout>>()
  // The URL can also change by a link or by going back.
  useLayoutEffect(() => {
    if (current === applied.current) return
    applied.current = current
    setText(current)
  }, [current])
  useEffect(() => () => clearTimeout(timer.current), [])
  const apply = (typed: string) => {
    clearTimeout(timer.current)
    const value = typed.trim()
    if (value === applied.current) return
    const replace = applied.current !== ''
    applied.current = value
    setSearch(
      (before) => {
        const set = new URLSearchParams(before)
        if (value) set.set(name, value)
        else set.delete(name)
        return set
      },
      { replace },
    )
  }
  return (
    <label class="search-filter">
      <span class="unseen">{label}</span>
      <Search size={18} />
      <input
        type="search"
        name={name}
        placeholder={hint ?? label}
        maxLength={255}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => apply(value), pauseMs)
        }}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget.value)}
      />
    </label>
  )
}
