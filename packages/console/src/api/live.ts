import { type QueryClient, useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { type Scope, streamEvents } from './client.ts'
import { resourceOf } from './queries.ts'

/**
 * For each type of object, the resources whose displayed data is refreshed after an event about such an object.
 * A resource is the first path segment after the API version, such as `payments`.
 */
const listsByEventType: Record<string, string[]> = {
  payment: ['payments', 'overview', 'receipts'],
  payout: ['payouts', 'overview', 'payout-batches'],
  payout_batch: ['payout-batches', 'payouts', 'overview'],
  refund: ['refunds', 'payments', 'overview'],
  checkout_session: ['checkout-sessions', 'payment-links'],
  payment_link: ['payment-links'],
  payment_code: ['payment-codes'],
  internal_transfer: ['internal-transfers', 'financial-accounts'],
  financial_transaction: ['financial-transactions', 'financial-accounts'],
  ussd_otp: ['ussd-otps'],
  webhook: ['webhooks', 'overview'],
  settlement: ['settlements'],
}

const gatherMs = 500
const reopenMs = 3_000
const pollMs = 5_000

/** Refreshes displayed data when an event affects it. Returns whether the event stream is open. */
export function useLive(scope: Scope, isAllowed: boolean): boolean {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isAllowed) return poll(client, scope)
    const ending = new AbortController()
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const refresh = () => {
      timer = undefined
      const now = new Set(changed)
      changed.clear()
      void client.invalidateQueries({
        predicate: ({ queryKey }) =>
          queryKey[0] === scope.spaceId && now.has(resourceOf(String(queryKey[2])) ?? ''),
      })
    }
    const note = (type: string) => {
      changed.add('events')
      for (const kind of listsByEventType[type] ?? []) changed.add(kind)
      timer ??= setTimeout(refresh, gatherMs)
    }
    void followEvents(scope, note, setOpen, ending.signal)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [client, scope.spaceId, scope.environment, isAllowed])
  return isOpen
}

/**
 * Refreshes all displayed data at regular intervals while the page is visible. Used instead of the event stream
 * for users who do not have permission to read events.
 */
function poll(client: QueryClient, { spaceId }: Scope): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible')
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === spaceId })
  }, pollMs)
  return () => clearInterval(timer)
}

/** Follows the event stream until it is aborted, and starts again if the service refuses it. */
async function followEvents(
  scope: Scope,
  note: (type: string) => void,
  setOpen: (isOpen: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { type } of streamEvents(scope, signal, setOpen)) note(type.split('.')[0] ?? '')
    } catch {
      // The service is unreachable, the session has ended, or the last event received has expired.
      await new Promise((resolve) => setTimeout(resolve, reopenMs))
    }
  }
}
