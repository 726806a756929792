import { useQueryClient } from '@tanstack/preact-query'
import { useLocation, useSearchParams } from 'wouter-preact'

/** Where one wanted to go, of this console only. */
export function useGoal(): string {
  const [search] = useSearchParams()
  const to = search.get('to') ?? '/'
  return /^\/[\w-]/.test(to) ? to : '/'
}

/** To where one wanted to go, with nothing of what was read as somebody else. */
export function useEnter(to?: string): () => Promise<void> {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const goal = useGoal()
  return async () => {
    client.removeQueries({ type: 'inactive' })
    await client.resetQueries({ queryKey: ['me'] })
    navigate(to ?? goal, { replace: true })
  }
}
