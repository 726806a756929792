import { useQuery } from '@tanstack/preact-query'
import { type ApiError, call, type Scope } from '../../api/client.ts'
import { useHere } from '../../api/scope.tsx'

/** A Space has few; of more the newest are looked at. */
const most = 10

/** How many webhooks are off, or have an event that was tried and did not get through. */
async function countFailing(scope: Scope, signal: AbortSignal): Promise<number> {
  const webhooks = (await call('GET /v1/webhooks', { query: { limit: most } }, { scope, signal })).result
  const fails = async ({ id, enabled }: { id: string; enabled: boolean }) => {
    if (!enabled) return true
    const args = { path: { id }, query: { status: 'pending', limit: 50 } } as const
    const { result } = await call('GET /v1/webhooks/{id}/deliveries', args, { scope, signal })
    return result.some(({ attempts }) => attempts.length > 0)
  }
  return (await Promise.all(webhooks.map(fails))).filter(Boolean).length
}

export function useFailingWebhooks(enabled: boolean) {
  const { scope } = useHere()
  const read = useQuery<number, ApiError>({
    // By its kind, so that an event about a webhook reads it again.
    queryKey: [scope.spaceId, scope.environment, 'GET /v1/webhooks', 'failing'],
    queryFn: ({ signal }) => countFailing(scope, signal),
    enabled,
  })
  return { isLoading: enabled && read.isPending, error: read.error, more: undefined, count: read.data ?? 0 }
}
