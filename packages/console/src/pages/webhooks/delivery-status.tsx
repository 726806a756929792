import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

type Delivery = Pick<ResultOf<typeof api.deliveries.retrieve>, 'status' | 'attempts'>

/**
 * Shows the status of a delivery. Deliveries that are being retried look different from those that have failed
 * permanently.
 */
export function DeliveryStatus({ of: delivery }: { of: Delivery }) {
  const t = useTexts()
  const { status } = delivery
  if (status === 'failed') return <Status of={status} words={t.gaveUp} />
  const isRetried = status === 'pending' && isResendable(delivery)
  return isRetried ? <Status of="failed" words={t.notTaken} /> : <Status of={status} />
}

/** Returns true if the event has been sent before. One that is being retried is resent without waiting. */
export const isResendable = ({ status, attempts }: Delivery) => status !== 'pending' || attempts.length > 0
