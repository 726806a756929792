import type { api, ResultOf } from '../api/client.ts'
import { useTexts } from '../text/languages.tsx'
import { inLanguages } from '../text/texts.ts'
import { Status } from './status.tsx'

const texts = inLanguages(
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
  return <Status of={of} words={useTexts(texts)[of]} />
}
