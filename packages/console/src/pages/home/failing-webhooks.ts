import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'

/** Counts the webhooks that are turned off or failing. Only the 50 newest are checked. */
export function useFailingWebhooks(enabled: boolean) {
  const read = useRead(api.webhooks.list, [{ limit: 50 }], { enabled })
  const failing = read.data?.filter((webhook) => !webhook.enabled || webhook.failingSinceTime) ?? []
  return { isLoading: enabled && read.isPending, error: read.error, more: undefined, count: failing.length }
}
