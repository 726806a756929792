import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

type Delivery = Pick<ResultOf<typeof api.deliveries.retrieve>, 'status' | 'attempts'>

/** Shows the status of a delivery. A delivery that is being retried is shown as not delivered yet. */
export function DeliveryStatus({ of: { status, attempts } }: { of: Delivery }) {
  const t = useTexts()
  const isFailing = status === 'pending' && attempts.length > 0
  return isFailing ? <Status of="failed" words={t.notTaken} /> : <Status of={status} />
}
