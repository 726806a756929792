import { createTexts } from '../text/languages.tsx'
import { ObjectLink } from './links.tsx'

const useTexts = createTexts(
  {
    kinds: {
      payment: 'Payment',
      payout: 'Payout',
      refund: 'Refund',
      recall: 'Recalled payout',
      internal_transfer: 'Transfer',
    } as Record<string, string>,
    fees: {
      payment: 'Payment fee',
      payout: 'Payout fee',
      refund: 'Refund fee',
    } as Record<string, string>,
    feesReturned: {
      payment: 'Payment fee returned',
      payout: 'Payout fee returned',
      refund: 'Refund fee returned',
    } as Record<string, string>,
    fee: 'Fee',
  },
  {
    kinds: {
      payment: 'Paiement',
      payout: 'Versement',
      refund: 'Remboursement',
      recall: 'Versement rappelé',
      internal_transfer: 'Virement',
    } as Record<string, string>,
    fees: {
      payment: 'Frais de paiement',
      payout: 'Frais de versement',
      refund: 'Frais de remboursement',
    } as Record<string, string>,
    feesReturned: {
      payment: 'Frais de paiement restitués',
      payout: 'Frais de versement restitués',
      refund: 'Frais de remboursement restitués',
    } as Record<string, string>,
    fee: 'Frais',
  },
)

type Owner = { type?: string; id?: string } | Record<string, never> | null

/** Returns the object that a ledger line or hold belongs to, or `undefined` if it belongs to the Space itself. */
const objectOf = (owner: Owner) =>
  owner?.type && owner.id && owner.type !== 'space' ? { type: owner.type, id: owner.id } : undefined

type Props = { type?: 'credit' | 'debit'; feeCode?: string | null; owner: Owner }

/** The type of a ledger line or hold, such as a fee or a payment, with a link to the object that it is for. */
export function LineKind({ type, feeCode = null, owner }: Props) {
  const t = useTexts()
  const object = objectOf(owner)
  const kind =
    feeCode === null
      ? object && (t.kinds[object.type] ?? object.type)
      : ((type === 'debit' ? t.fees : t.feesReturned)[feeCode] ?? t.fee)
  return object ? <ObjectLink id={object.id}>{kind}</ObjectLink> : kind
}
