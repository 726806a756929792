import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../api/client.ts'

/** Reads the counts again when `state` changes, on a page that sees a change before the counts are polled. */
export function useAttentionAfter(state: unknown): void {
  const client = useQueryClient()
  const last = useRef(state)
  useEffect(() => {
    if (last.current === state) return
    last.current = state
    void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(api.overview.attention) })
  }, [state])
}
