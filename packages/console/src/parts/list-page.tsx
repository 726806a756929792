import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { ArgumentsOf, ListCall, ResultOf } from '../api/client.ts'
import { useRows } from '../api/queries.ts'
import { useWords } from '../text/words.ts'
import type { PagePath } from './addresses.ts'
import { ExportButton, nameOfToday } from './download.tsx'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { useCanOpen } from './links.tsx'
import { PageHead, usePageLabel } from './page.tsx'
import { SelectionBar, useSelection } from './selection.tsx'
import type { CountCall } from './state-tabs.tsx'
import { type Column, PagedTable } from './table.tsx'

const pageSize = 25

type RowOf<Called extends ListCall> = ResultOf<Called>[number] & { id: string }

type Props<Called extends ListCall> = {
  /** Path of the page. Rows link to the object's page below this path, if there is one. */
  page: PagePath
  /** The call that reads the list. */
  of: Called
  /** Parameters of the call that do not depend on filters. */
  query?: object
  filters?: readonly Filter[]
  /** The call that counts the objects of each state. */
  counts?: CountCall
  /** Whether the list can also be filtered by date. */
  isDated?: boolean
  columns: readonly (Column<RowOf<Called>> | false)[]
  /** Text to show while there are no rows. It tells the user what to do. */
  empty?: string
  /** Name of the exported file without date and ending, if the call exports one. */
  file?: string
  /** Label of the link to the page below this path that creates an object. */
  create?: string
  /** Text above the list. */
  intro?: string
  /** Returns whether a row may change without an event. The list is polled while there is such a row. */
  isMoving?(row: ResultOf<Called>[number]): boolean
  /** Returns the buttons for the selected rows, in addition to the CSV. Rows can be selected if there is a `file`. */
  bulk?(chosen: readonly RowOf<Called>[], clear: () => void): ComponentChildren
  /** Buttons next to the title of the page. */
  children?: ComponentChildren
}

/** A page with a list, its filters and its CSV export. Its title is its label in the menu. */
export function ListPage<Called extends ListCall>(props: Props<Called>) {
  const {
    page,
    of,
    filters: own = [],
    counts,
    isDated,
    columns,
    empty,
    file,
    create,
    intro,
    bulk,
    children,
    isMoving,
  } = props
  const t = useWords()
  const canOpen = useCanOpen()
  const title = usePageLabel()(page)
  const dates: Filter[] = [
    { name: 'from', label: t.from, type: 'date' },
    { name: 'to', label: t.to, type: 'date' },
  ]
  const filters = isDated ? [...own, ...dates] : own
  const query = useFilters(filters)
  // Safe: the API validates filter names and refuses unknown ones.
  const argumentsOf = (query: object) => [query] as unknown as ArgumentsOf<Called>
  const read = useRows(of, argumentsOf({ ...query, ...props.query, limit: pageSize }), {
    ...(isMoving && { isMoving }),
  })
  // Safe: every row has an ID.
  const rows = read.rows as RowOf<Called>[]
  const { selection, chosen, clear } = useSelection(rows)
  return (
    <>
      <PageHead title={title}>
        {children}
        {create && canOpen(`${page}/new`) && (
          <Link class="button main" href={`${page}/new`}>
            {create}
          </Link>
        )}
        {file && <ExportButton name={nameOfToday(file)} of={of} args={argumentsOf(query)} />}
      </PageHead>
      {intro && <p class="muted">{intro}</p>}
      {filters.length > 0 && <Filters filters={filters} counts={counts} />}
      <PagedTable<RowOf<Called>>
        label={title}
        read={{ ...read, rows }}
        isFiltered={Object.keys(query).length > 0}
        empty={empty}
        keyOf={({ id }) => id}
        columns={columns}
        selection={file ? selection : undefined}
        {...(canOpen(`${page}/:id`) && { linkOf: ({ id }: { id: string }) => `${page}/${id}` })}
      />
      {file && <SelectionBar {...{ chosen, file, clear }}>{bulk?.(chosen, clear)}</SelectionBar>}
    </>
  )
}
