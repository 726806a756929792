import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import { api, call, type ResultOf } from './client.ts'
import { useCurrentSpace } from './scope.tsx'

export type FoundObject = ResultOf<typeof api.search.retrieve>[number]

const minLength = 2

/** Searches the objects of the Space that the user may read. Keeps the previous results until the next arrive. */
export function useSearch(q: string) {
  const { scope } = useCurrentSpace()
  const enabled = q.length >= minLength
  const read = useQuery({
    queryKey: [scope.spaceId, scope.environment, api.search.retrieve, q],
    queryFn: async ({ signal }) => (await call(api.search.retrieve, [{ q }], { scope, signal })).data,
    enabled,
    placeholderData: keepPreviousData,
  })
  return { found: (enabled && read.data) || [], isSearching: enabled && read.isFetching, error: read.error }
}
