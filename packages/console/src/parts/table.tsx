import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { Rows } from '../api/queries.ts'
import { createTexts } from '../text/languages.tsx'
import { ErrorNotice, Loading } from './notices.tsx'
import { SectionTitle } from './page.tsx'
import type { Selection } from './selection.tsx'

const useTexts = createTexts(
  {
    empty: 'Nothing here yet.',
    nothingFound: 'No results match these filters.',
    nothingSoFar: 'No results among the most recent entries.',
    more: 'Show more',
    pick: (name: string) => `Select ${name}`,
    pickAll: 'Select all rows shown',
  },
  {
    empty: 'Aucun élément pour le moment.',
    nothingFound: 'Aucun résultat ne correspond à ces filtres.',
    nothingSoFar: 'Aucun résultat parmi les entrées les plus récentes.',
    more: 'Afficher la suite',
    pick: (name: string) => `Sélectionner ${name}`,
    pickAll: 'Sélectionner toutes les lignes affichées',
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
  /** Returns the path that a row links to. The link is in the first cell, and covers the row. */
  linkOf?(row: Row): string | undefined
  /** Returns the key of a row: by default, its ID. */
  keyOf?(row: Row): string
  /** The selected rows. Without it, rows cannot be selected. */
  selection?: Selection | undefined
}

/** Requires `keyOf` for rows without an ID. */
type Keyed<Row> = Row extends { id: string } ? unknown : { keyOf: unknown }

export function Table<Row>(props: TableProps<Row> & Keyed<Row>) {
  const sectionTitle = useContext(SectionTitle)
  const t = useTexts()
  const { label = sectionTitle, columns, rows, linkOf, keyOf = idOf, selection }: TableProps<Row> = props
  const shown = columns.filter((column) => column !== false)
  const keys = rows.map(keyOf)
  const classOf = ({ isNumber, isExtra }: Column<Row>, i: number) =>
    [i === 0 && 'first', isNumber && 'number', isExtra && 'extra'].filter(Boolean).join(' ')
  return (
    <div class={selection ? 'table selectable' : 'table'}>
      <table aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <td class="pick">
                <input
                  type="checkbox"
                  aria-label={t.pickAll}
                  checked={keys.every(selection.has)}
                  onChange={({ currentTarget }) => selection.set(keys, currentTarget.checked)}
                />
              </td>
            )}
            {shown.map((column, i) => (
              <th scope="col" class={classOf(column, i)} key={column.label}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, n) => {
            const address = linkOf?.(row)
            const key = keys[n] ?? ''
            return (
              <tr key={key} class={address && 'linked'}>
                {selection && (
                  <td class="pick">
                    <input
                      type="checkbox"
                      aria-label={t.pick(key)}
                      checked={selection.has(key)}
                      onChange={({ currentTarget }) => selection.set([key], currentTarget.checked)}
                    />
                  </td>
                )}
                {shown.map((column, i) => (
                  <td class={classOf(column, i)} key={column.label}>
                    {i === 0 && address ? (
                      <Link class="row" href={address}>
                        {column.cell(row)}
                      </Link>
                    ) : (
                      column.cell(row)
                    )}
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

type PagedProps<Row> = {
  read: Pick<Rows<never>, 'isLoading' | 'more' | 'isLoadingMore'> & {
    rows: readonly Row[]
    error: Error | null
  }
  isFiltered?: boolean | undefined
  /** Text to show while there are no rows. It tells the user what to do. */
  empty?: string | undefined
}
type PagedTableProps<Row> = Omit<TableProps<Row>, 'rows'> & PagedProps<Row>

/** A table with a button to load the next page. */
export function PagedTable<Row>(props: PagedTableProps<Row> & Keyed<Row>) {
  const { read, isFiltered, empty, keyOf = idOf, ...table }: PagedTableProps<Row> = props
  return (
    <Paged {...{ read, isFiltered, empty }}>
      <Table {...table} keyOf={keyOf} rows={read.rows} />
    </Paged>
  )
}

/** Shows rows and a button to load the next page, or why there are no rows. */
export function Paged<Row>(props: PagedProps<Row> & { children: ComponentChildren }) {
  const { read, isFiltered, empty, children } = props
  const t = useTexts()
  if (read.isLoading) return <Loading isTable />
  if (read.error && read.rows.length === 0) return <ErrorNotice error={read.error} />
  if (read.rows.length === 0 && !read.more)
    return <p class="empty">{isFiltered ? t.nothingFound : (empty ?? t.empty)}</p>
  return (
    <>
      <ErrorNotice error={read.error} />
      {read.rows.length > 0 ? children : <p class="empty">{t.nothingSoFar}</p>}
      {read.more && (
        <button type="button" class="more" disabled={read.isLoadingMore} onClick={read.more}>
          {t.more}
        </button>
      )}
    </>
  )
}
