import { keepPreviousData, useQuery } from '@tanstack/preact-query'
import type { Call, Line } from '../../../sdk/src/internal.ts'
import { call } from './client.ts'
import { useCurrentSpace } from './scope.tsx'

/** An object that matches a search. `amount.value` is in minor units. */
export type FoundObject = {
  type: string
  id: string
  title: string
  subtitle: string | null
  status: string | null
  amount?: { currency: string; value: number }
  createTime: string
}

const search: Line<(query: { q: string }) => Call<FoundObject[]>> = 'GET /v1/search q'
const minLength = 2

/** Searches the objects of the Space that the user may read. Keeps the previous results until the next arrive. */
export function useSearch(q: string) {
  const { scope } = useCurrentSpace()
  const enabled = q.length >= minLength
  const read = useQuery({
    queryKey: [scope.spaceId, scope.environment, search, q],
    queryFn: async ({ signal }) => (await call(search, [{ q }], { scope, signal })).data,
    enabled,
    placeholderData: keepPreviousData,
  })
  return { found: (enabled && read.data) || [], isSearching: enabled && read.isFetching, error: read.error }
}
