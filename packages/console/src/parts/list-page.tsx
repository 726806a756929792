import type { ComponentChildren } from 'preact'
import { type ArgumentsOf, download, type ListCall, type ResultOf } from '../api/client.ts'
import { useRows } from '../api/queries.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { DownloadButton } from './download.tsx'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { PageHead } from './page.tsx'
import { type Column, PagedTable } from './table.tsx'

const pageSize = 25

type RowOf<Called extends ListCall> = ResultOf<Called>[number] & { id: string }

type Props<Called extends ListCall> = {
  title: string
  /** The call that reads the list. */
  of: Called
  filters?: readonly Filter[]
  columns: Column<RowOf<Called>>[]
  linkOf?(row: RowOf<Called>): string
  /** Text to show while there are no rows. It tells the user what to do. */
  empty?: string
  /** Name of the CSV file, if the call exports one. */
  file?: string
  /** Buttons next to the title of the page. */
  children?: ComponentChildren
}

/** A page with a list, its filters and its CSV export. */
export function ListPage<Called extends ListCall>(props: Props<Called>) {
  const { title, of, filters = [], columns, linkOf, empty, file, children } = props
  const { scope } = useCurrentSpace()
  const query = useFilters(filters)
  // Safe: the API validates filter names and refuses unknown ones.
  const argumentsOf = (query: object) => [query] as unknown as ArgumentsOf<Called>
  const read = useRows(of, argumentsOf({ ...query, limit: pageSize }))
  return (
    <>
      <PageHead title={title}>
        {children}
        {file && (
          <DownloadButton name={file} get={() => download(of, argumentsOf(query), 'text/csv', scope)} />
        )}
      </PageHead>
      {filters.length > 0 && <Filters filters={filters} />}
      <PagedTable<RowOf<Called>>
        label={title}
        read={read as typeof read & { rows: RowOf<Called>[] }}
        isFiltered={Object.keys(query).length > 0}
        empty={empty}
        keyOf={({ id }) => id}
        columns={columns}
        {...(linkOf && { linkOf })}
      />
    </>
  )
}
