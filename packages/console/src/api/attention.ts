import { api } from './client.ts'
import { useRead } from './queries.ts'
import { usePermissions } from './scope.tsx'

const pollMs = 60_000

/** Reads how many objects need attention. It is polled, because cases publish no events. */
export function useAttention() {
  const may = usePermissions()
  return useRead(api.overview.attention, [], { enabled: may('settings:read'), everyMs: pollMs })
}
