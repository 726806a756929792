import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Rows } from '../api/queries.ts'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice, Loading } from './notices.tsx'
import { SectionTitle } from './page.tsx'

const useTexts = createTexts(
  {
    empty: 'Nothing here yet.',
    nothingFound: 'No results match these filters.',
    nothingSoFar: 'No results among the most recent entries.',
    more: 'Show more',
  },
  {
    empty: 'Aucun élément pour le moment.',
    nothingFound: 'Aucun résultat ne correspond à ces filtres.',
    nothingSoFar: 'Aucun résultat parmi les entrées les plus récentes.',
    more: 'Afficher la suite',
  },
)

export type Column<Row> = {
  label: string
  cell(row: Row): ComponentChildren
  /** Whether the cells are right-aligned, as for numbers. */
  isNumber?: boolean
  /** Whether the column is hidden on narrow screens. */
  isExtra?: boolean
}

type TableProps<Row> = {
  /** Label of the table, for screen readers: by default, the title of the section. */
  label?: string
  /** Columns that are `false` are left out. */
  columns: readonly (Column<Row> | false)[]
  rows: readonly Row[]
  /** Returns the path that a row links to. The link is in the first cell. */
  linkOf?(row: Row): string | undefined
  /** Returns the key of a row: by default, its ID. */
  keyOf?(row: Row): string
}

/** Requires `keyOf` for rows without an ID. */
type Keyed<Row> = Row extends { id: string } ? unknown : { keyOf: unknown }

export function Table<Row>(props: TableProps<Row> & Keyed<Row>) {
  const sectionTitle = useContext(SectionTitle)
  const { label = sectionTitle, columns, rows, linkOf, keyOf = idOf }: TableProps<Row> = props
  const shown = columns.filter((column) => column !== false)
  const classOf = ({ isNumber, isExtra }: Column<Row>) =>
    [isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ')
  return (
    <div class="table">
      <table aria-label={label}>
        <thead>
          <tr>
            {shown.map((column) => (
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
                {shown.map((column, i) => (
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

// Safe: `Keyed` allows this default only for rows with an ID.
const idOf = (row: unknown) => (row as { id: string }).id

type PagedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & {
  read: Pick<Rows<never>, 'isLoading' | 'more' | 'isLoadingMore'> & {
    rows: readonly Row[]
    error: Error | null
  }
  isFiltered?: boolean
  /** Text to show while there are no rows. It tells the user what to do. */
  empty?: string | undefined
}

/** A table with a button to load the next page. */
export function PagedTable<Row>(props: PagedTableProps<Row> & Keyed<Row>) {
  const { read, isFiltered = false, empty, keyOf = idOf, ...table }: PagedTableProps<Row> = props
  const t = useTexts()
  if (read.isLoading) return <Loading />
  if (read.error && read.rows.length === 0) return <ErrorNotice error={read.error} />
  if (read.rows.length === 0 && !read.more)
    return <p class="empty">{isFiltered ? t.nothingFound : (empty ?? t.empty)}</p>
  return (
    <>
      <ErrorNotice error={read.error} />
      {read.rows.length > 0 ? (
        <Table {...table} keyOf={keyOf} rows={read.rows} />
      ) : (
        <p class="empty">{t.nothingSoFar}</p>
      )}
      {read.more && (
        <button type="button" class="more" disabled={read.isLoadingMore} onClick={read.more}>
          {t.more}
        </button>
      )}
    </>
  )
}
