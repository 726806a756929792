import { api } from '../../../api/client.ts'
import { useRead } from '../../../api/queries.ts'

/** Returns a label (name and ID) for each provider, by provider ID. */
export function useProviders(): Record<string, string> {
  const { data } = useRead(api.installation.providers.retrieve, [])
  return Object.fromEntries(
    (data?.connections ?? []).map(({ providerId, name }) => [providerId, `${name}, ${providerId}`]),
  )
}
