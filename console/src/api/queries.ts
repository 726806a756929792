import {
  QueryClient,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { ApiError, type ArgumentsOf, type CallName, call, type ResultOf } from './client.ts'
import { useCurrentSpace } from './scope.tsx'

type Reads = Extract<CallName, `GET ${string}`>
export type Lists = { [Name in Reads]: ResultOf<Name> extends unknown[] ? Name : never }[Reads]
export type CommandName = Exclude<CallName, Reads>

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

const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500

/**
 * Reads one object, and reads it again when an event concerns its resource. Also polls if `everyMs` is set, or
 * while `isMoving` returns true.
 */
export function useRead<Name extends Reads>(
  name: Name,
  args: ArgumentsOf<Name>,
  {
    enabled = true,
    everyMs,
    isMoving,
  }: { enabled?: boolean; everyMs?: number; isMoving?: (result: ResultOf<Name>) => boolean } = {},
): UseQueryResult<ResultOf<Name>, ApiError> {
  const { scope } = useCurrentSpace()
  return useQuery<ResultOf<Name>, ApiError>({
    queryKey: [scope.spaceId, scope.environment, name, args],
    queryFn: async ({ signal }) => (await call(name, args, { scope, signal })).result,
    enabled,
    refetchInterval:
      everyMs ?? (({ state }) => (state.data !== undefined && isMoving?.(state.data) ? pollMs : false)),
  })
}

export type Rows<Name extends Lists> = {
  rows: ResultOf<Name>
  isLoading: boolean
  error: ApiError | null
  /** Loads the next page, or is undefined if there is none. */
  more: (() => void) | undefined
  isLoadingMore: boolean
}

/**
 * Reads a list page by page, newest first. The list is polled while `isMoving` returns true for any row,
 * because some changes publish no event.
 */
export function useRows<Name extends Lists>(
  name: Name,
  args: ArgumentsOf<Name>,
  {
    enabled = true,
    isMoving,
  }: { enabled?: boolean; isMoving?: (row: ResultOf<Name>[number]) => boolean } = {},
): Rows<Name> {
  const { scope } = useCurrentSpace()
  const pages = useInfiniteQuery({
    queryKey: [scope.spaceId, scope.environment, name, args],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(args as { query?: object }).query, ...(pageParam && { after: pageParam }) }
      return call(name, { ...args, query } as ArgumentsOf<Name>, { scope, signal })
    },
    enabled,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: ({ state }) =>
      isMoving && state.data?.pages.some(({ result }) => (result as ResultOf<Name>[number][]).some(isMoving))
        ? pollMs
        : false,
  })
  // Safe: the rows of all pages have the same type.
  const rows = (pages.data?.pages.flatMap(({ result }) => result as unknown[]) ?? []) as ResultOf<Name>
  const isSearching =
    rows.length === 0 && pages.hasNextPage && (pages.data?.pages.length ?? 0) < maxEmptyPages && !pages.error
  useEffect(() => {
    if (isSearching && !pages.isFetching) void pages.fetchNextPage()
  }, [isSearching, pages.isFetching])
  return {
    rows,
    isLoading: enabled && (pages.isPending || isSearching),
    error: pages.error as ApiError | null,
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingMore: pages.isFetchingNextPage,
  }
}

/**
 * Returns a mutation that sends a command. The idempotency key stays the same until the command succeeds or its
 * arguments change, so that a retry after a lost response does not execute the command twice. On success,
 * displayed data of the same resource is refreshed.
 */
export function useSend<Name extends CommandName>(name: Name) {
  const { scope } = useCurrentSpace()
  const client = useQueryClient()
  const sent = useRef<{ text: string; key: string }>()
  return useMutation<ResultOf<Name>, ApiError, ArgumentsOf<Name>>({
    mutationFn: async (args) => {
      const text = JSON.stringify(args)
      if (sent.current?.text !== text) sent.current = { text, key: crypto.randomUUID() }
      const { result } = await call(name, args, { scope, idempotencyKey: sent.current.key })
      sent.current = undefined
      return result
    },
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey }) => concernsResourceOf(queryKey[2], name) }),
  })
}

/** Returns whether two calls concern the same resource, which is the first path segment after the API version. */
const concernsResourceOf = (read: unknown, name: string) => resourceOf(String(read)) === resourceOf(name)
export const resourceOf = (name: string) => name.split(' ')[1]?.split('/')[2]
