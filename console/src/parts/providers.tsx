import { useQuery } from '@tanstack/preact-query'
import { type ApiError, call, type Scope } from '../api/client.ts'
import { useHere } from '../api/scope.tsx'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'

const texts = inLanguages({ card: 'Card' }, { card: 'Carte' })

const lists = ['GET /v1/momos', 'GET /v1/banks', 'GET /v1/wallets'] as const

/** By their ids, as many as a page of a list has. Cards are of no list. */
async function readNames(scope: Scope, country: string | undefined, signal: AbortSignal) {
  const names: Record<string, string> = {}
  for (const list of lists)
    for (let after: string | null | undefined; after !== null; ) {
      const query = { limit: 50, ...(country && { country }), ...(after && { after }) }
      const { result, next } = await call(list, { query }, { scope, signal })
      for (const { providerId, name } of result) names[providerId] = name
      after = next
    }
  return names
}

/** Read once for as long as the console is open: of one country, or all. */
function useNames(country: string | undefined, isNeeded: boolean) {
  const { scope } = useHere()
  return useQuery<Record<string, string>, ApiError>({
    queryKey: [scope.spaceId, scope.environment, 'providers', country ?? 'all'],
    queryFn: ({ signal }) => readNames(scope, country, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isNeeded,
  })
}

/** Names of the providers of the Space's own country by their ids, to choose from. */
export function useProviderChoices(): Record<string, string> {
  const { card } = useTexts(texts)
  const names = useNames(useHere().space.country, true).data
  return { ...names, card }
}

/** A provider as people call it. */
export const ProviderName = ({ id }: { id: string }) => <>{useProviderName(id)}</>

export function useProviderName(id: string): string {
  const { card } = useTexts(texts)
  const near = useNames(useHere().space.country, true)
  const isElsewhere = id !== 'card' && near.isFetched && !near.data?.[id]
  const all = useNames(undefined, isElsewhere)
  if (id === 'card') return card
  const isReading = near.isPending || (isElsewhere && all.isPending)
  return near.data?.[id] ?? all.data?.[id] ?? (isReading ? '…' : id)
}
