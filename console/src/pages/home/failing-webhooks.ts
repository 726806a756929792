import { useRead } from '../../api/queries.ts'

/** How many webhooks are off, or do not take what is sent to them. A Space has few; of more the newest are looked at. */
export function useFailingWebhooks(enabled: boolean) {
  const read = useRead('GET /v1/webhooks', { query: { limit: 50 } }, { enabled })
  const failing = read.data?.filter((webhook) => !webhook.enabled || webhook.failingSinceTime) ?? []
  return { isLoading: enabled && read.isPending, error: read.error, more: undefined, count: failing.length }
}
