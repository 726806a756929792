import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import type { ApiError } from '../api/client.ts'
import type { Rows } from '../api/queries.ts'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { type Filter, FilterControl, useFilterReader } from './filter-control.tsx'
import { ErrorNotice, Loading } from './notices.tsx'

const texts = inLanguages(
  {
    empty: 'Nothing here yet.',
    nothingFound: 'Nothing fits these filters.',
    more: 'Show more',
    filters: 'Filters',
    apply: 'Apply',
    clear: 'Clear',
    search: 'Search',
    csv: 'Download as CSV',
    isDownloading: 'Preparing the file …',
  },
  {
    empty: 'Il n’y a encore rien ici.',
    nothingFound: 'Rien ne correspond à ces filtres.',
    more: 'Afficher la suite',
    filters: 'Filtres',
    apply: 'Appliquer',
    clear: 'Effacer',
    search: 'Rechercher',
    csv: 'Télécharger en CSV',
    isDownloading: 'Préparation du fichier …',
  },
)

export type Column<Row> = {
  label: string
  cell(row: Row): ComponentChildren
  /** Numbers stand to the right. */
  isNumber?: boolean
  /** Left out where there is little room. */
  isExtra?: boolean
}

type TableProps<Row> = {
  /** What the table is of, for who does not see it. */
  label: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf(row: Row): string
  /** Where a row leads: its first cell is the link. */
  linkOf?(row: Row): string | undefined
}

export function Table<Row>({ label, columns, rows, keyOf, linkOf }: TableProps<Row>) {
  const classOf = ({ isNumber, isExtra }: Column<Row>) =>
    [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ')
  return (
    <div class="table">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" class={classOf(column)} key={column.label}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const address = linkOf?.(row)
            return (
              <tr key={keyOf(row)}>
                {columns.map((column, i) => (
                  <td class={classOf(column)} key={column.label}>
                    {i === 0 && address ? <Link href={address}>{column.cell(row)}</Link> : column.cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

type PagedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  read: Pick<Rows<never>, 'isLoading' | 'more' | 'isLoadingMore'> & {
    rows: readonly Row[]
    error: ApiError | null
  }
  isFiltered?: boolean
  /** What to do where nothing is there yet. */
  empty?: string | undefined
}

/** A list, and the way to its next page. */
export function PagedTable<Row>({ read, isFiltered = false, empty, ...table }: PagedTableProps<Row>) {
  const t = useTexts(texts)
  if (read.isLoading) return <Loading />
  if (read.error) return <ErrorNotice error={read.error} />
  if (read.rows.length === 0 && !read.more)
    return <p class="empty">{isFiltered ? t.nothingFound : (empty ?? t.empty)}</p>
  return (
    <>
      <Table {...table} rows={read.rows} />
      {read.more && (
        <button type="button" class="more" disabled={read.isLoadingMore} onClick={read.more}>
          {t.more}
        </button>
      )}
    </>
  )
}

export type { Filter } from './filter-control.tsx'

/**
 * The filters that are set, from the address: a bookmark keeps them. A day is its first moment, in the reader's own time;
 * phones and amounts are read as people type them. What cannot be read is left to the API to refuse.
 */
export function useFilters(filters: readonly Filter[]): Record<string, string> {
  const [search] = useSearchParams()
  const read = useFilterReader(search.get('currency'))
  return Object.fromEntries(
    filters.flatMap(({ name, type }) => {
      const value = search.get(name)
      if (!value) return []
      return [[name, type === 'date' ? momentOf(value, name === 'to') : (read(type, value) ?? value)]]
    }),
  )
}

/** `to` is a day that is included: what the API takes is the first moment after it. */
function momentOf(day: string, isEnd: boolean): string {
  const date = new Date(`${day}T00:00:00`)
  if (Number.isNaN(date.getTime())) return day
  if (isEnd) date.setDate(date.getDate() + 1)
  return date.toISOString()
}

export function Filters({ filters }: { filters: readonly Filter[] }) {
  const t = useTexts(texts)
  const [search, setSearch] = useSearchParams()
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].flatMap(([name, value]) =>
      typeof value === 'string' && value.trim() ? [[name, value.trim()]] : [],
    )
    const set = new URLSearchParams(entries)
    // A currency alone is no filter.
    if (!set.has('amount')) set.delete('currency')
    setSearch(set)
  }
  const isSet = filters.some(({ name }) => search.has(name))
  const [isUnfolded, setUnfolded] = useState(isSet)
  return (
    <form
      class={isUnfolded ? 'filters unfolded' : 'filters'}
      aria-label={t.filters}
      // What is typed is kept by the browser; another address has other values.
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

/** Saves what the filters leave, all of it, under a name. */
export function DownloadButton({ name, label, get }: { name: string; label?: string; get(): Promise<Blob> }) {
  const t = useTexts(texts)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError | null>(null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const address = URL.createObjectURL(await get())
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(address), 60_000)
    } catch (failure) {
      setError(failure as ApiError)
    }
    setBusy(false)
  }
  return (
    <>
      <button type="button" class="quiet" disabled={isBusy} onClick={() => void save()}>
        {isBusy ? t.isDownloading : (label ?? t.csv)}
      </button>
      <ErrorNotice error={error} />
    </>
  )
}
