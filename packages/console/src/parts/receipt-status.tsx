import type { api, ResultOf } from '../api/client.ts'
import { createTexts } from '../text/languages.tsx'
import { Status } from './status.tsx'

const useTexts = createTexts(
  {
    not_redeemed: 'Not redeemed',
    partially_redeemed: 'Partially redeemed',
    fully_redeemed: 'Redeemed',
  },
  {
    not_redeemed: 'Non utilisé',
    partially_redeemed: 'Partiellement utilisé',
    fully_redeemed: 'Utilisé',
  },
)

/** Shows the redemption status of a receipt. */
export function ReceiptStatus({ of }: { of: ResultOf<typeof api.receipts.retrieve>['status'] }) {
  return <Status of={of} words={useTexts()[of]} />
}
