import {
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { type ApiCall, type ArgumentsOf, call, type ListCall, type ResultOf } from './client.ts'
import { statusOf } from './errors.ts'
import { useCurrentSpace } from './scope.tsx'

const maxRetries = 2
const pollMs = 2_000
/**
 * Maximum number of consecutive empty pages to load. With selective filters, the API can return an empty page
 * even if later pages have results.
 */
const maxEmptyPages = 10

/** Creates the query client. Cached data is shown immediately and refreshed in the background. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => !isRefusal(error) && count < maxRetries,
      },
    },
  })

const isRefusal = (error: Error) => Math.trunc((statusOf(error) ?? 0) / 100) === 4

export type ReadOptions<Called extends ApiCall> = {
  enabled?: boolean
  everyMs?: number
  isMoving?: (result: ResultOf<Called>) => boolean
}

/**
 * Reads one object, and reads it again when an event concerns its resource. Also polls if `everyMs` is set, or
 * while `isMoving` returns true.
 */
export function useRead<Called extends ApiCall>(
  called: Called,
  args: ArgumentsOf<Called>,
  { enabled = true, everyMs, isMoving }: ReadOptions<Called> = {},
): UseQueryResult<ResultOf<Called>> {
  const { scope } = useCurrentSpace()
  return useQuery({
    queryKey: [scope.spaceId, scope.environment, called, args],
    queryFn: async ({ signal }) => (await call(called, args, { scope, signal })).data,
    enabled,
    refetchInterval:
      everyMs ?? (({ state }) => (state.data !== undefined && isMoving?.(state.data) ? pollMs : false)),
  })
}

export type Rows<Called extends ListCall> = {
  rows: ResultOf<Called>
  isLoading: boolean
  error: Error | null
  /** Loads the next page, or is undefined if there is none. */
  more: (() => void) | undefined
  isLoadingMore: boolean
}

/**
 * Reads a list page by page, newest first. The list is polled while `isMoving` returns true for any row,
 * because some changes publish no event.
 */
export function useRows<Called extends ListCall>(
  called: Called,
  args: ArgumentsOf<Called>,
  {
    enabled = true,
    isMoving,
  }: { enabled?: boolean; isMoving?: (row: ResultOf<Called>[number]) => boolean } = {},
): Rows<Called> {
  const { scope } = useCurrentSpace()
  const pages = useInfiniteQuery({
    queryKey: [scope.spaceId, scope.environment, called, args],
    queryFn: ({ pageParam, signal }) => call(called, args, { scope, signal, after: pageParam }),
    enabled,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      isMoving && state.data?.pages.some(({ data }) => data.some(isMoving)) ? pollMs : false,
  })
  // Safe: the rows of all pages have the same type.
  const rows = (pages.data?.pages.flatMap(({ data }) => data) ?? []) as ResultOf<Called>
  const isSearching =
    rows.length === 0 && pages.hasNextPage && (pages.data?.pages.length ?? 0) < maxEmptyPages && !pages.error
  useEffect(() => {
    if (isSearching && !pages.isFetching) void pages.fetchNextPage()
  }, [isSearching, pages.isFetching])
  return {
    rows,
    isLoading: enabled && (pages.isPending || isSearching),
    error: pages.error,
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingMore: pages.isFetchingNextPage,
  }
}

/** Returns what `useRead` has read as the rows of a table. */
export const rowsOf = <Result, Row>(
  { data, error, isPending }: UseQueryResult<Result>,
  listOf: (result: Result) => readonly Row[],
) => ({
  rows: data ? listOf(data) : [],
  error,
  isLoading: isPending,
  more: undefined,
  isLoadingMore: false,
})

/**
 * Returns a mutation that sends a command. The idempotency key stays the same until the command succeeds or its
 * arguments change, so that a retry after a lost response does not execute the command twice. On success,
 * displayed data of the same resource is refreshed. `onDone` is called before that, and even if what sent the
 * command is no longer on the page.
 */
export function useSend<Called extends ApiCall>(called: Called, onDone?: (result: ResultOf<Called>) => void) {
  const { scope } = useCurrentSpace()
  const client = useQueryClient()
  const sent = useRef<{ text: string; key: string }>()
  return useMutation<ResultOf<Called>, Error, ArgumentsOf<Called>>({
    mutationFn: async (args) => {
      const text = JSON.stringify(args)
      if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() }
      const { data } = await call(called, args, { scope, idempotencyKey: sent.current.key })
      sent.current = undefined
      return data
    },
    onSuccess: (result) => {
      onDone?.(result)
      return client.invalidateQueries({
        predicate: ({ queryKey }) => resourceOf(String(queryKey[2])) === resourceOf(called),
      })
    },
  })
}

/** Returns the resource of a call: the first path segment after the API version, such as `payments`. */
export const resourceOf = (called: string) => called.split(' ')[1]?.split('/')[2]
