import type { ComponentType } from 'preact'
import { useParams } from 'wouter-preact'
import type { ApiCall, ArgumentsOf, ResultOf } from '../api/client.ts'
import { type ReadOptions, useRead } from '../api/queries.ts'
import { ErrorPage } from './dead-end.tsx'
import { Loading } from './notices.tsx'

type Options<Called extends ApiCall> = ReadOptions<Called> & {
  /** Name of the parameter in the page's path. */
  param?: string
  /** Parameters of the call, if it has any. */
  query?: object
}

/** Returns a page that reads the object whose ID is in the URL, and shows it. */
export const objectPage = <Called extends ApiCall>(
  call: Called,
  Shown: ComponentType<{ of: ResultOf<Called> }>,
  { param = 'id', query, ...options }: Options<Called> = {},
) =>
  function ObjectPage() {
    const id = useParams()[param] ?? ''
    // Safe: the arguments of these calls are the ID and, for some, the query.
    const args = (query ? [id, query] : [id]) as unknown as ArgumentsOf<Called>
    const { data, error } = useRead(call, args, options)
    if (error) return <ErrorPage error={error} />
    return data ? <Shown of={data} /> : <Loading />
  }
