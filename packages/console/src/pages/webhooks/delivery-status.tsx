import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

type Delivery = Pick<ResultOf<typeof api.deliveries.retrieve>, 'status' | 'attempts'>

/** Shows the status of a delivery. A delivery that is being retried is shown as not delivered yet. */
export function DeliveryStatus({ of: delivery }: { of: Delivery }) {
  const t = useTexts()
  const isRetried = delivery.status === 'pending' && isResendable(delivery)
  return isRetried ? <Status of="failed" words={t.notTaken} /> : <Status of={delivery.status} />
}

/** Returns true if the event has been sent before. One that is being retried is resent without waiting. */
export const isResendable = ({ status, attempts }: Delivery) => status !== 'pending' || attempts.length > 0
