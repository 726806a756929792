import type { ComponentChildren } from 'preact'
import { type ArgumentsOf, download, type ResultOf } from '../api/client.ts'
import { type Lists, useRows } from '../api/queries.ts'
import { useHere } from '../api/scope.tsx'
import { DownloadButton } from './download.tsx'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { PageHead } from './page.tsx'
import { type Column, PagedTable } from './table.tsx'

const pageSize = 25

type RowOf<Name extends Lists> = ResultOf<Name>[number] & { id: string }

type Props<Name extends Lists> = {
  title: string
  /** The call that lists them. */
  of: Name
  filters?: readonly Filter[]
  columns: Column<RowOf<Name>>[]
  linkOf?(row: RowOf<Name>): string
  /** What to do where nothing is there yet. */
  empty?: string
  /** The name of its CSV, where the call exports one. */
  file?: string
  /** What can be done here. */
  children?: ComponentChildren
}

/** A page that is one list: its filters, what they leave, and the file of that. */
export function ListPage<Name extends Lists>(props: Props<Name>) {
  const { title, of, filters = [], columns, linkOf, empty, file, children } = props
  const { scope } = useHere()
  const query = useFilters(filters)
  // What filters are called is checked by the API: it refuses a name that it does not know.
  const argumentsOf = (query: object) => ({ query }) as unknown as ArgumentsOf<Name>
  const read = useRows(of, argumentsOf({ ...query, limit: pageSize }))
  return (
    <>
      <PageHead title={title}>
        {children}
        {file && (
          <DownloadButton name={file} get={() => download(of, argumentsOf(query), 'text/csv', { scope })} />
        )}
      </PageHead>
      {filters.length > 0 && <Filters filters={filters} />}
      <PagedTable<RowOf<Name>>
        label={title}
        read={read as typeof read & { rows: RowOf<Name>[] }}
        isFiltered={Object.keys(query).length > 0}
        empty={empty}
        keyOf={({ id }) => id}
        columns={columns}
        {...(linkOf && { linkOf })}
      />
    </>
  )
}
