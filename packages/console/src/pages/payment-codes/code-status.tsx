import type { api, ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from './texts.ts'

export type PaymentCode = ResultOf<typeof api.paymentCodes.retrieve>

/** Returns whether the code is still open: not paid, expired or cancelled. */
export const isOpen = ({ status }: PaymentCode) => status === 'pending' || status === 'processing'

/** Shows the status of a code. An open code that is paused is shown as paused. */
export function CodeStatus({ of: code }: { of: PaymentCode }) {
  const t = useTexts()
  if (isOpen(code) && !code.enable) return <Status of="disabled" words={t.paused} />
  return <Status of={code.status} words={t.statuses[code.status]} />
}
