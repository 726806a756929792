import { useQuery } from '@tanstack/preact-query'
import { api, call, type Scope } from '../api/client.ts'
import { useCurrentSpace } from '../api/scope.tsx'
import { createTexts } from '../text/languages.tsx'

const useTexts = createTexts({ card: 'Card' }, { card: 'Carte' })

const lists = [api.momos.list, api.banks.list, api.wallets.list] as const

type NamesPage = { data: { providerId: string; name: string }[]; next: string | null }

/**
 * Reads the names of all mobile money providers, banks and wallets, by ID. The API has no such list for cards,
 * so callers add `card` themselves.
 */
async function readNames(scope: Scope, country: string | undefined, signal: AbortSignal) {
  const names: Record<string, string> = {}
  for (const list of lists)
    for (let after: string | null = ''; after !== null; ) {
      const query = { limit: 50, ...(country && { country }) }
      const { data, next }: NamesPage = await call(list, [query], { scope, signal, after })
      for (const { providerId, name } of data) names[providerId] = name
      after = next
    }
  return names
}

/**
 * Reads the names of the providers in one country, or in all countries if it is omitted. They are read once per
 * console session.
 */
function useNames(country: string | undefined, isNeeded: boolean) {
  const { scope } = useCurrentSpace()
  return useQuery<Record<string, string>>({
    queryKey: [scope.spaceId, scope.environment, 'providers', country ?? 'all'],
    queryFn: ({ signal }) => readNames(scope, country, signal),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: isNeeded,
  })
}

/** Returns the names of the providers in the Space's country by ID, for use as options. */
export function useProviderChoices(): Record<string, string> {
  const { card } = useTexts()
  const names = useNames(useCurrentSpace().space.country, true).data
  return { ...names, card }
}

/** Shows the logo and the name of a provider, given its ID. */
export const ProviderName = ({ id }: { id: string }) => (
  <>
    <ProviderLogo id={id} />
    {useProviderName(id)}
  </>
)

/** Shows the logo of a provider or of a card network, such as `visa`. The text next to it must contain the name. */
export const ProviderLogo = ({ id }: { id: string }) => (
  <img
    class="provider-logo"
    src={`/provider-logos/${encodeURIComponent(id)}`}
    alt=""
    width={20}
    height={20}
    loading="lazy"
  />
)

export function useProviderName(id: string): string {
  const { card } = useTexts()
  const local = useNames(useCurrentSpace().space.country, true)
  const isForeign = id !== 'card' && local.isFetched && !local.data?.[id]
  const all = useNames(undefined, isForeign)
  if (id === 'card') return card
  const isReading = local.isPending || (isForeign && all.isPending)
  return local.data?.[id] ?? all.data?.[id] ?? (isReading ? '…' : id)
}
