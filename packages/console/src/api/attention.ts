import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useRef } from 'preact/hooks'
import { api } from './client.ts'
import { useRead } from './queries.ts'
import { usePermissions } from './scope.tsx'

const pollMs = 60_000

/** Reads how many objects need attention. It is polled, because cases publish no events. */
export function useAttention() {
  const may = usePermissions()
  return useRead(api.overview.attention, [], { enabled: may('settings:read'), everyMs: pollMs })
}

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
