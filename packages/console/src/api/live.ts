import { useQueryClient } from '@tanstack/preact-query'
import { useEffect, useState } from 'preact/hooks'
import { type Scope, streamChanges } from './client.ts'
import { resourceOf } from './queries.ts'

/**
 * For each type of object, the resources whose displayed data is refreshed after such an object has changed.
 * A resource is the first path segment after the API version, such as `payments`.
 */
const listsByType: Record<string, string[]> = {
  payment: ['payments', 'overview', 'receipts'],
  payout: ['payouts', 'overview', 'payout-batches'],
  payout_batch: ['payout-batches', 'payouts', 'overview'],
  recall: ['recalls', 'payouts'],
  refund: ['refunds', 'payments', 'overview'],
  checkout_session: ['checkout-sessions', 'payment-links'],
  payment_link: ['payment-links'],
  payment_code: ['payment-codes'],
  internal_transfer: ['internal-transfers', 'financial-accounts'],
  financial_transaction: ['financial-transactions', 'financial-accounts', 'reports'],
  ussd_otp: ['ussd-otps'],
  webhook: ['webhooks', 'overview'],
  settlement: ['settlements'],
}

const gatherMs = 500
const reopenMs = 3_000

/** Refreshes displayed data when a change affects it. Returns whether the stream of changes is open. */
export function useLive(scope: Scope): boolean {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
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
      for (const kind of listsByType[type] ?? []) changed.add(kind)
      timer ??= setTimeout(refresh, gatherMs)
    }
    let wasOpen = false
    const onConnection = (isConnected: boolean) => {
      // Changes may have been missed while the stream was interrupted.
      if (isConnected && wasOpen)
        void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === scope.spaceId })
      wasOpen ||= isConnected
      setOpen(isConnected)
    }
    void followChanges(scope, note, onConnection, ending.signal)
    return () => {
      ending.abort()
      clearTimeout(timer)
    }
  }, [client, scope.spaceId, scope.environment])
  return isOpen
}

/** Follows the stream of changes until it is aborted, and starts again if the service refuses it. */
async function followChanges(
  scope: Scope,
  note: (type: string) => void,
  onConnection: (isOpen: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const { type } of streamChanges(scope, signal, onConnection)) note(type)
    } catch {
      // The service is unreachable, the session has ended, or the last event received has expired.
      await new Promise((resolve) => setTimeout(resolve, reopenMs))
    }
  }
}
