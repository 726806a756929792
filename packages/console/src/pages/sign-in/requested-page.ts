import { useQueryClient } from '@tanstack/preact-query'
import { useLocation, useSearchParams } from 'wouter-preact'

/** Returns the console page that was requested before sign-in. */
export function useRequestedPage(): string {
  const [search] = useSearchParams()
  const to = search.get('to') ?? '/'
  return /^\/[\w-]/.test(to) ? to : '/'
}

/** Returns a function that clears the data of any previous user and opens the requested page. */
export function useGoToRequestedPage(to?: string): () => Promise<void> {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const goal = useRequestedPage()
  return async () => {
    client.removeQueries({ type: 'inactive' })
    await client.resetQueries({ queryKey: ['me'] })
    navigate(to ?? goal, { replace: true })
  }
}
