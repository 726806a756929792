import type { ResultOf } from '../../api/client.ts'
import { Status } from '../../parts/status.tsx'
import { useTexts } from '../../text/languages.tsx'
import { texts } from './texts.ts'

/** Redemption status of a receipt. */
export function ReceiptStatus({ of }: { of: ResultOf<'GET /v1/receipts/{orderNumber}'>['status'] }) {
  return <Status of={of} words={useTexts(texts).states[of]} />
}
